import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { RefundActivities } from '../activities/refund.ts'
import { heardFromRail } from './heard-from-rail.ts'
import { localSteps } from './local-steps.ts'
import { ledger, rail } from './policies.ts'
import { showStatus } from './search-attributes.ts'
import { signalOf } from './messages.ts'

const { submitRefund } = proxyActivities<RefundActivities>(rail('Send the refund to the rail'))
const { lookUpRefund } = proxyActivities<RefundActivities>(rail('Ask the rail for the refund’s status'))
const { closeRefund } = localSteps<RefundActivities>(ledger('Book the refund’s outcome'))

const railAnswered = signalOf('refund', 'railAnswered')

/**
 * pending -> processing -> succeeded | failed, however long the rail takes to answer: it is never guessed. News about a
 * refund that has succeeded begins the process anew, and `succeeded` becomes `failed` where the money has come back.
 */
export async function refund(refundId: string): Promise<string> {
  const status = await heardFromRail(railAnswered, {
    submit: (at) => submitRefund(refundId, at),
    lookUp: () => lookUpRefund(refundId),
    close: (answer, at) => closeRefund(refundId, answer, at),
    continueAnew: () => continueAsNew<typeof refund>(refundId),
  })
  showStatus(status, 'nobody')
  return status
}
