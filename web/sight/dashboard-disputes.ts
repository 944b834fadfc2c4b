import type { Context } from 'koa'
import type { Static } from 'typebox'
import { type DisputeStatus, disputeStatuses } from '../../domain/dispute/dispute.ts'
import type { Checkout } from '../../schemas/checkout/checkout.ts'
import type { Payment } from '../../schemas/checkout/payment.ts'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import { mayDo } from './board-form.ts'
import { type Listed, queryOf } from './dashboard-lists.ts'
import { addResourceFolder, type Shown } from './dashboard-resources.ts'
import { addDisputeForms, disputeNotice } from './dispute-forms.ts'
import { wordIn } from './list-filter.ts'
import {
  disputeFacts,
  disputePage,
  type Documents,
  dueOf,
  isWaiting,
  type ListedDispute,
  type ShownDispute,
  shownItem,
  waitingStatuses,
} from './dispute-page.ts'
import { disputeStatusNames } from './dispute-words.ts'

export const disputesLink = { path: '/disputes', words: 'Disputes' }

/** Of what waits, the page without a filter shows so many of each status. */
const waitingMax = 100

/**
 * `/dashboard/disputes`: what waits for an answer, the earliest deadline first, and all others by status. Each has its
 * page, on which the evidence is written and submitted.
 */
export function addDisputePages(site: Site): void {
  const { home, sessions } = site
  const folder = `${home}${disputesLink.path}`

  /** What waits for the merchant, whatever its status, by what is due first. */
  async function listWaiting(ctx: Context): Promise<Answer<Listed<ListedDispute>>> {
    const read = (status: DisputeStatus) =>
      sessions.call<Listed<ListedDispute> & { pagination: { has_more: boolean } }>(
        ctx,
        'GET',
        `/v1/disputes?${new URLSearchParams({ status, order: 'due', limit: String(waitingMax) })}`,
      )
    const answers = await Promise.all(waitingStatuses.map(read))
    const refused = answers.find((answer) => !answer.ok)
    if (refused) return refused
    const lists = answers.flatMap((answer) => (answer.ok ? answer.body : []))
    const items = lists.flatMap((each) => each.items).toSorted((one, other) => dueOf(one).localeCompare(dueOf(other)))
    const isCut = lists.some(({ pagination }) => pagination.has_more)
    const note = isCut ? `There are more than ${waitingMax}. Choose a status to see all of them.` : null
    return { ok: true, body: { items, note, pagination: { next_cursor: null, prev_cursor: null } } }
  }

  function list(ctx: Context, { status }: { status: string }): Promise<Answer<Listed<ListedDispute>>> {
    if (status === '') return listWaiting(ctx)
    const filters = { ...(status !== 'all' && { status }), ...(isWaiting(status) && { order: 'due' }) }
    return sessions.call(ctx, 'GET', `/v1/disputes?${queryOf(ctx, filters)}`)
  }

  /** What the page of a dispute shows beside its facts: what was sold, what may be done, the evidence. */
  async function more(ctx: Context, row: ShownDispute, shown: Shown, now: number): Promise<Answer<object>> {
    const [payment, documents] = await Promise.all([
      sessions.call<Static<typeof Payment>>(ctx, 'GET', `/v1/payments/${row.payment_id}`),
      sessions.call<Documents>(ctx, 'GET', `/v1/disputes/${row.dispute_id}/documents`),
    ])
    if (!payment.ok) return payment
    if (!documents.ok) return documents
    const sold = await readSold(ctx, payment.body)
    if (!sold.ok) return sold
    const about = {
      payment: payment.body,
      description: sold.body.description,
      documents: documents.body.items,
      mayAnswer: mayDo(site, ctx, 'disputes:write'),
      path: `${folder}/${row.dispute_id}`,
    }
    return { ok: true, body: { ...disputePage(row, about, shown, now), notice: disputeNotice(ctx) } }
  }

  /** A payment without products has a description only, or an invoice. */
  async function readSold(
    ctx: Context,
    { checkout_id: id, line_items: lines, invoice }: Static<typeof Payment>,
  ): Promise<Answer<{ description: string | null }>> {
    const hasLines = lines !== null && lines.length > 0
    if (!hasLines && invoice) return { ok: true, body: { description: `Invoice ${invoice.number ?? ''}` } }
    if (id === null || hasLines) return { ok: true, body: { description: null } }
    return sessions.call<Static<typeof Checkout>>(ctx, 'GET', `/v1/checkout-sessions/${id}`)
  }

  const showOne = addResourceFolder<ShownDispute, ListedDispute>(site, {
    link: disputesLink,
    one: 'Dispute',
    collection: '/v1/disputes',
    templates: { list: 'dashboard/disputes', one: 'dashboard/dispute' },
    statuses: { all: 'All', ...disputeStatusNames },
    filtersIn: (ctx) => ({ status: wordIn(ctx, 'status', ['all', ...disputeStatuses]) }),
    list,
    idOf: (row) => row.dispute_id,
    itemOf: shownItem,
    factsOf: (row) => disputeFacts(row, home),
    more,
  })
  addDisputeForms(site, folder, showOne)
}
