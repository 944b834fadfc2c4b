import { setTimeout as sleep } from 'node:timers/promises'

type Waiting = {
  /** For how long to wait, in milliseconds from the first failure on. */
  waitMs: number
  /** Whether an error means that what is asked cannot be reached yet. Any other error is thrown at once. */
  isUnavailable: (error: unknown) => boolean
  /** What is printed at the first failure. */
  says: (error: unknown) => string
}

const retryMs = 1_000

/** Does `work` again every second while what it asks cannot be reached. Then throws the error of the last try. */
export async function untilReached<T>(work: () => Promise<T>, { waitMs, isUnavailable, says }: Waiting): Promise<T> {
  let limit: number | null = null
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isFirst = limit === null
      limit ??= performance.now() + waitMs
      if (!isUnavailable(error) || performance.now() >= limit) throw error
      if (isFirst) console.error(`${says(error)}\nIt is asked again, with a pause of a second.`)
      await sleep(retryMs)
    }
  }
}
