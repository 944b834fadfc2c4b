import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { StuckResource, WakeReason } from '../../domain/sight/agenda.ts'
import type { Stuck } from '../../schemas/sight/stuck.ts'
import type { Lists } from './queue.ts'
import { failedWord, settledWord } from '../sight/timeline-words.ts'
import { endingIn, timeOf } from './words.ts'
import { pageOf, type Site } from '../site.ts'
import { money } from '../words.ts'

/** An answer of `GET /api/v1/admin/stuck`, as far as the page shows it. */
type StuckPage = { total: number; items: Item[] }
type Item = Pick<Static<typeof Stuck>, 'resource' | 'id' | 'amount' | 'currency' | 'since'> &
  Pick<Static<typeof Stuck>, 'waiting_on' | 'reason' | 'wakes_at' | 'overdue_ms' | 'destination'>

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

/** The kinds that have a page of their own, and where it is. The others have none. */
const pagesOf: Partial<Record<StuckResource, string>> = {
  payout: 'payouts',
  payout_destination: 'destinations',
  account: 'accounts',
  payment: 'timelines',
  deposit: 'timelines',
  refund: 'timelines',
  conversion: 'timelines',
  checkout_session: 'timelines',
  webhook_delivery: 'timelines',
  subscription: 'timelines',
  dispute: 'disputes',
}

const perPage = 50

/** `/ops/stuck`: whatever is overdue, or its rail has not confirmed for over an hour, the longest wait first. */
export function addStuckPage({ home, sessions, read, show, showRefused }: Site, lists: Lists): void {
  read('/stuck', async (ctx) => {
    const { resource, offset } = filterIn(ctx)
    const query = new URLSearchParams({ limit: `${perPage}`, offset: `${offset}`, ...(resource && { resource }) })
    const answer = await sessions.call<StuckPage>(ctx, 'GET', `/api/v1/admin/stuck?${query}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { total, items } = answer.body
    const pageAt = (from: number) => `${home}/stuck?${new URLSearchParams({ resource, offset: `${from}` })}`
    const pages = {
      previous: offset > 0 ? pageAt(Math.max(0, offset - perPage)) : null,
      next: offset + perPage < total ? pageAt(offset + perPage) : null,
    }
    const shown = items.map((item) => shownItem(home, item))
    show(
      ctx,
      pageOf('ops/stuck', 'Stuck', { isSignedIn: true, at: '/stuck', items: shown, resource, kinds, pages, lists }),
    )
  })
}

function filterIn({ query }: Context): { resource: string; offset: number } {
  const { resource, offset } = query
  return {
    resource: typeof resource === 'string' && Object.hasOwn(kinds, resource) ? resource : '',
    offset: /^\d{1,8}$/.test(String(offset)) ? Number(offset) : 0,
  }
}

const shownItem = (home: string, item: Item) => {
  const page = pagesOf[item.resource]
  const [isOnHold, isOverdue] = [item.waiting_on === 'operator', item.overdue_ms !== null]
  return {
    ...item,
    isOnHold,
    state: isOnHold ? 'On hold' : isOverdue ? 'Overdue' : 'Stuck',
    sinceWhat: isOnHold ? 'On hold' : item.waiting_on === 'rail' ? 'With the provider' : 'Waiting',
    settled: settledWord(item.resource),
    failed: failedWord(item.resource),
    kind: kinds[item.resource][0],
    title: titleOf(item),
    link: page ? `${home}/${page}/${item.id}` : null,
    due: isOverdue ? dues[item.reason] : null,
    dueAt: timeOf(item.wakes_at),
    since: timeOf(item.since),
    ending: endingIn(item.destination?.last_four ?? null),
  }
}

function titleOf({ resource, id, amount, currency, destination }: Item): string {
  const [kind] = kinds[resource]
  if (amount !== null && currency !== null) return `${kind} of ${money(amount, currency)}`
  return `${kind} ${destination ? destination.name : id}`
}
