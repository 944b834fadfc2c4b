import { allHandlersFinished, condition, setHandler, type SignalDefinition } from '@temporalio/workflow'
import { nextPollAt } from '../domain/rail-polls.ts'
import { isEnd, type NoEnd, type RailOrderSteps } from './rail-order-steps.ts'
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
 * told another one since.
 */
export async function followRailOrder<Answer extends string, End extends Answer>(
  railAnswered: SignalDefinition,
  { submit, lookUp, close, carryOut, continueRun }: RailOrderSteps<Answer, End>,
): Promise<End | 'contradicted'> {
  followTestClock()
  let [news, isOnHold, isTold] = [false, false, false]
  let answer = 'unknown' as Answer | NoEnd
  const step = createInterruptibleStep()
  setHandler(railAnswered, () => void (news = true))
  followStaffOrders(['retry', 'hold', 'release', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      hear(await carryOut(actionId, now()))
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
    else if (answer === 'unknown') await waitUntil(askAgainAt, { for: 'rail', unless: isCalled })
    if (news || (!isTold && answer === 'unknown')) await ask()
    isTold = false
    if (answer === 'not_found' && !isOnHold) await send()
  }
  let end = await close(answer, now())
  let last: Answer = end
  // News that came while the last step ran or the end was being posted, such as money that the bank has sent back.
  for (; news; await condition(allHandlersFinished)) {
    news = false
    const said = await lookUp((askAgainAt = nextPollAt(begunAt, now())))
    if (isEnd(said)) [last, end] = [said, await close(said, now())]
  }
  await condition(allHandlersFinished)
  const isContradicted = last !== end && last !== 'returned'
  return showOutcome(isContradicted ? 'contradicted' : end)

  /** Takes in what staff have ordered. An end stays as it is. */
  function hear(told: End | 'on_hold' | 'not_found'): void {
    if (isEnd(answer)) return
    isTold = true
    if (told !== 'on_hold') answer = told
    const isChanged = isOnHold !== (told === 'on_hold')
    isOnHold = told === 'on_hold'
    if (isChanged && (isOnHold || told === 'not_found')) show(isOnHold)
    step.interrupt()
  }

  function isCalled(): boolean {
    return news || isTold
  }

  async function ask(): Promise<void> {
    news = false
    askAgainAt = nextPollAt(begunAt, now())
    const said = await step.run(() => lookUp(askAgainAt))
    if (said !== null && !isEnd(answer)) answer = said
  }

  async function send(): Promise<void> {
    answer = 'unknown'
    const said = await step.run(() => submit(now(), askAgainAt))
    if (said === 'on_hold') isOnHold = true
    else if (said !== null && said !== 'not_found' && !isEnd(answer)) answer = said
  }
}

const show = (isOnHold: boolean): void =>
  isOnHold ? showStatus('on_hold', 'operator') : showStatus('processing', 'rail')
