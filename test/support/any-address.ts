import { randomInt } from 'node:crypto'

/** An address that hardly any other call has: behind a trusted proxy each buyer has one, and limits count by it. */
export const anyAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
