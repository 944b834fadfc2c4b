import type { EntityManager } from '../../db/core/database.ts'
import { type Subscription, SubscriptionChange } from '../../db/subscription/subscription.ts'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import { aboutSubscription } from '../../domain/subscription/process.ts'
import type { Services } from '../http/services.ts'

/** Whose request it is; `id` is that of the call, so that a repeated call is the same request. */
type Asking = { id: string; by: 'merchant' | 'customer'; at: number }

/**
 * Asks for a change of a subscription: stores the request, and waits until the subscription's process has applied it.
 * The process receives only the id, as a request may hold a customer's own words. Its refusal is the call's.
 */
export async function askFor(
  services: Services,
  row: Subscription,
  what: ChangeRequest,
  { id, by, at }: Asking,
): Promise<void> {
  const em = services.database.orm.em.fork()
  const createdAt = new Date(at)
  await em.upsert(
    SubscriptionChange,
    { id, subscriptionId: row.id, by, what, appliedAt: null, createdAt },
    { onConflictAction: 'ignore' },
  )
  await applyAsked(services, row, what.kind, id)
}

/** Has a stored request applied. One that was applied before stays as it is. */
export async function applyAsked(
  { engine }: Services,
  row: Subscription,
  kind: ChangeRequest['kind'],
  id: string,
): Promise<void> {
  const process = { process: 'subscription' as const, resourceId: row.id, about: aboutSubscription(row) }
  await engine.update(process, kind, [id], id)
}

/**
 * Whether this call repeats one that was cut off after it had stored its request. That request has passed the checks
 * of its call, which are not made again: what they read may have changed since (decision 0008).
 */
export const hasAsked = async (em: EntityManager, callId: string, isRepeat: boolean): Promise<boolean> =>
  isRepeat && (await em.count(SubscriptionChange, { id: callId })) > 0
