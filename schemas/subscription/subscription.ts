import Type, { type Static } from 'typebox'
import type { Customer } from '../../db/customer/customer.ts'
import type { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { intervals } from '../../domain/catalogue/product.ts'
import { checkoutMethodOf } from '../../domain/corridor.ts'
import { newId } from '../../domain/id.ts'
import { type Amount, format } from '../../domain/money.ts'
import { cancellers, subscriptionStatuses } from '../../domain/subscription/subscription.ts'
import { LineItem } from '../checkout/line-item.ts'
import { Collection, Recurring } from '../checkout/recurring.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { NamedCustomer, presentNamedCustomer } from '../customer.ts'
import { sampleLineItem, sampleMoment, sampleNamedCustomer } from '../sample.ts'

const text = nullable(Type.String())

const Cancellation = Type.Object({
  reason: text,
  comment: text,
  by: Type.Enum([...cancellers]),
})

/** A change of plan that takes effect in the next period. */
const PendingUpdate = Type.Object({
  line_items: Type.Array(LineItem),
  amount: Money,
  interval: Type.Enum([...intervals]),
  interval_count: Type.Integer({ minimum: 1 }),
  effective_at: Timestamp,
})

/** A subscription (docs/contract/subscription.md, "Subscription"). */
export const Subscription = Type.Object(
  {
    subscription_id: id('sub'),
    status: Type.Enum([...subscriptionStatuses]),
    customer: NamedCustomer,
    line_items: Type.Array(LineItem, { minItems: 1 }),
    amount: Money,
    currency: CurrencyCode,
    credit: Money,
    recurring: Recurring,
    collection: Collection,
    current_period_start: Timestamp,
    current_period_end: Timestamp,
    trial_start: nullable(Timestamp),
    trial_end: nullable(Timestamp),
    cancel_at_period_end: Type.Boolean(),
    pause_at_period_end: Type.Boolean(),
    paid_ahead_until: nullable(Timestamp),
    resumes_at: nullable(Timestamp),
    canceled_at: nullable(Timestamp),
    ended_at: nullable(Timestamp),
    cancellation: nullable(Cancellation),
    past_due_at: nullable(Timestamp),
    next_payment_attempt_at: nullable(Timestamp),
    attempt_count: Type.Integer({ minimum: 0 }),
    payment_method: text,
    payment_method_id: nullable(id('pm')),
    pending_update: nullable(PendingUpdate),
    latest_invoice_id: nullable(id('inv')),
    checkout_id: id('chk'),
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Subscription' },
)

/**
 * How the invoice of the next period stands. `nextDueAt`: the end of that period, where nothing is to be paid for it
 * any more; null otherwise. `paidUntil`: the same where the customer has paid money for it, and has not got all of it
 * back. `openTotal`: what is to be paid of it, while it is open. `credit`: what the invoices after it deduct.
 */
export type Ahead = { nextDueAt: Date | null; paidUntil: Date | null; openTotal: Amount | null; credit: Amount }

/** When a subscription is charged next, as far as that is known. */
function nextChargeAt(row: SubscriptionRow, { nextDueAt }: Ahead): Date | null {
  if (row.status === 'past_due') return row.nextPaymentAttemptAt
  if (row.status === 'paused') return null
  if (row.status === 'canceled' || row.cancelAtPeriodEnd || row.pauseAtPeriodEnd) return null
  return nextDueAt ?? row.currentPeriodEnd
}

const noPause = { pauseAtPeriodEnd: false, resumesAt: null }

/**
 * What is shown as pending. What was asked for the end of the period stays stored after an end by the service (see
 * `revive`), and a planned pause while the subscription is being canceled.
 */
function pendingOf({ status, cancelAtPeriodEnd, pendingPlan, pauseAtPeriodEnd, resumesAt }: SubscriptionRow) {
  if (status === 'canceled') return { pendingPlan: null, ...noPause }
  return { pendingPlan, ...(cancelAtPeriodEnd ? noPause : { pauseAtPeriodEnd, resumesAt }) }
}

/** A subscription, with its customer’s record. */
export function presentSubscription(
  row: SubscriptionRow,
  customer: Customer,
  ahead: Ahead,
): Static<typeof Subscription> {
  const { currency, cancellation } = row
  const { pendingPlan, pauseAtPeriodEnd, resumesAt } = pendingOf(row)
  return {
    subscription_id: row.id,
    status: row.status,
    customer: presentNamedCustomer(customer),
    line_items: row.lineItems,
    amount: format(row.amount, currency),
    currency,
    credit: format(ahead.credit, currency),
    recurring: {
      interval: row.interval,
      interval_count: row.intervalCount,
      trial_days: row.trialDays,
      collection: row.collection,
      subscription_id: row.id,
      next_charge_at: isoOrNull(nextChargeAt(row, ahead)),
    },
    collection: row.collection,
    current_period_start: iso(row.currentPeriodStart),
    current_period_end: iso(row.currentPeriodEnd),
    trial_start: isoOrNull(row.trialStart),
    trial_end: isoOrNull(row.trialEnd),
    cancel_at_period_end: row.cancelAtPeriodEnd,
    pause_at_period_end: pauseAtPeriodEnd,
    paid_ahead_until: isoOrNull(ahead.paidUntil),
    resumes_at: isoOrNull(resumesAt),
    canceled_at: isoOrNull(row.canceledAt),
    ended_at: isoOrNull(row.endedAt),
    cancellation: cancellation && { reason: cancellation.reason, comment: cancellation.comment, by: cancellation.by },
    past_due_at: isoOrNull(row.pastDueAt),
    next_payment_attempt_at: isoOrNull(row.nextPaymentAttemptAt),
    attempt_count: row.attemptCount,
    payment_method: row.corridor && checkoutMethodOf(row.corridor),
    payment_method_id: row.paymentMethodId,
    pending_update: pendingPlan && {
      line_items: pendingPlan.lineItems,
      amount: format(pendingPlan.amount, currency),
      interval: pendingPlan.interval,
      interval_count: pendingPlan.intervalCount,
      effective_at: iso(row.currentPeriodEnd),
    },
    latest_invoice_id: row.latestInvoiceId,
    checkout_id: row.checkoutId,
    metadata: row.metadata,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }
}

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
    credit: '0.00',
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
    paid_ahead_until: null,
    resumes_at: null,
    canceled_at: null,
    ended_at: null,
    cancellation: null,
    past_due_at: null,
    next_payment_attempt_at: null,
    attempt_count: 0,
    payment_method: 'CARD',
    payment_method_id: newId('pm', at),
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
