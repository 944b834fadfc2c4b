import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow'
import type { DepositActivities, DepositAnswer } from '../activities/deposit.ts'
import { nextPollAt } from '../domain/rail-polls.ts'
import { continueInNewRun, shouldContinueAsNew } from './continue-as-new.ts'
import { createInterruptibleStep } from './interruptible-step.ts'
import { railPolicy } from './policies.ts'
import { paymentAtRail } from './rail-order/words.ts'
import { proxyRailSteps } from './rail-steps.ts'
import { showStatus } from './search-attributes.ts'
import { followOperatorActions } from './operator-actions.ts'
import { followTestClock } from './test-clock.ts'
import { now, waitUntil } from './wait-until.ts'
import { signalOf } from './messages.ts'

const { settleDeposit } = proxyRailSteps<DepositActivities>(railPolicy('Ask the bank about the transfer and book it'))
const { carryOutOnDeposit } = proxyRailSteps<DepositActivities>(
  railPolicy('Carry out what staff ordered, if the bank agrees'),
)

const railAnswered = signalOf('deposit', 'railAnswered')

/**
 * One transfer into a virtual account: the bank is asked until it has confirmed the transfer, which is then posted, or
 * until staff have marked it. News about a transfer that was marked as failed start the process again.
 */
export async function deposit(paymentId: string): Promise<string> {
  followTestClock()
  let news = false
  let answer = false as DepositAnswer
  const question = createInterruptibleStep()
  setHandler(railAnswered, () => void (news = true))
  followOperatorActions(['retry', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      const { answer: newest, isUnanswered } = await carryOutOnDeposit(paymentId, actionId, now())
      if (newest || !answer) answer = newest
      if (isUnanswered) news = true // the bank goes on being asked, beginning now
    } catch (error) {
      news = true // a mark is refused where the bank says the opposite: the process asks for that
      throw error
    } finally {
      if (news || answer) question.interrupt()
    }
  })

  const begunAt = now()
  let askAgainAt = nextPollAt(begunAt, begunAt)
  await ask()
  while (!answer) {
    if (shouldContinueAsNew()) {
      await condition(allHandlersFinished)
      return continueInNewRun<typeof deposit>(paymentId)
    }
    await waitUntil(askAgainAt, { ...paymentAtRail, unless: () => news || answer !== false })
    if (answer) break
    news = false
    askAgainAt = nextPollAt(begunAt, now())
    await ask()
  }
  await condition(allHandlersFinished)
  // The bank had not answered when staff marked it as failed, or had news meanwhile.
  for (; answer === 'failed' && news; await condition(allHandlersFinished)) {
    news = false
    showStatus('failed', 'rail')
    await ask()
  }
  const end = answer === 'failed' ? 'failed' : 'settled'
  showStatus(end, 'nobody')
  return end

  /** Asks the bank, unless staff have their order carried out meanwhile. */
  async function ask(): Promise<void> {
    const newest = await question.run(() => settleDeposit(paymentId, now(), askAgainAt))
    if (newest !== null && (newest || !answer)) answer = newest
  }
}
