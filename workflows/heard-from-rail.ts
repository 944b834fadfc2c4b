import { setHandler, type SignalDefinition } from '@temporalio/workflow'
import { railPolls } from './rail-polls.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'

type Rail<Answer> = { submit: (at: number) => Promise<Answer>; lookUp: () => Promise<Answer> }

/**
 * Hands an order to a rail and answers what became of it, however long that takes: it is never guessed. The signal says
 * that the rail has news, and the rail is then asked what, so that no news is taken on trust.
 */
export async function heardFromRail<Answer extends string>(
  railAnswered: SignalDefinition,
  { submit, lookUp }: Rail<Answer>,
): Promise<Exclude<Answer, 'unknown'>> {
  let news = false
  setHandler(railAnswered, () => void (news = true))

  let answer = await submit(now())
  if (answer === 'unknown') showStatus('processing', 'rail')
  const polls = railPolls()
  for (let askAt = now() + polls.next(); answer === 'unknown';) {
    const heard = await waitUntil(askAt, { for: 'rail', unless: () => news })
    news = false
    answer = await lookUp()
    if (!heard) askAt = now() + polls.next()
  }
  return answer as Exclude<Answer, 'unknown'>
}
