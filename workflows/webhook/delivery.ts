import { allHandlersFinished, condition, proxyActivities, setHandler } from '@temporalio/workflow'
import type { WebhookDeliveryActivities } from '../../activities/webhook/delivery.ts'
import type { WebhookStaffActivities } from '../../activities/webhook/staff.ts'
import { firstStep } from '../first-step.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { deliveryPolicy, firstDeliveryPolicy, ledgerPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { followOperatorActions, waitOnHold } from '../operator-actions.ts'
import { followTestClock, keepTime } from '../test-clock.ts'
import { now, waitUntil } from '../wait-until.ts'
import { signalOf } from '../messages.ts'

const first = proxyLocalSteps<WebhookDeliveryActivities>(firstDeliveryPolicy('First attempt'))
const later = proxyActivities<WebhookDeliveryActivities>(deliveryPolicy('Attempt to deliver'))
const { readDelivery } = proxyLocalSteps<WebhookDeliveryActivities>(ledgerPolicy('Read what staff have changed'))
const { carryOutOnDelivery } = proxyLocalSteps<WebhookStaffActivities>(ledgerPolicy('Carry out what staff ordered'))

const attemptNow = signalOf('webhook-delivery', 'attemptNow')

/** What operators read between two attempts. */
const failing = {
  for: 'receiver',
  helps: 'In the review desk (/ops): have it tried now, hold it, or mark it as failed.',
  next: 'the next attempt is made',
} as const

/**
 * One event to one endpoint: at once, then 1, 5, 15 and 60 minutes after each failure, and never again after that.
 * Staff can have the next attempt made now, hold the delivery, or end it.
 */
export async function webhookDelivery(deliveryId: string): Promise<string> {
  followTestClock()
  let hurried = false
  let isChanged = false
  let isShownOnHold = false
  let wasOnHold = false
  const attempt = firstStep(() => first.attemptDelivery(deliveryId, 1, now(), true))
  setHandler(attemptNow, () => void (hurried = true))
  followOperatorActions(['retry', 'hold', 'release', 'markFailed'], async (actionId) => {
    await carryOutOnDelivery(actionId, now(), deliveryId)
    isChanged = true
  })

  let seen = await attempt()
  while (seen.status === 'pending') {
    const { attempts, nextAttemptAt, clockTime, isOnHold = false } = seen
    keepTime(clockTime)
    if (isOnHold !== isShownOnHold) showHold(isOnHold)
    if (isOnHold) await waitOnHold(() => isChanged)
    else if (attempts > 0 && nextAttemptAt !== null)
      await waitUntil(nextAttemptAt, { ...failing, unless: () => hurried || isChanged })
    if (isChanged) {
      // The row says what holds now: an attempt may have ended while staff were changing the delivery.
      isChanged = false
      seen = await readDelivery(deliveryId)
    } else {
      hurried = false
      seen = await later.attemptDelivery(deliveryId, attempts + 1, now())
    }
  }
  await condition(allHandlersFinished)
  if (seen.attempts > 1 || wasOnHold) showStatus(seen.status, 'nobody')
  return seen.status

  function showHold(isOnHold: boolean): void {
    isShownOnHold = isOnHold
    wasOnHold = true
    showStatus(isOnHold ? 'on_hold' : 'pending', isOnHold ? 'operator' : 'receiver')
  }
}
