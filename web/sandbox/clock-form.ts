import type { Static } from 'typebox'
import type { ShownResource } from '../../domain/sight/agenda.ts'
import type { Happening as HappeningShape } from '../../schemas/sandbox/test-clock.ts'
import { actorName, kindName, stepName } from '../sight/timeline-words.ts'
import { plainWord, timeOf } from '../words.ts'

export type Happening = Static<typeof HappeningShape>

/** By how much a clock can be advanced. */
export const durations: Record<string, string> = {
  PT1H: '1 hour',
  P1D: '1 day',
  P3D: '3 days',
  P1W: '1 week',
  P1M: '1 month',
  P1Y: '1 year',
}

/** What can be attached to a clock, by the field of the API. */
export const memberNames: Record<string, string> = {
  checkout_id: 'Checkout sessions',
  customer_id: 'Customers, with all that is theirs',
  subscription_id: 'Subscriptions',
  invoice_id: 'Invoices',
  payment_id: 'Payments',
  refund_id: 'Refunds',
  dispute_id: 'Disputes',
  payout_id: 'Payouts',
  destination_id: 'Payout destinations',
  endpoint_id: 'Webhook endpoints',
  delivery_id: 'Webhook deliveries',
  account_id: 'A whole account, yours or a connected one',
}

/** A moment as a browser sends it, in UTC; another text is left as it is, and the API refuses it. */
export function momentIn(text: string): string {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/.exec(text)
  return found ? `${found[1]}${found[2] ?? ':00'}Z` : text
}

export const advanceBody = ({ by, to }: { by: string; to: string }): object => (by ? { by } : { to: momentIn(to) })

/** The ids may stand in any order, one a line or with commas between them. */
export function attachBody({ kind, ids }: { kind: string; ids: string }): object {
  const key = Object.hasOwn(memberNames, kind) ? kind : 'checkout_id'
  return { [key]: ids.split(/[\s,;]+/).filter(Boolean) }
}

/** What the id of a resource begins with. Payments and payouts share theirs, so that nothing is said of it. */
const kinds: Record<string, ShownResource> = {
  chk: 'checkout_session',
  ref: 'refund',
  cnv: 'conversion',
  sub: 'subscription',
  inv: 'invoice',
  dsp: 'dispute',
  dlv: 'webhook_delivery',
  we: 'webhook_endpoint',
  pd: 'payout_destination',
  acct: 'account',
}

/** Something that an advance has caused, as the table shows it. */
export function shownHappening({ at, resource_id: id, step, actor, last_error: error }: Happening, home: string) {
  const kind = kinds[id.split('_')[0] ?? '']
  return {
    title: id,
    link: `${home}/timelines/${encodeURIComponent(id)}`,
    kind: kind ? kindName(kind) : '',
    step: kind ? stepName(kind, step) : plainWord(step),
    by: actorName(actor, false),
    error,
    at: timeOf(at),
  }
}
