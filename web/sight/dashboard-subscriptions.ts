import type { Static } from 'typebox'
import { isZero } from '../../domain/money.ts'
import { type SubscriptionStatus, subscriptionStatuses } from '../../domain/subscription/subscription.ts'
import type { Subscription } from '../../schemas/subscription/subscription.ts'
import type { Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import type { Fact } from './dashboard-lists.ts'
import { addResourceFolder, also } from './dashboard-resources.ts'
import { wordIn } from './list-filter.ts'
import { isolated } from '../isolated.ts'

type Shown = Static<typeof Subscription>

export const subscriptionsLink = { path: '/subscriptions', words: 'Subscriptions' }

const statuses: Record<SubscriptionStatus, string> = {
  trialing: 'In a trial',
  active: 'Active',
  past_due: 'Past due',
  paused: 'Paused',
  canceled: 'Canceled',
}

/** `/dashboard/subscriptions`: the organization's subscriptions, and each with its timeline. */
export function addSubscriptionPages(site: Site): void {
  addResourceFolder<Shown>(site, {
    link: subscriptionsLink,
    one: 'Subscription',
    collection: '/v1/subscriptions',
    templates: { list: 'dashboard/subscriptions', one: 'dashboard/billed' },
    statuses,
    filtersIn: (ctx) => ({ status: wordIn(ctx, 'status', subscriptionStatuses) }),
    idOf: (row) => row.subscription_id,
    itemOf: shownRow,
    factsOf: (row) => subscriptionFacts(row, site.home),
    more: () => also({ lines: null }),
  })
}

export const shownRow = (row: Shown) => ({
  title: `${customerOf(row)}: ${planOf(row)}`,
  status: statuses[row.status],
  isLate: row.status === 'past_due',
  isActive: row.status === 'active' || row.status === 'trialing',
  price: priceOf(row),
  next: timeOf(row.recurring.next_charge_at),
  began: timeOf(row.created_at),
})

const customerOf = ({ customer }: Shown): string => customer.name ?? customer.email ?? customer.id

const planOf = ({ line_items }: Shown): string =>
  line_items
    .map(({ product_name: name, quantity }) =>
      quantity === 1 && line_items.length === 1 ? name : lineOf(quantity, isolated(name)),
    )
    .join(', ')

const lineOf = (quantity: number, name: string): string => (quantity === 1 ? name : `${quantity} × ${name}`)

function priceOf({ amount, currency, recurring: { interval, interval_count: count } }: Shown): string {
  return `${money(amount, currency)} ${count === 1 ? `each ${interval}` : `every ${count} ${interval}s`}`
}

/** What a subscription is, in the order of the question: who, what, how it stands, what comes next. */
function subscriptionFacts(row: Shown, home: string): Fact[] {
  const { cancellation, pending_update: pending } = row
  const isPausing = row.status === 'paused' || row.pause_at_period_end // the plan then changes once it goes on
  const until = row.paid_ahead_until ?? row.current_period_end // an end and a pause wait for what is paid
  const invoices = `${home}/invoices?${new URLSearchParams({ subscription_id: row.subscription_id })}`
  return [
    ['Id', row.subscription_id],
    ['Status', statuses[row.status]],
    ['Customer', row.customer.email ?? row.customer.id],
    ['Price', priceOf(row)],
    ['Paid by', row.collection === 'automatic' ? 'A saved card' : 'Invoices that the customer pays'],
    ['Current period began', timeOf(row.current_period_start)],
    ['Current period ends', timeOf(row.current_period_end)],
    ['Trial ends', row.status === 'trialing' ? timeOf(row.trial_end) : null],
    ['Next charge', timeOf(row.recurring.next_charge_at)],
    ['Failed attempts', row.attempt_count > 0 ? String(row.attempt_count) : null],
    ['Credit for its invoices', isZero(row.credit) ? null : money(row.credit, row.currency)],
    ['Changes then to', pending && money(pending.amount, row.currency)],
    ['Changes on', pending && !isPausing ? timeOf(pending.effective_at) : null],
    ['Paid ahead until', timeOf(row.paid_ahead_until)],
    ['Ends', row.cancel_at_period_end ? timeOf(until) : null],
    ['Pauses', row.pause_at_period_end ? timeOf(until) : null],
    ['Resumes', timeOf(row.resumes_at)],
    ['Ended', timeOf(row.ended_at)],
    ['Ended by', cancellation && row.ended_at ? enders[cancellation.by] : null],
    ['Reason', cancellation?.reason ?? null],
    ['Invoices', 'Show its invoices', invoices],
  ]
}

const enders = { merchant: 'Your organization', customer: 'The customer', service: 'Its payments failed' }
