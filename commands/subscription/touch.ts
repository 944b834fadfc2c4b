import type { EntityManager } from '../../db/core/database.ts'
import { Customer } from '../../db/customer/customer.ts'
import { type NewEvent, recordEvent } from '../../db/core/record-event.ts'
import { SubscriptionMail } from '../../db/subscription/mail.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import { isZero } from '../../domain/money.ts'
import { revise } from '../../domain/revision.ts'
import type { SubscriptionMailKind } from '../../domain/subscription/mail.ts'
import { nextStepOf, spreadOf } from '../../domain/subscription/next-step.ts'
import { presentSubscription } from '../../schemas/subscription/subscription.ts'
import { readAhead } from './ahead.ts'

/** Computes what a changed subscription does next, and marks it as changed; `at` in milliseconds since the epoch. */
export function touchSubscription(subscription: Subscription, at: number): void {
  const { id, clockId, collection, amount } = subscription
  // On a test clock nothing is spread, so that what is due at a moment is done at that moment.
  const isSpread = !clockId && collection === 'automatic' && !isZero(amount)
  const next = nextStepOf(subscription, isSpread ? spreadOf(id) : 0)
  subscription.wakesAt = next && new Date(next.at)
  subscription.wakesFor = next && next.step
  subscription.updatedAt = new Date(at)
  revise(subscription)
}

type SubscriptionEvent = Extract<NewEvent['type'], `customer.subscription.${string}`>

/** Records an event of a subscription in its current form. */
export async function recordSubscription(
  em: EntityManager,
  subscription: Subscription,
  type: SubscriptionEvent,
  at: number,
): Promise<void> {
  touchSubscription(subscription, at)
  const customer = await em.findOneOrFail(Customer, { id: subscription.customerId })
  const ahead = await readAhead(em, [subscription])
  const data = presentSubscription(subscription, customer, ahead(subscription))
  await recordEvent(em, subscription, { type, resourceId: subscription.id, data }, at)
}

/** Has a mail sent to the customer, by the subscription's process. */
export function mailCustomer(
  em: EntityManager,
  { id: subscriptionId, accountId, environment, clockId }: Subscription,
  kind: SubscriptionMailKind,
  invoiceId: string | null,
  at: number,
): void {
  const createdAt = new Date(at)
  em.create(SubscriptionMail, {
    id: newId('mail', at),
    accountId,
    environment,
    clockId: clockId ?? null,
    subscriptionId,
    kind,
    invoiceId,
    createdAt,
    sentAt: null,
  })
}

/** Has mails of a kind that wait for their server not sent, as what they tell is over. */
export async function takeBackMail(
  em: EntityManager,
  { id: subscriptionId }: Subscription,
  kind: SubscriptionMailKind,
  at: number,
): Promise<void> {
  await em.nativeUpdate(SubscriptionMail, { subscriptionId, kind, sentAt: null }, { sentAt: new Date(at) })
}
