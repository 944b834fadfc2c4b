import { setHandler, type SignalDefinition } from '@temporalio/workflow'
import { nextPollAt } from '../domain/rail-polls.ts'
import { shouldContinueAsNew } from './continue-as-new.ts'
import { showStatus } from './search-attributes.ts'
import { followTestClock } from './test-clock.ts'
import { now, waitUntil } from './wait-until.ts'

/** Answers of a rail that do not end an order. After `not_found` the order is sent again, under the same id. */
type NoEnd = 'unknown' | 'not_found'

type Rail<Answer extends string, End extends string> = {
  /**
   * Sends the order to the rail. Sent again, it is the same order. `askAgainAt` is when the rail is asked again if it
   * does not decide now, in milliseconds since the epoch.
   */
  submit: (at: number, askAgainAt: number) => Promise<Answer>
  lookUp: (askAgainAt: number) => Promise<Answer>
  /** Posts the end and returns the resource's state. What has already ended stays as it is. */
  close: (answer: Exclude<Answer, NoEnd>, at: number) => Promise<End>
  /** Continues in a new run, which sends the order again. */
  continueRun: () => Promise<never>
}

/**
 * Sends an order to a rail and posts its outcome, however long the rail takes: an outcome is never guessed. The signal
 * only says that the rail has news. The rail itself is then asked for them, so that a forged or wrong signal does no
 * harm.
 */
export async function followRailOrder<Answer extends string, End extends string>(
  railAnswered: SignalDefinition,
  { submit, lookUp, close, continueRun }: Rail<Answer, End>,
): Promise<End> {
  followTestClock()
  let news = false
  setHandler(railAnswered, () => void (news = true))

  const begunAt = now()
  let askAgainAt = nextPollAt(begunAt, begunAt)
  let answer = await submit(begunAt, askAgainAt)
  if (!isEnd(answer)) showStatus('processing', 'rail')
  const ask = () => {
    news = false
    askAgainAt = nextPollAt(begunAt, now())
    return lookUp(askAgainAt)
  }
  while (!isEnd(answer)) {
    if (shouldContinueAsNew()) return continueRun()
    await waitUntil(askAgainAt, { for: 'rail', unless: () => news })
    answer = await ask()
    if (answer === 'not_found') answer = await submit(now(), askAgainAt)
  }
  let end = await close(answer, now())
  // News that came while the last step ran or the end was being posted, such as money that the bank has sent back.
  while (news) {
    answer = await ask()
    if (isEnd(answer)) end = await close(answer, now())
  }
  return end
}

const isEnd = <Answer extends string>(answer: Answer): answer is Exclude<Answer, NoEnd> =>
  answer !== 'unknown' && answer !== 'not_found'
