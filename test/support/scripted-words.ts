import { type ErrorCode, errorCodes } from '../../domain/refusal.ts'

/** Whether a word of a script is the code of a refusal, which the adapter throws. */
export const isErrorCode = (word: string | undefined): word is ErrorCode =>
  word !== undefined && Object.hasOwn(errorCodes, word)

/** What a rail's adapter may fail with beside its own errors, and what a process may take for a "no" by mistake. */
export const refusalsOfOurs = ['SERVICE_UNAVAILABLE', 'BAD_GATEWAY', 'CONFLICT', 'NOT_FOUND'] as const
