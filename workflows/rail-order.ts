import { allHandlersFinished, condition, setHandler, type SignalDefinition } from '@temporalio/workflow'
import { nextPollAt } from '../domain/rail-polls.ts'
import { isEnd, type NoEnd, orderAtRail, type RailOrderSteps } from './rail-order-steps.ts'
import { shouldContinueAsNew } from './continue-as-new.ts'
import { createInterruptibleStep } from './interruptible-step.ts'
import { showStatus } from './search-attributes.ts'
import { followStaffOrders, showOutcome, waitOnHold } from './staff-orders.ts'
import { followTestClock } from './test-clock.ts'
import { now, waitUntil } from './wait-until.ts'

/**
 * Sends an order to a rail and posts its outcome, however long the rail takes: an outcome is never guessed. The signal
 * only says that the rail has news. The rail itself is then asked for them, so that a forged or wrong signal does no
 * harm. Staff can hold the order, have it sent again, or end it. Returns the end, or `contradicted` where the rail has
 * reported another one since.
 */
export async function followRailOrder<Answer extends string, End extends Answer>(
  railAnswered: SignalDefinition,
  { submit, lookUp, close, carryOut, continueRun }: RailOrderSteps<Answer, End>,
): Promise<End | 'contradicted'> {
  followTestClock()
  let news = false
  let isOnHold = false
  /** Whether an order of staff was carried out that the loop below has not seen yet. */
  let hasStaffOrder = false
  let answer = 'unknown' as Answer | NoEnd
  const step = createInterruptibleStep()
  setHandler(railAnswered, () => void (news = true))
  followStaffOrders(['retry', 'hold', 'release', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      applyStaffOrder(await carryOut(actionId, now()))
    } catch (error) {
      news = true // a mark is refused where the rail says the opposite: the process asks for that
      throw error
    }
  })

  const begunAt = now()
  let askAgainAt = nextPollAt(begunAt, begunAt)
  await send()
  if (!isEnd(answer)) show(isOnHold)
  while (!isEnd(answer)) {
    if (shouldContinueAsNew()) {
      await condition(allHandlersFinished)
      return continueRun()
    }
    if (isOnHold) await waitOnHold(isCalled)
    else if (answer === 'unknown') await waitUntil(askAgainAt, { ...orderAtRail, unless: isCalled })
    if (news || (!hasStaffOrder && answer === 'unknown')) await ask()
    hasStaffOrder = false
    if (answer === 'not_found' && !isOnHold) await send()
  }
  let end = await close(answer, now())
  let last: Answer = end
  // News that came while the last step ran or the end was being posted, such as money that the bank has sent back.
  for (; news; await condition(allHandlersFinished)) {
    news = false
    askAgainAt = nextPollAt(begunAt, now())
    const newest = await lookUp(askAgainAt)
    if (!isEnd(newest)) continue
    last = newest
    end = await close(newest, now())
  }
  await condition(allHandlersFinished)
  const isContradicted = last !== end && last !== 'returned'
  return showOutcome(isContradicted ? 'contradicted' : end)

  /** Keeps what came of an order of staff, and interrupts the step that runs. An end stays as it is. */
  function applyStaffOrder(result: End | 'on_hold' | 'not_found'): void {
    if (isEnd(answer)) return
    hasStaffOrder = true
    if (result !== 'on_hold') answer = result
    const isChanged = isOnHold !== (result === 'on_hold')
    isOnHold = result === 'on_hold'
    if (isChanged && (isOnHold || result === 'not_found')) show(isOnHold)
    step.interrupt()
  }

  function isCalled(): boolean {
    return news || hasStaffOrder
  }

  async function ask(): Promise<void> {
    news = false
    askAgainAt = nextPollAt(begunAt, now())
    const newest = await step.run(() => lookUp(askAgainAt))
    if (newest !== null && !isEnd(answer)) answer = newest
  }

  async function send(): Promise<void> {
    answer = 'unknown'
    const newest = await step.run(() => submit(now(), askAgainAt))
    if (newest === 'on_hold') isOnHold = true
    else if (newest !== null && newest !== 'not_found' && !isEnd(answer)) answer = newest
  }
}

const show = (isOnHold: boolean): void =>
  isOnHold ? showStatus('on_hold', 'operator') : showStatus('processing', 'rail')
