import { allHandlersFinished, condition, type SignalDefinition } from '@temporalio/workflow'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { endRailOrder } from './end.ts'
import { keepRailOrderNews } from './news.ts'
import { isEnd, type NoEnd, type RailOrderSteps } from './steps.ts'
import { orderAtRail, showOrder } from './words.ts'
import { shouldContinueAsNew } from '../continue-as-new.ts'
import { createInterruptibleStep } from '../interruptible-step.ts'
import { followOperatorActions, waitOnHold } from '../operator-actions.ts'
import { followTestClock } from '../test-clock.ts'
import { now, waitUntil } from '../wait-until.ts'

/**
 * Sends an order to a rail and posts its outcome, however long the rail takes: an outcome is never guessed. The signal
 * only says that the rail has news. The rail itself is then asked for them, so that a forged or wrong signal does no
 * harm. Staff can hold the order, have it sent again, or end it. Returns the end, or `contradicted` where the rail has
 * reported another one since.
 */
export async function followRailOrder<Answer extends string, End extends Answer>(
  railAnswered: SignalDefinition,
  { submit, lookUp, close, carryOut, continueRun, hasNews }: RailOrderSteps<Answer, End>,
): Promise<End | 'contradicted'> {
  followTestClock()
  let isOnHold = false
  /** Whether an operator action was carried out that the loop below has not seen yet. */
  let hasCarriedOut = false
  let answer = 'unknown' as Answer | NoEnd
  const step = createInterruptibleStep()
  const news = keepRailOrderNews(railAnswered, hasNews)
  const isCalled = () => news.isDue() || hasCarriedOut
  followOperatorActions(['retry', 'hold', 'release', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      applyAction(await carryOut(actionId, now()))
    } catch (error) {
      news.announce() // a mark is refused where the rail says the opposite: the process asks for that
      throw error
    }
  })

  const begunAt = now()
  let askAgainAt = nextPollAt(begunAt, begunAt)
  await send()
  if (!isEnd(answer)) showOrder(isOnHold)
  while (!isEnd(answer)) {
    if (shouldContinueAsNew()) {
      await condition(allHandlersFinished)
      return continueRun(news.isUnanswered())
    }
    if (isOnHold) await waitOnHold(isCalled)
    else if (answer === 'unknown') await waitUntil(askAgainAt, { ...orderAtRail, unless: isCalled })
    if (news.isDue() || (!hasCarriedOut && answer === 'unknown')) await ask()
    hasCarriedOut = false
    if (answer === 'not_found' && !isOnHold) await send()
  }
  return endRailOrder(answer, { close, news, question })

  /** Keeps what came of an operator action, and interrupts the step that runs. An end stays as it is. */
  function applyAction(result: End | 'on_hold' | 'not_found'): void {
    if (isEnd(answer)) return
    hasCarriedOut = true
    if (result !== 'on_hold') answer = result
    const isChanged = isOnHold !== (result === 'on_hold')
    isOnHold = result === 'on_hold'
    if (isChanged && (isOnHold || result === 'not_found')) showOrder(isOnHold)
    step.interrupt()
  }

  async function ask(): Promise<void> {
    const newest = await step.run(question)
    if (newest !== null && !isEnd(answer)) answer = newest
    noteStepResult(newest)
  }

  function question(): Promise<Answer> {
    news.noteAsked()
    askAgainAt = nextPollAt(begunAt, now())
    return lookUp(askAgainAt)
  }

  async function send(): Promise<void> {
    answer = 'unknown'
    const newest = await step.run(() => submit(now(), askAgainAt))
    if (newest === 'on_hold') isOnHold = true
    else if (newest !== null && newest !== 'not_found' && !isEnd(answer)) answer = newest
    noteStepResult(newest)
  }

  /**
   * The step has answered for the news, or gives them back if a hold or a mark came first: nothing else would ask about
   * them. Otherwise the order is sent again, or asked about, in any case.
   */
  function noteStepResult(newest: Answer | 'on_hold' | null): void {
    if (newest === answer) news.noteAnswered()
    else if (isOnHold || isEnd(answer)) news.restore()
  }
}
