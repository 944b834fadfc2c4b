import type { Context } from 'koa'
import { payoutStatuses } from '../../domain/payout/payout.ts'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { noticeIn } from './board-form.ts'
import { addCsvExport, type CsvColumn } from './csv-export.ts'
import type { Fact, Listed } from './dashboard-lists.ts'
import { addResourceFolder } from './dashboard-resources.ts'
import { textIn, wordIn } from './list-filter.ts'
import { addPayoutForm } from './payout-form.ts'
import {
  payoutStatusNames,
  type ShownDestination,
  type ShownPayout,
  stateOfPayout,
  titleOfDestination,
} from './payout-words.ts'

export const payoutsLink = { path: '/payouts', words: 'Payouts' }

const perPage = 25

/** A payout of the list, with the name of its destination where the destination is still in use. */
type ListedPayout = ShownPayout & { destinationName?: string | null }

/** `/dashboard/payouts`: the payouts with a filter and an export, each with its timeline, and a form for a new one. */
export function addPayoutPages(site: Site): void {
  const { home, sessions } = site
  const folder = `${home}${payoutsLink.path}`

  /** The API counts payouts and has no cursor for them, so the place in the address is a number. */
  async function list(ctx: Context, { status }: { status: string }): Promise<Answer<Listed<ListedPayout>>> {
    const place = textIn(ctx, 'cursor')
    const asked = { limit: String(perPage), ...(place && { offset: place }), ...(status && { status }) }
    const [payouts, destinations] = await Promise.all([
      sessions.call<{ total: number; items: ShownPayout[] }>(ctx, 'GET', `/v1/payouts?${new URLSearchParams(asked)}`),
      sessions.call<Listed<ShownDestination>>(ctx, 'GET', '/v1/payouts/destinations?limit=100'),
    ])
    if (!payouts.ok) return payouts
    if (!destinations.ok) return destinations
    const { items, total } = payouts.body
    const names = new Map(destinations.body.items.map((row) => [row.id, row.name]))
    const begin = Number(place)
    return {
      ok: true,
      body: {
        items: items.map((row) => ({ ...row, destinationName: names.get(row.destination) ?? null })),
        pagination: {
          next_cursor: begin + perPage < total ? String(begin + perPage) : null,
          prev_cursor: begin > 0 ? String(Math.max(0, begin - perPage)) : null,
        },
      },
    }
  }

  async function more(ctx: Context, row: ShownPayout): Promise<Answer<object>> {
    const destination = await sessions.call<ShownDestination>(
      ctx,
      'GET',
      `/v1/payouts/destinations/${encodeURIComponent(row.destination)}`,
    )
    if (!destination.ok) return destination
    const { body: to } = destination
    return {
      ok: true,
      body: {
        state: stateOfPayout(row),
        heldFor: row.status === 'pending' ? row.hold_reason : null,
        to: { words: titleOfDestination(to), link: `${home}/destinations/${to.id}`, holder: to.account_name },
        notice: noticeIn(ctx, { sent: 'The payout is accepted. Its timeline says how it goes on.' }),
      },
    }
  }

  addPayoutForm(site, folder)
  addCsvExport<ShownPayout>(site, {
    folder,
    file: 'payouts',
    rows: 'payouts',
    collection: '/v1/payouts',
    queryIn: (ctx) => ({ ok: true, body: filtersIn(ctx) }),
    idOf: (row) => row.id,
    fewerIn: (ctx) => (filtersIn(ctx).status === '' ? 'choose one status' : 'read them page by page with the API'),
    columns,
  })
  addResourceFolder<ShownPayout, ListedPayout>(site, {
    link: payoutsLink,
    one: 'Payout',
    collection: '/v1/payouts',
    templates: { list: 'dashboard/payouts', one: 'dashboard/payout' },
    statuses: payoutStatusNames,
    filtersIn,
    list,
    idOf: (row) => row.id,
    itemOf: shownRow,
    factsOf: payoutFacts,
    more,
  })
}

const filtersIn = (ctx: Context) => ({ status: wordIn(ctx, 'status', payoutStatuses) })

const shownRow = (row: ListedPayout) => ({
  title: money(row.amount, row.currency),
  state: stateOfPayout(row),
  destination: row.destinationName ?? row.destination,
  fee: money(row.fee, row.source_currency),
  reference: row.reference,
  created: timeOf(row.created_at),
})

function payoutFacts(row: ShownPayout): Fact[] {
  const { currency, source_currency: source } = row
  return [
    ['Id', row.id],
    ['Arrives', money(row.amount, currency)],
    ['Fee', money(row.fee, source)],
    ['Total debited', money(row.total_debited, source)],
    ['Reference', row.reference],
    ['Description', row.description],
    ['Why it was held', row.hold_reason],
    ['Why it was rejected', row.status_reason],
    ['Why it failed', row.failure_reason],
    ['Provider reference', row.trace_id],
    ['Conversion quote', row.quote_id],
    ['Created', timeOf(row.created_at)],
    ['Arrived', timeOf(row.completed_at)],
    ['Sent back', timeOf(row.returned_at)],
    ...Object.entries(row.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}

/** The columns of the file, by the names that the API has for them. */
const columns: readonly CsvColumn<ShownPayout>[] = [
  ['id', (row) => row.id],
  ['created_at', (row) => row.created_at],
  ['completed_at', (row) => row.completed_at],
  ['returned_at', (row) => row.returned_at],
  ['status', (row) => row.status],
  ['currency', (row) => row.currency],
  ['amount', (row) => row.amount],
  ['source_currency', (row) => row.source_currency],
  ['fee', (row) => row.fee],
  ['total_debited', (row) => row.total_debited],
  ['destination', (row) => row.destination],
  ['reference', (row) => row.reference],
  ['description', (row) => row.description],
  ['hold_reason', (row) => row.hold_reason],
  ['failure_reason', (row) => row.failure_reason],
  ['trace_id', (row) => row.trace_id],
  ['quote_id', (row) => row.quote_id],
  ['status_reason', (row) => row.status_reason],
]
