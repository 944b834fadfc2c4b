import type { EntityManager } from '../../db/core/database.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { moveSubscription, type StoredCancellation } from '../../domain/subscription/subscription.ts'
import { stopCharging } from './collection-state.ts'
import { closeInvoices } from './invoice.ts'
import { mailCustomer, recordSubscription } from './touch.ts'

/**
 * Ends a subscription. Nothing is charged any more; `endedAt` is the moment until which it was paid for or used, and
 * both are in milliseconds since the epoch.
 */
export async function endSubscription(
  em: EntityManager,
  subscription: Subscription,
  { cancellation, endedAt }: { cancellation: StoredCancellation; endedAt: number },
  at: number,
): Promise<void> {
  moveSubscription(subscription, 'canceled')
  stopCharging(subscription)
  subscription.cancellation = cancellation
  subscription.canceledAt ??= new Date(at)
  subscription.endedAt = new Date(endedAt)
  // If the service ends it, late money may revive it: what was asked for then stands.
  if (cancellation.by !== 'service')
    Object.assign(subscription, { pauseAtPeriodEnd: false, resumesAt: null, pendingPlan: null })
  await closeInvoices(em, subscription, at)
  await recordSubscription(em, subscription, 'customer.subscription.canceled', at)
  mailCustomer(em, subscription, 'canceled', null, at)
}
