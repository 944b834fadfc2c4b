import { type ErrorCode, errorCodes } from '../../domain/refusal.ts'

/** Whether a word of a script is the code of a refusal that the adapter throws. */
export const isErrorCode = (word: string | undefined): word is ErrorCode =>
  word !== undefined && Object.hasOwn(errorCodes, word)

/** Refusals of our own that a rail's adapter may throw, and that a process might mistake for the rail's refusal. */
export const refusalsOfOurs = ['SERVICE_UNAVAILABLE', 'BAD_GATEWAY', 'CONFLICT', 'NOT_FOUND'] as const
