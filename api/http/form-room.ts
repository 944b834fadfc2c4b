import { Refusal } from '../../domain/refusal.ts'

/** The files that one process accepts of one organization at a time, so that no organization uses all the memory. */
const formsMax = 8
/** The bytes of files that one process holds in memory. Only bytes that have arrived count, not announced ones. */
const bytesMax = 160 * 1024 * 1024

const formsOf = new Map<string, number>()
let bytesNow = 0

/** The share of a form in that memory: `hold` is called for each chunk before the chunk is stored. */
export type Place = { hold(bytes: number): void }

/**
 * Runs `work`, which keeps a form in memory, and frees that memory at the end. Refuses an organization that already
 * sends as many files as it may, and every organization while the memory for files is used up.
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
