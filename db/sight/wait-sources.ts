import { expiryGraceMs } from '../../domain/checkout/checkout.ts'
import { dayMs, hourMs } from '../../domain/duration.ts'
import { stuckAfterMs } from '../../domain/payout/payout.ts'
import type { ReviewType } from '../../domain/review.ts'
import type { AgendaResource, WaitingOn } from '../../domain/sight/agenda.ts'
import type { SubscriptionStep } from '../../domain/subscription/next-step.ts'
import { disableAfterMailMs, disableAfterMs, warnAfterMs } from '../../domain/webhook/endpoint.ts'
import { paymentWakesAt } from '../checkout/payment.ts'
import { reviewWakesAt } from '../review/review.ts'

// What waits, as queries of the rows that wait.

/**
 * `rows` selects the rows of one kind that wait: `id`, `account_id`, `environment`, `clock_id`, `reason`, `since`,
 * `wakes_at`, `expected_by`. Each `?` is the moment of the question, by the row's own time. An index of the table has
 * the account, the environment and the expression of `wakes_at`, so that the next waits of an account are one index
 * read.
 */
export type WaitSource = {
  resource: AgendaResource
  waitingOn: WaitingOn
  rows: string
  /** Nobody knows when the one awaited answers: staff want to see the wait once it has become long. */
  isForAnswer?: boolean
  /** How long the one awaited may take before somebody has to be woken, in milliseconds. If left out, an hour. */
  usualMs?: number
}

/** Networks decide disputes in weeks or months, and nobody can hurry them. */
const never = Infinity

const interval = (ms: number) => `interval '${ms / hourMs} hours'`

const atRail = (table: string, condition: string, { since = 'created_at', expectedBy = 'null::timestamptz' } = {}) => `
  select id, account_id, environment, clock_id, 'rail_poll' as reason, ${since} as since,
    coalesce(next_poll_at, created_at) as wakes_at, ${expectedBy} as expected_by
  from ${table} where on_hold_since is null and ${condition}`

/**
 * What has ended, while its rail has announced news, such as money that came back, and could not be asked yet. When it
 * is asked depends on when it is back.
 */
const withNews = (resource: AgendaResource, table: string, ended: string): WaitSource => ({
  resource,
  waitingOn: 'rail',
  isForAnswer: true,
  rows: `select id, account_id, environment, clock_id, 'rail_poll' as reason, news_due_at as since,
    null::timestamptz as wakes_at, null::timestamptz as expected_by from ${table}
    where news_due_at is not null and ${ended}`,
})

const newsSources: WaitSource[] = [
  withNews('payment', 'payments', "status = 'succeeded' and news_due_at <= ?"),
  withNews('refund', 'refunds', "status in ('succeeded', 'failed')"),
  withNews('payout', 'payouts', "status in ('completed', 'failed')"),
  withNews('dispute', 'disputes', "status in ('prevented', 'won', 'lost')"),
]

/** What staff have stopped: it waits until they release it. */
const onHold = (table: string) => `
  select id, account_id, environment, clock_id, 'release' as reason, on_hold_since as since,
    null::timestamptz as wakes_at, null::timestamptz as expected_by from ${table} where on_hold_since is not null`

const inReview = (type: ReviewType, table: string) => `
  select resource_id as id, account_id, environment,
    (select clock_id from ${table} m where m.id = resource_id) as clock_id,
    case when reminded_at is not null then 'review_escalation'
      when decides_at is not null then 'automatic_decision' else 'review_reminder' end as reason,
    created_at as since, ${reviewWakesAt} as wakes_at, coalesce(decides_at, escalates_at) as expected_by
  from reviews where state = 'open' and type = '${type}'`

const switchOffAt = `greatest(failing_since + ${interval(disableAfterMs)}, warned_at + ${interval(disableAfterMailMs)})`

const heldSources: WaitSource[] = [
  { resource: 'refund', waitingOn: 'operator', isForAnswer: true, usualMs: dayMs, rows: onHold('refunds') },
  { resource: 'conversion', waitingOn: 'operator', isForAnswer: true, usualMs: dayMs, rows: onHold('conversions') },
  { resource: 'payout', waitingOn: 'operator', isForAnswer: true, usualMs: dayMs, rows: onHold('payouts') },
  { resource: 'webhook_delivery', waitingOn: 'operator', isForAnswer: true, rows: onHold('deliveries') },
]

