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
  { database, engine }: Services,
  row: Subscription,
  what: ChangeRequest,
  { id, by, at }: Asking,
): Promise<void> {
  const em = database.orm.em.fork()
  const createdAt = new Date(at)
  await em.upsert(
    SubscriptionChange,
    { id, subscriptionId: row.id, by, what, appliedAt: null, createdAt },
    { onConflictAction: 'ignore' },
  )
  const process = { process: 'subscription' as const, resourceId: row.id, about: aboutSubscription(row) }
  await engine.update(process, what.kind, [id], id)
}
