import { defineEntity, p } from '@mikro-orm/core'
import { intervals } from '../../domain/catalogue/product.ts'
import type { LineItem } from '../../domain/checkout/line-item.ts'
import { subscriptionSteps } from '../../domain/subscription/next-step.ts'
import { collections, type StoredCancellation, subscriptionStatuses } from '../../domain/subscription/subscription.ts'
import { type Funding, noFunding } from '../../domain/subscription/funding.ts'
import type { Withheld } from '../../domain/subscription/returns.ts'
import { corridorKey, currencyCode, moment, money, onClock, tenant } from '../core/columns.ts'

/** A plan that applies from the end of the current period on. */
export type PendingPlan = {
  lineItems: LineItem[]
  amount: string
  interval: (typeof intervals)[number]
  intervalCount: number
}

const schema = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    status: p.enum(subscriptionStatuses),
    customerId: p.string(),
    // The plan: what each period costs, copied when it was sold or changed, so that a new price of the product does not
    // touch it.
    lineItems: p.json<LineItem[]>(),
    amount: money().check("amount >= 0 and amount <> 'NaN'"),
    currency: currencyCode(),
    interval: p.enum(intervals),
    intervalCount: p.smallint().check('interval_count >= 1'),
    trialDays: p.smallint().default(0).check('trial_days >= 0'),
    collection: p.enum(collections),
    // Who bears the fees, as in the checkout that began it.
    feePreference: p.enum(['customer_pays', 'org_pays']),
    // The boundaries of all periods are counted from here.
    anchor: moment(),
    currentPeriodStart: moment(),
    currentPeriodEnd: moment(),
    trialStart: moment().strictNullable(),
    trialEnd: moment().strictNullable(),
    // When the end of the trial is announced; null once it was, and without a trial.
    remindsAt: moment().strictNullable(),
    cancelAtPeriodEnd: p.boolean().default(false),
    pauseAtPeriodEnd: p.boolean().default(false),
    resumesAt: moment().strictNullable(),
    canceledAt: moment().strictNullable(),
    endedAt: moment().strictNullable(),
    cancellation: p.json<StoredCancellation>().strictNullable(),
    pastDueAt: moment().strictNullable(),
    nextPaymentAttemptAt: moment().strictNullable(),
    // When it ends because its card was declined for good; null while the card is tried again.
    dunningEndsAt: moment().strictNullable(),
    attemptCount: p.integer().default(0),
    // How many attempts of the schedule have failed, without those that somebody has asked for; null: all that failed.
    scheduledAttempts: p.integer().nullable(),
    paymentMethodId: p.string().strictNullable(),
    // How its customer has paid last.
    corridor: corridorKey().strictNullable(),
    pendingPlan: p.json<PendingPlan>().strictNullable(),
    // What is paid for the time from `charged_from` to the end of the period, not rounded: a change of plan gives it
    // back.
    chargedAmount: money().default('0').check("charged_amount >= 0 and charged_amount <> 'NaN'"),
    chargedFrom: moment(),
    // What the next invoice deducts.
    credit: money().default('0').check("credit >= 0 and credit <> 'NaN'"),
    // The refunds and disputes that changes of its plan have taken into account, and how much less each was given back
    // because of it. Also, with 0, the paid invoices of periods that never began.
    withheld: p.json<Withheld>().defaultRaw("'{}'").check("jsonb_typeof(withheld) = 'object'"),
    // Which payments have paid the current charge, beside those of its own invoices, and the credit.
    funding: p
      .json<Funding>()
      .defaultRaw(`'${JSON.stringify(noFunding)}'`)
      .check("jsonb_typeof(funding) = 'object'"),
    // The end of the last period for which there is an invoice, or that needs none.
    invoicedUntil: moment(),
    latestInvoiceId: p.string().strictNullable(),
    // Since when its oldest open invoice is to be charged; and the payment that a rail has not decided yet.
    chargeDueAt: moment().strictNullable(),
    paymentId: p.string().strictNullable(),
    checkoutId: p.string().unique('subscriptions_once'),
    metadata: p.json<Record<string, string>>(),
    // What it does next by itself, and when; null: nothing. Computed with every change.
    wakesAt: moment().strictNullable(),
    wakesFor: p.enum(subscriptionSteps).strictNullable(),
    // Counts the changes, so that the process knows the newer of two snapshots.
    revision: p.integer().default(0),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'subscriptions_periods_go_on', expression: 'current_period_end > current_period_start' },
    { name: 'subscriptions_end_once', expression: "(status = 'canceled') = (ended_at is not null)" },
    { name: 'subscriptions_wake_for_something', expression: '(wakes_at is null) = (wakes_for is null)' },
    { name: 'subscriptions_trials_have_both_ends', expression: '(trial_start is null) = (trial_end is null)' },
  ],
  indexes: [
    { name: 'subscriptions_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'subscriptions_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    {
      name: 'subscriptions_by_product',
      expression: 'create index "subscriptions_by_product" on "subscriptions" using gin ("line_items" jsonb_path_ops)',
    },
    { name: 'subscriptions_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    { name: 'subscriptions_by_customer', properties: ['customerId', 'createdAt', 'id'] },
    // An index for each kind of wait: the next ones are read without reading past the others.
    {
      name: 'subscriptions_going_on',
      properties: ['accountId', 'environment', 'wakesAt', 'id'],
      where: "status <> 'canceled' and wakes_for in ('trial_reminder', 'period_end', 'invoice_opening')",
    },
    {
      name: 'subscriptions_in_dunning',
      properties: ['accountId', 'environment', 'wakesAt', 'id'],
      where: "status <> 'canceled' and wakes_for in ('payment_attempt', 'dunning_end')",
    },
    {
      name: 'subscriptions_to_resume',
      properties: ['accountId', 'environment', 'wakesAt', 'id'],
      where: "status <> 'canceled' and wakes_for = 'resumption'",
    },
    {
      name: 'subscriptions_charging',
      properties: ['accountId', 'environment', 'chargeDueAt', 'id'],
      where: 'charge_due_at is not null and payment_id is null',
    },
    { name: 'subscriptions_due', properties: ['wakesAt'], where: "status <> 'canceled' and wakes_at is not null" },
    { name: 'subscriptions_by_method', properties: ['paymentMethodId'], where: 'payment_method_id is not null' },
    {
      name: 'subscriptions_open',
      properties: ['createdAt'],
      where: "status <> 'canceled' or payment_id is not null",
    },
  ],
})
/** What a customer pays again and again, from the checkout that began it to its end. */
export class Subscription extends schema.class {}
schema.setClass(Subscription)

const changeSchema = defineEntity({
  name: 'SubscriptionChange',
  tableName: 'subscription_changes',
  properties: {
    // The id of the call that asks for it, so that a repeated call is the same change.
    id: p.string().primary(),
    subscriptionId: p.string().index('subscription_changes_by_subscription'),
    by: p.enum(['merchant', 'customer']).fieldName('asked_by'),
    // What is asked for. It may hold a customer's own words, so it never travels through the engine.
    what: p.json<Record<string, unknown>>(),
    appliedAt: moment().strictNullable(),
    createdAt: moment(),
  },
  indexes: [{ name: 'subscription_changes_asked', properties: ['createdAt'] }],
})
/** A change of a subscription that somebody asks for. Its process receives only the id. */
export class SubscriptionChange extends changeSchema.class {}
changeSchema.setClass(SubscriptionChange)
