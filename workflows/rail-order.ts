import { setHandler, type SignalDefinition } from '@temporalio/workflow'
import { shouldContinueAsNew } from './continue-as-new.ts'
import { railPolls } from './rail-polls.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'

/** What a rail may say that is no end. After `not_found` the order is given again, under the same id. */
type NoEnd = 'unknown' | 'not_found'

type Rail<Answer extends string, End extends string> = {
  /** Gives the order to the rail; given again it is the same order. */
  submit: (at: number) => Promise<Answer>
  lookUp: () => Promise<Answer>
  /** Posts an end, and answers how the resource stands: what has ended stays as it is. */
  close: (answer: Exclude<Answer, NoEnd>, at: number) => Promise<End>
  /** Goes on in a new run, which gives the order again. */
  continueRun: () => Promise<never>
}

/**
 * Hands an order to a rail and posts what became of it, however long that takes: it is never guessed. The signal says
 * that the rail has news, and the rail is then asked what, so that no news is taken on trust.
 */
export async function followRailOrder<Answer extends string, End extends string>(
  railAnswered: SignalDefinition,
  { submit, lookUp, close, continueRun }: Rail<Answer, End>,
): Promise<End> {
  let news = false
  setHandler(railAnswered, () => void (news = true))

  let answer = await submit(now())
  if (!isEnd(answer)) showStatus('processing', 'rail')
  const polls = railPolls()
  for (let nextLookUpAt = now() + polls.next(); !isEnd(answer);) {
    if (shouldContinueAsNew()) return continueRun()
    const hasNews = await waitUntil(nextLookUpAt, { for: 'rail', unless: () => news })
    news = false
    answer = await lookUp()
    if (answer === 'not_found') answer = await submit(now())
    if (!hasNews) nextLookUpAt = now() + polls.next()
  }
  let end = await close(answer, now())
  // News that came while the last step ran or the end was being posted, such as money that the bank has sent back.
  while (news) {
    news = false
    answer = await lookUp()
    if (isEnd(answer)) end = await close(answer, now())
  }
  return end
}

const isEnd = <Answer extends string>(answer: Answer): answer is Exclude<Answer, NoEnd> =>
  answer !== 'unknown' && answer !== 'not_found'
