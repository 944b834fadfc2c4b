import { continueAsNew, proxyActivities, setHandler } from '@temporalio/workflow'
import type { DepositActivities } from '../activities/deposit.ts'
import { nextPollAt } from '../domain/rail-polls.ts'
import { shouldContinueAsNew } from './continue-as-new.ts'
import { railPolicy } from './policies.ts'
import { showStatus } from './search-attributes.ts'
import { followTestClock } from './test-clock.ts'
import { now, waitUntil } from './wait-until.ts'
import { signalOf } from './messages.ts'

const { settleDeposit } = proxyActivities<DepositActivities>(railPolicy('Ask the bank about the transfer and book it'))

const railAnswered = signalOf('deposit', 'railAnswered')

/** One transfer into a virtual account: the bank is asked until it has confirmed the transfer, which is then posted. */
export async function deposit(paymentId: string): Promise<string> {
  followTestClock()
  let news = false
  setHandler(railAnswered, () => void (news = true))

  const begunAt = now()
  let askAgainAt = nextPollAt(begunAt, begunAt)
  while (!(await settleDeposit(paymentId, now(), askAgainAt))) {
    if (shouldContinueAsNew()) return continueAsNew<typeof deposit>(paymentId)
    await waitUntil(askAgainAt, { for: 'rail', unless: () => news })
    news = false
    askAgainAt = nextPollAt(begunAt, now())
  }
  showStatus('settled', 'nobody')
  return 'settled'
}
