import { Refusal } from '../../domain/refusal.ts'

/** Files of one organization that one process takes at a time, so that nobody takes the room of all. */
const formsMax = 8
/** Bytes of files that one process holds in memory: those that have arrived, and not those that were announced. */
const bytesMax = 160 * 1024 * 1024

const formsOf = new Map<string, number>()
let bytesNow = 0

/** A form's place: each chunk is held before it is kept. */
export type Place = { hold(bytes: number): void }

/**
 * Runs `work`, which keeps a form in memory, with a place that is given back at its end. An organization that has
 * taken all of its own places is refused; any is refused once the memory for files is used up.
 */
export async function withFormRoom<T>(accountId: string, work: (place: Place) => Promise<T>): Promise<T> {
  const forms = formsOf.get(accountId) ?? 0
  if (forms >= formsMax) {
    throw new Refusal('TOO_MANY_REQUESTS', `${formsMax} files of this organization are arriving already`, [], 1)
  }
  formsOf.set(accountId, forms + 1)
  let held = 0
  const hold = (bytes: number) => {
    if (bytesNow + bytes > bytesMax)
      throw new Refusal('SERVICE_UNAVAILABLE', 'too many files are being sent; try again')
    bytesNow += bytes
    held += bytes
  }
  try {
    return await work({ hold })
  } finally {
    bytesNow -= held
    const left = (formsOf.get(accountId) ?? 1) - 1
    if (left > 0) formsOf.set(accountId, left)
    else formsOf.delete(accountId)
  }
}
