import { allHandlersFinished, condition, setCurrentDetails } from '@temporalio/workflow'
import type { RailOrderNews } from './news.ts'
import { isEnd, type RailOrderSteps } from './steps.ts'
import { endedDetails } from './words.ts'
import { showOutcome } from '../operator-actions.ts'
import { questionsGoOnDuringAHold } from '../versions.ts'
import { now } from '../wait-until.ts'

type Ending<Answer extends string, End extends string> = Pick<RailOrderSteps<Answer, End>, 'close'> & {
  news: RailOrderNews
  /** Asks the rail about the order. */
  question: () => Promise<Answer>
}

/**
 * Posts the end of an order. Then the rail is asked about news that came during the last step, or while the end was
 * being posted or staff were being answered, such as money that the bank has sent back.
 */
export async function endRailOrder<Answer extends string, End extends Answer>(
  answer: Parameters<RailOrderSteps<Answer, End>['close']>[0],
  { close, news, question }: Ending<Answer, End>,
): Promise<End | 'contradicted'> {
  let end = await close(answer, now())
  let last: Answer = end
  let wasAsked: boolean
  do {
    wasAsked = news.isDue()
    if (wasAsked) setCurrentDetails(endedDetails)
    const newest = wasAsked ? await question() : 'unknown'
    if (isEnd(newest)) {
      last = newest
      end = await close(newest, now())
    }
    await condition(allHandlersFinished)
    // Processes of earlier releases ended here if nothing had been asked since the end was posted. Those must end here
    // again, so that a further question is a change with a name.
  } while (news.isDue() && (wasAsked || questionsGoOnDuringAHold()))
  const isContradicted = last !== end && last !== 'returned'
  return showOutcome(isContradicted ? 'contradicted' : end)
}
