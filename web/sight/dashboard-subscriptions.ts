import type { Context } from 'koa'
import type { Static } from 'typebox'
import { isOneOf } from '../../domain/narrow.ts'
import { type SubscriptionStatus, subscriptionStatuses } from '../../domain/subscription/subscription.ts'
import type { Subscription } from '../../schemas/subscription/subscription.ts'
import type { Timeline } from '../../schemas/sight/timeline.ts'
import { shownTimeline } from './timeline.ts'
import { pageOf, type Site } from '../site.ts'
import { moment, money } from '../words.ts'
import {
  factsOf,
  type Fact,
  idIn,
  type Listed,
  pagesOf,
  queryOf,
  showUnlisted,
  showUnread,
  timeOf,
} from './dashboard-lists.ts'

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
  const { home, sessions, now, read, show } = site
  const folder = `${home}${subscriptionsLink.path}`

  read(subscriptionsLink.path, async (ctx) => {
    const status = statusIn(ctx)
    const answer = await sessions.call<Listed<Shown>>(ctx, 'GET', `/v1/subscriptions?${queryOf(ctx, { status })}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const items = answer.body.items.map((row) => ({ ...shownRow(row), link: `${folder}/${row.subscription_id}` }))
    const pages = pagesOf(folder, answer.body.pagination, { status })
    const data = { isSignedIn: true, at: subscriptionsLink.path, items, status, statuses, pages, folder }
    show(ctx, pageOf('dashboard/subscriptions', 'Subscriptions', data))
  })

  read(`${subscriptionsLink.path}/:id`, async (ctx) => {
    const path = `/v1/subscriptions/${idIn(ctx)}`
    const answer = await sessions.call<Shown>(ctx, 'GET', path)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const timeline = await sessions.call<Static<typeof Timeline>>(ctx, 'GET', `${path}/timeline`)
    if (!timeline.ok) return showUnread(site, ctx, timeline.refused)
    const row = answer.body
    const { title } = shownRow(row)
    const data = {
      isSignedIn: true,
      at: subscriptionsLink.path,
      heading: title,
      back: { link: folder, words: 'All subscriptions' },
      facts: factsOf(subscriptionFacts(row, home)),
      lines: null,
      timeline: shownTimeline(timeline.body, { home, now: await now(), isForStaff: false }),
    }
    show(ctx, pageOf('dashboard/billed', 'Subscription', data))
  })
}

function statusIn({ query }: Context): SubscriptionStatus | '' {
  const { status } = query
  return typeof status === 'string' && isOneOf(subscriptionStatuses, status) ? status : ''
}

const shownRow = (row: Shown) => ({
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
  line_items.map(({ product_name: name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ')

function priceOf({ amount, currency, recurring: { interval, interval_count: count } }: Shown): string {
  return `${money(amount, currency)} ${count === 1 ? `each ${interval}` : `every ${count} ${interval}s`}`
}

/** What a subscription is, in the order of the question: who, what, how it stands, what comes next. */
function subscriptionFacts(row: Shown, home: string): Fact[] {
  const { cancellation, pending_update: pending } = row
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
    ['Changes then to', pending && `${money(pending.amount, row.currency)}, ${moment(pending.effective_at)}`],
    ['Ends', row.cancel_at_period_end ? timeOf(row.current_period_end) : null],
    ['Pauses', row.pause_at_period_end ? timeOf(row.current_period_end) : null],
    ['Resumes', timeOf(row.resumes_at)],
    ['Ended', timeOf(row.ended_at)],
    ['Ended by', cancellation && row.ended_at ? enders[cancellation.by] : null],
    ['Reason', cancellation?.reason ?? null],
    ['Invoices', 'Show its invoices', invoices],
  ]
}

const enders = { merchant: 'Your organization', customer: 'The customer', service: 'Its payments failed' }
