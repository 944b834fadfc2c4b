import { isGrpcServiceError } from '@temporalio/client'

/**
 * The status codes of gRPC that we tell apart, as https://grpc.io/docs/guides/status-codes lists them. The SDK exports
 * none: they are in `@grpc/grpc-js`, which only the SDK depends on.
 */
const codes = {
  invalidArgument: 3,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
  unauthenticated: 16,
} as const

/** What the engine answers a call with that it does not carry out; `details` say why. */
export type GrpcError = Error & { code: number; details: string }

/** Whether the engine has answered a call with one of these statuses. */
export const hasGrpcStatus = (error: unknown, ...statuses: (keyof typeof codes)[]): error is GrpcError =>
  isGrpcServiceError(error) && statuses.some((status) => codes[status] === error.code)
