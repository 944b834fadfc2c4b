import type { Refused } from './api.ts'

// An upload is refused with a conflict where those that nothing uses take too much. What is made of an upload has other
// conflicts, so this one is named right after the upload.

const uploadsFull = 'UPLOADS_FULL'

/** Why an upload was refused. A conflict of its idempotency key is told at a field, and stays what it is. */
export const refusedUpload = (refused: Refused): Refused =>
  refused.code === 'CONFLICT' && refused.errors.length === 0 ? { ...refused, code: uploadsFull } : refused

/** The words at the input of a file that was not taken for want of room; undefined for any other refusal. */
export const uploadsFullWords = ({ code }: Refused): string | undefined => (code === uploadsFull ? words : undefined)

/** Nobody can delete uploads on a page: those that nothing uses are deleted after a day. */
const words = 'There is no room for this file at the moment: too many files wait that nothing uses. Try again in a day.'