/** What a subscription does next by itself; `wakesFor` are the steps for which it waits for the same one. */
const steppingTo = (...wakesFor: SubscriptionStep[]): string => `
  select id, account_id, environment, clock_id, wakes_for as reason, updated_at as since, wakes_at,
    wakes_at as expected_by
  from subscriptions where status <> 'canceled' and wakes_for in (${wakesFor.map((step) => `'${step}'`).join(', ')})`

const subscriptionSources: WaitSource[] = [
  {
    resource: 'subscription',
    waitingOn: 'next_period',
    rows: steppingTo('trial_reminder', 'period_end', 'invoice_opening'),
  },
  { resource: 'subscription', waitingOn: 'buyer', rows: steppingTo('payment_attempt', 'dunning_end') },
  { resource: 'subscription', waitingOn: 'merchant', rows: steppingTo('resumption') },
  // Paused without an end.
  {
    resource: 'subscription',
    waitingOn: 'merchant',
    rows: `select id, account_id, environment, clock_id, 'resumption' as reason, updated_at as since,
      null::timestamptz as wakes_at, null::timestamptz as expected_by
      from subscriptions where status = 'paused' and wakes_at is null`,
  },
  {
    resource: 'subscription',
    waitingOn: 'rail',
    isForAnswer: true,
    rows: `select id, account_id, environment, clock_id, 'charge' as reason, charge_due_at as since,
      charge_due_at as wakes_at, null::timestamptz as expected_by
      from subscriptions where charge_due_at is not null and payment_id is null`,
  },
]

const disputeSources: WaitSource[] = [
  {
    resource: 'dispute',
    waitingOn: 'merchant',
    rows: `select id, account_id, environment, clock_id, wakes_for as reason, created_at as since, wakes_at,
      evidence_due_at as expected_by from disputes where status = 'needs_response'`,
  },
  {
    resource: 'dispute',
    waitingOn: 'merchant',
    rows: `select id, account_id, environment, clock_id, 'warning_end' as reason, created_at as since,
      next_poll_at as wakes_at, warns_until as expected_by from disputes where status = 'early_warning'`,
  },
  {
    resource: 'dispute',
    waitingOn: 'rail',
    isForAnswer: true,
    usualMs: never,
    // Evidence that the network has received elsewhere was not submitted here.
    rows: `select id, account_id, environment, clock_id, 'rail_poll' as reason,
      coalesce(submitted_at, updated_at) as since, next_poll_at as wakes_at, null::timestamptz as expected_by
      from disputes where status = 'under_review' and rail_due is null`,
  },
  // The network still has to be told what the merchant has answered.
  {
    resource: 'dispute',
    waitingOn: 'rail',
    isForAnswer: true,
    rows: `select id, account_id, environment, clock_id, 'network_notice' as reason, updated_at as since,
      updated_at as wakes_at, null::timestamptz as expected_by from disputes where rail_due is not null`,
  },
]

