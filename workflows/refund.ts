import type { RefundActivities } from '../activities/refund.ts'
import { followRailOrder } from './rail-order/order.ts'
import { proxyLocalSteps } from './local-steps.ts'
import { ledgerPolicy, railPolicy } from './policies.ts'
import { proxyRailSteps } from './rail-steps.ts'
import { signalOf } from './messages.ts'
import { continueInNewRun } from './continue-as-new.ts'

const { submitRefund } = proxyRailSteps<RefundActivities>(railPolicy('Send the refund to the rail'))
const { lookUpRefund } = proxyRailSteps<RefundActivities>(railPolicy('Ask the rail for the refund’s status'))
const { carryOutOnRefund } = proxyRailSteps<RefundActivities>(
  railPolicy('Carry out what staff ordered, if the rail agrees'),
)
const { closeRefund } = proxyLocalSteps<RefundActivities>(ledgerPolicy('Post the refund’s outcome'))

const railAnswered = signalOf('refund', 'railAnswered')

/**
 * pending -> processing -> succeeded | failed, however long the rail takes to answer: an outcome is never guessed. News
 * about a refund that has succeeded starts the process again, and `succeeded` becomes `failed` where the money has come
 * back.
 */
export async function refund(refundId: string, hasNews = false): Promise<string> {
  return followRailOrder(railAnswered, {
    submit: (at, askAgainAt) => submitRefund(refundId, at, askAgainAt),
    lookUp: (askAgainAt) => lookUpRefund(refundId, askAgainAt),
    close: (answer, at) => closeRefund(refundId, answer, at),
    carryOut: (actionId, at) => carryOutOnRefund(actionId, at, refundId),
    continueRun: (isNews) => continueInNewRun<typeof refund>(refundId, isNews),
    hasNews,
  })
}
