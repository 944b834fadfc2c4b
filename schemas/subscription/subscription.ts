import Type from 'typebox'
import { newId } from '../../domain/id.ts'
import { LineItem } from '../checkout/line-item.ts'
import { CurrencyCode, id, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { NamedCustomer } from '../customer.ts'
import { sampleLineItem, sampleMoment, sampleNamedCustomer } from '../sample.ts'

const text = nullable(Type.String())
const Collection = Type.Enum(['automatic', 'invoice'])

/**
 * How a sale repeats (docs/contract/subscription.md, "Subscription"); `subscription_id` is null until it is complete.
 */
const Recurring = Type.Object(
  {
    interval: Type.Enum(['day', 'week', 'month', 'year']),
    interval_count: Type.Integer({ minimum: 1 }),
    trial_days: Type.Integer({ minimum: 0 }),
    collection: Collection,
    subscription_id: nullable(id('sub')),
    next_charge_at: nullable(Timestamp),
  },
  { $id: 'Recurring' },
)

const Cancellation = Type.Object({
  reason: text,
  comment: text,
  by: Type.Enum(['merchant', 'customer', 'service']),
})

/** A change of plan that takes effect in the next period. */
const PendingUpdate = Type.Object({ line_items: Type.Array(LineItem), amount: Money, effective_at: Timestamp })

/** A subscription (docs/contract/subscription.md, "Subscription"). */
export const Subscription = Type.Object(
  {
    subscription_id: id('sub'),
    status: Type.Enum(['trialing', 'active', 'past_due', 'paused', 'canceled']),
    customer: NamedCustomer,
    line_items: Type.Array(LineItem, { minItems: 1 }),
    amount: Money,
    currency: CurrencyCode,
    recurring: Recurring,
    collection: Collection,
    current_period_start: Timestamp,
    current_period_end: Timestamp,
    trial_start: nullable(Timestamp),
    trial_end: nullable(Timestamp),
    cancel_at_period_end: Type.Boolean(),
    pause_at_period_end: Type.Boolean(),
    resumes_at: nullable(Timestamp),
    canceled_at: nullable(Timestamp),
    ended_at: nullable(Timestamp),
    cancellation: nullable(Cancellation),
    past_due_at: nullable(Timestamp),
    next_payment_attempt_at: nullable(Timestamp),
    attempt_count: Type.Integer({ minimum: 0 }),
    payment_method: text,
    pending_update: nullable(PendingUpdate),
    latest_invoice_id: nullable(id('inv')),
    checkout_id: id('chk'),
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Subscription' },
)

/** An active subscription, whose period of 30 days began `periodDays` ago. */
export const sampleSubscription = (subscriptionId: string, at: number, periodDays = 0) => {
  const [checkoutId, end] = [newId('chk', at), sampleMoment(at, 30 - periodDays)]
  return {
    subscription_id: subscriptionId,
    status: 'active' as const,
    customer: sampleNamedCustomer(at),
    line_items: [sampleLineItem(at)],
    amount: '25.00',
    currency: 'USD' as const,
    recurring: {
      interval: 'day' as const,
      interval_count: 30,
      trial_days: 0,
      collection: 'automatic' as const,
      subscription_id: subscriptionId,
      next_charge_at: end,
    },
    collection: 'automatic' as const,
    current_period_start: sampleMoment(at, -periodDays),
    current_period_end: end,
    trial_start: null,
    trial_end: null,
    cancel_at_period_end: false,
    pause_at_period_end: false,
    resumes_at: null,
    canceled_at: null,
    ended_at: null,
    cancellation: null,
    past_due_at: null,
    next_payment_attempt_at: null,
    attempt_count: 0,
    payment_method: 'CARD',
    pending_update: null,
    latest_invoice_id: newId('inv', at),
    checkout_id: checkoutId,
    metadata: { checkout_id: checkoutId },
    created_at: sampleMoment(at, -periodDays),
    updated_at: sampleMoment(at),
  }
}

/** A subscription in the last three days of a two-week trial. */
export const sampleTrial = (subscriptionId: string, at: number) => {
  const active = sampleSubscription(subscriptionId, at, 11)
  const end = sampleMoment(at, 3)
  return {
    ...active,
    status: 'trialing' as const,
    recurring: {
      ...active.recurring,
      trial_days: 14,
      next_charge_at: end,
    },
    current_period_end: end,
    trial_start: active.current_period_start,
    trial_end: end,
    latest_invoice_id: null,
  }
}

/** A subscription after the first payment of a period has failed. */
export const samplePastDue = (subscriptionId: string, at: number) => ({
  ...sampleSubscription(subscriptionId, at),
  status: 'past_due' as const,
  past_due_at: sampleMoment(at),
  next_payment_attempt_at: sampleMoment(at, 2),
  attempt_count: 1,
})

export const samplePaused = (subscriptionId: string, at: number) => {
  const active = sampleSubscription(subscriptionId, at, 30)
  return {
    ...active,
    status: 'paused' as const,
    recurring: { ...active.recurring, next_charge_at: null },
    resumes_at: sampleMoment(at, 60),
  }
}

export const sampleCanceled = (subscriptionId: string, at: number) => {
  const active = sampleSubscription(subscriptionId, at, 12)
  return {
    ...active,
    status: 'canceled' as const,
    recurring: {
      ...active.recurring,
      next_charge_at: null,
    },
    canceled_at: sampleMoment(at),
    ended_at: sampleMoment(at),
    cancellation: {
      reason: 'too_expensive',
      comment: null,
      by: 'customer' as const,
    },
  }
}