export const waitSources: readonly WaitSource[] = [
  {
    resource: 'checkout_session',
    waitingOn: 'buyer',
    rows: `select id, account_id, environment, clock_id,
      'expiry' as reason, created_at as since, expires_at as wakes_at,
      expires_at as expected_by from checkouts where status = 'open' and payment_status <> 'processing'`,
  },
  // A session does not expire while a rail processes its payment, up to a limit.
  {
    resource: 'checkout_session',
    waitingOn: 'rail',
    rows: `select c.id, c.account_id, c.environment, c.clock_id, 'expiry' as reason, a.created_at as since,
      c.expires_at + ${interval(expiryGraceMs)} as wakes_at, c.expires_at + ${interval(expiryGraceMs)} as expected_by
      from (select checkout_id, created_at from payments where status = 'processing'
        union all select checkout_id, created_at from card_setups where status = 'processing') a
      join checkouts c on c.id = a.checkout_id where c.status = 'open' and c.payment_status = 'processing'`,
  },
  {
    resource: 'checkout_session',
    waitingOn: 'late_money',
    rows: `select id, account_id, environment, clock_id,
      'late_money_end' as reason, updated_at as since,
      listens_until as wakes_at, listens_until as expected_by from checkouts where listens_until > ?`,
  },
  {
    resource: 'checkout_session',
    waitingOn: 'rail',
    isForAnswer: true,
    rows: `select checkout_id as id, account_id, environment, clock_id, 'rail_poll' as reason, created_at as since,
      coalesce(next_poll_at, created_at) as wakes_at, null::timestamptz as expected_by
      from card_setups where status = 'processing'`,
  },
  {
    resource: 'payment',
    waitingOn: 'rail',
    isForAnswer: true,
    rows: `select id, account_id, environment, clock_id,
      'rail_poll' as reason, created_at as since,
      ${paymentWakesAt} as wakes_at, null::timestamptz as expected_by from payments where status = 'processing'`,
  },
  // The rail has announced news about an attempt that it does not process now, such as the rest of its money.
  {
    resource: 'payment',
    waitingOn: 'rail',
    rows: `select id, account_id, environment, clock_id,
      'rail_poll' as reason, updated_at as since, news_due_at as wakes_at,
      news_due_at as expected_by from payments where news_due_at is not null and status <> 'processing'
        and (status <> 'succeeded' or news_due_at > ?)`,
  },
  {
    resource: 'payment',
    waitingOn: 'rail',
    rows: `select id, account_id, environment, clock_id,
      'rail_cancellation' as reason, updated_at as since,
      updated_at as wakes_at, null::timestamptz as expected_by
      from payments where cancelling = 'due' and checkout_id is not null`,
  },
  {
    resource: 'refund',
    waitingOn: 'rail',
    isForAnswer: true,
    usualMs: 14 * dayMs, // providers say up to ten working days
    rows: atRail('refunds', "status in ('pending', 'processing')"),
  },
  {
    resource: 'conversion',
    waitingOn: 'rail',
    isForAnswer: true,
    rows: atRail('conversions', "status in ('pending', 'processing')"),
  },
  {
    resource: 'payout',
    waitingOn: 'rail',
    isForAnswer: true,
    rows: atRail('payouts', "status in ('requested', 'approved', 'processing')", {
      since: 'coalesce(submitted_at, updated_at)',
      expectedBy: `submitted_at + ${interval(stuckAfterMs)}`,
    }),
  },
  ...newsSources,
  ...heldSources,
  ...subscriptionSources,
  ...disputeSources,
  { resource: 'payout', waitingOn: 'reviewer', rows: inReview('payout', 'payouts') },
  {
    resource: 'payout_destination',
    waitingOn: 'reviewer',
    rows: inReview('payout_destination', 'payout_destinations'),
  },
  { resource: 'account', waitingOn: 'reviewer', rows: inReview('account', 'account_profiles') },
  {
    resource: 'account',
    waitingOn: 'information',
    rows: `select id, account_id, environment, clock_id, wakes_for as reason, updated_at as since, wakes_at,
      wakes_at as expected_by from account_profiles where wakes_at is not null`,
  },
  {
    resource: 'payout_schedule',
    waitingOn: 'next_run',
    rows: `select id, account_id, environment, clock_id,
      'schedule_run' as reason, coalesce(last_run_at, created_at) as since,
      next_run_at as wakes_at, next_run_at as expected_by from payout_schedules where next_run_at is not null`,
  },
  {
    resource: 'webhook_delivery',
    waitingOn: 'receiver',
    rows: `select id, account_id, environment, clock_id,
      'webhook_attempt' as reason, created_at as since,
      next_attempt_at as wakes_at, null::timestamptz as expected_by from deliveries
      where on_hold_since is null and status = 'pending'`,
  },
  {
    resource: 'webhook_endpoint',
    waitingOn: 'receiver',
    rows: `select id, account_id, environment, clock_id,
      case when warned_at is null then 'endpoint_warning' else 'endpoint_switch_off' end as reason,
      failing_since as since,
      case when warned_at is null then failing_since + ${interval(warnAfterMs)} else ${switchOffAt} end as wakes_at,
      ${switchOffAt} as expected_by from webhook_endpoints where enabled and failing_since is not null`,
  },
]
