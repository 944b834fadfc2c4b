import { hourMs } from '../domain/duration.ts'
import type { Refused } from './api.ts'

// An upload is refused with a conflict where those that nothing uses take too much, and for an hour or longer where too
// much was sent in a day. What is made of an upload has other conflicts and limits, so these are named right after the
// upload.

const uploadsFull = 'UPLOADS_FULL'

/** Why an upload was refused. A conflict of its idempotency key is told at a field, and stays what it is. */
export function refusedUpload(refused: Refused): Refused {
  const { code, errors, waitSeconds } = refused
  const isUnused = code === 'CONFLICT' && errors.length === 0
  const isOfDay = code === 'TOO_MANY_REQUESTS' && (waitSeconds ?? 0) * 1000 >= hourMs
  return isUnused || isOfDay ? { ...refused, code: uploadsFull } : refused
}

/** The words at the input of a file that was not taken for want of room; undefined for any other refusal. */
export const uploadsFullWords = ({ code }: Refused): string | undefined => (code === uploadsFull ? words : undefined)

/** Nobody can delete uploads on a page: those that nothing uses are deleted after a day. */
const words = 'There is no room for this file at the moment: too many files were sent. Try again in a day.'
