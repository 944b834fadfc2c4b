import { continueAsNew, proxyActivities, setHandler } from '@temporalio/workflow'
import type { DepositActivities } from '../activities/deposit.ts'
import { shouldContinueAsNew } from './continue-as-new.ts'
import { railPolicy } from './policies.ts'
import { railPolls } from './rail-polls.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'
import { signalOf } from './messages.ts'

const { settleDeposit } = proxyActivities<DepositActivities>(railPolicy('Ask the bank about the transfer and book it'))

const railAnswered = signalOf('deposit', 'railAnswered')

/** One transfer into a virtual account: the bank is asked until it has confirmed the transfer, which is then posted. */
export async function deposit(paymentId: string): Promise<string> {
  let news = false
  setHandler(railAnswered, () => void (news = true))

  for (const polls = railPolls(); !(await settleDeposit(paymentId, now())); news = false) {
    if (shouldContinueAsNew()) return continueAsNew<typeof deposit>(paymentId)
    await waitUntil(now() + polls.next(), { for: 'rail', unless: () => news })
  }
  showStatus('settled', 'nobody')
  return 'settled'
}
