import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { StuckResource, WakeReason } from '../../domain/sight/agenda.ts'
import type { Stuck } from '../../schemas/sight/stuck.ts'
import type { Lists } from './queue.ts'
import { failedWord, settledWord, waitWords } from '../sight/timeline-words.ts'
import { payeeOf } from './holder.ts'
import { pageOfResource } from './page.ts'
import { endingIn, spanWords } from './words.ts'
import { pageOf, type Site } from '../site.ts'
import { money, timeOf } from '../words.ts'

/** An answer of `GET /api/v1/admin/stuck`, as far as the page shows it. */
type StuckPage = { total: number; items: Item[] }
type Item = Static<typeof Stuck>

/** Each kind, as one and as many. */
const kinds: Record<StuckResource, [one: string, many: string]> = {
  payout: ['Payout', 'Payouts'],
  payment: ['Payment', 'Payments'],
  refund: ['Refund', 'Refunds'],
  conversion: ['Conversion', 'Conversions'],
  deposit: ['Deposit', 'Deposits'],
  checkout_session: ['Checkout session', 'Checkout sessions'],
  payout_destination: ['Payout destination', 'Payout destinations'],
  payout_schedule: ['Payout schedule', 'Payout schedules'],
  account: ['Account', 'Accounts'],
  webhook_delivery: ['Webhook delivery', 'Webhook deliveries'],
  webhook_endpoint: ['Webhook endpoint', 'Webhook endpoints'],
  subscription: ['Subscription', 'Subscriptions'],
  dispute: ['Dispute', 'Disputes'],
}

/** What should have happened. */
const dues: Record<WakeReason, string> = {
  expiry: 'End of the session',
  late_money_end: 'End of late payments',
  rail_poll: 'Question to the provider',
  rail_cancellation: 'Cancellation at the provider',
  automatic_decision: 'Automatic decision',
  review_reminder: 'Mail to the reviewers',
  review_escalation: 'Mail to the lead reviewers',
  schedule_run: 'Scheduled payout',
  webhook_attempt: 'Attempt to deliver',
  endpoint_warning: 'Mail to the endpoint’s owner',
  endpoint_switch_off: 'End of deliveries to the endpoint',
  maturity: 'Release of pending money',
  requirements_due: 'Notice of what is due',
  deadline_warning: 'Mail about a deadline',
  deadline: 'Deadline for information',
  release: 'Release by staff',
  trial_reminder: 'Notice of the end of the trial',
  period_end: 'End of the period',
  dunning_end: 'End of a subscription that was not paid',
  invoice_opening: 'Next invoice',
  payment_attempt: 'Next charge of the card',
  resumption: 'Resumption',
  charge: 'Charge of the card',
  evidence_due_soon: 'Notice that 48 hours are left for evidence',
  evidence_deadline: 'End of the time for evidence',
  warning_end: 'End of the warning of a dispute',
  network_notice: 'Answer to the card network',
}

const perPage = 50

/** `/ops/stuck`: whatever is overdue, or its rail has not confirmed for over an hour, the longest wait first. */
export function addStuckPage({ home, sessions, read, show, showRefused }: Site, lists: Lists): void {
  read('/stuck', async (ctx) => {
    const { offset, ...filter } = filterIn(ctx)
    const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
    const query = new URLSearchParams({ limit: `${perPage}`, offset: `${offset}`, ...set })
    const answer = await sessions.call<StuckPage>(ctx, 'GET', `/api/v1/admin/stuck?${query}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { total, items } = answer.body
    const pageAt = (from: number) => `${home}/stuck?${new URLSearchParams({ ...set, offset: `${from}` })}`
    const pages = {
      previous: offset > 0 ? pageAt(Math.max(0, offset - perPage)) : null,
      next: offset + perPage < total ? pageAt(offset + perPage) : null,
    }
    const shown = items.map((item) => shownItem(home, item))
    const data = { isSignedIn: true, at: '/stuck', items: shown, total, ...filter, kinds, pages, lists }
    show(ctx, pageOf('ops/stuck', 'Overdue', data))
  })
}

const environments = ['sandbox', 'live']

function filterIn({ query }: Context): { resource: string; environment: string; offset: number } {
  const { resource, environment, offset } = query
  return {
    resource: typeof resource === 'string' && Object.hasOwn(kinds, resource) ? resource : '',
    environment: typeof environment === 'string' && environments.includes(environment) ? environment : '',
    offset: /^\d{1,8}$/.test(String(offset)) ? Number(offset) : 0,
  }
}

/** How an item stands, and what it has been since the moment that is shown. */
function stateWords({ waiting_on: on, overdue_ms: overdueMs }: Item) {
  if (on === 'operator') return { state: 'On hold', sinceWhat: 'On hold' }
  return {
    state: overdueMs === null ? 'No answer' : 'Overdue',
    sinceWhat: on === 'rail' ? 'With the provider' : 'Waiting',
  }
}

function shownItem(home: string, item: Item) {
  const { resource, id, reason, waiting_on: on, overdue_ms: overdueMs, amount, currency, destination } = item
  const isOnHold = on === 'operator'
  const waitsFor = waitWords(on, reason, true).title.replace(/^Waiting for /, '')
  const sum = amount !== null && currency !== null ? money(amount, currency) : ''
  return {
    ...item,
    isOnHold,
    ...stateWords(item),
    waitsFor: waitsFor.charAt(0).toUpperCase() + waitsFor.slice(1),
    settled: settledWord(resource),
    failed: failedWord(resource),
    kind: kinds[resource][0],
    // The rest of the link's name, which tells the rows apart where the other columns are not seen.
    title: sum ? ` of ${sum}` : ` ${destination ? destination.name : id}`,
    sum,
    link: pageOfResource(home, resource, id),
    due: overdueMs === null ? null : dues[reason],
    overdueFor: overdueMs === null ? null : spanWords(overdueMs),
    dueAt: timeOf(item.wakes_at),
    since: timeOf(item.since),
    ending: endingIn(destination?.last_four ?? null),
    ...(destination ? payeeOf(destination, destination.name) : { payee: null }),
  }
}
