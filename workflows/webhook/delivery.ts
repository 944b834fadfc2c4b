import { proxyActivities, setHandler } from '@temporalio/workflow'
import type { WebhookDeliveryActivities } from '../../activities/webhook/delivery.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { deliveryPolicy, firstDeliveryPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { followTestClock, keepTime } from '../test-clock.ts'
import { now, waitUntil } from '../wait-until.ts'
import { signalOf } from '../messages.ts'

const first = proxyLocalSteps<WebhookDeliveryActivities>(firstDeliveryPolicy('First attempt'))
const later = proxyActivities<WebhookDeliveryActivities>(deliveryPolicy('Attempt to deliver'))

const attemptNow = signalOf('webhook-delivery', 'attemptNow')

/** One event to one endpoint: at once, then 1, 5, 15 and 60 minutes after each failure, and never again after that. */
export async function webhookDelivery(deliveryId: string): Promise<string> {
  followTestClock()
  let hurried = false
  setHandler(attemptNow, () => void (hurried = true))

  let { status, attempts, nextAttemptAt, clockTime } = await first.attemptDelivery(deliveryId, 1, now(), true)
  while (status === 'pending') {
    keepTime(clockTime)
    if (attempts > 0 && nextAttemptAt !== null)
      await waitUntil(nextAttemptAt, { for: 'receiver', unless: () => hurried })
    hurried = false
    ;({ status, attempts, nextAttemptAt, clockTime } = await later.attemptDelivery(deliveryId, attempts + 1, now()))
  }
  if (attempts > 1) showStatus(status, 'nobody')
  return status
}
