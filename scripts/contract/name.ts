import type { Operation } from '../../api/http/operation.ts'

/** As schemathesis names an operation. */
export const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`
