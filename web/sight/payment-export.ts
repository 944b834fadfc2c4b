import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import { csvLine, csvMark } from '../csv.ts'
import { pageOf, type Site } from '../site.ts'
import { type Listed, showUnlisted } from './dashboard-lists.ts'
import { noPayments, paymentFiltersIn, paymentQuery, type PaymentQuery } from './payment-search.ts'
import type { ListedPayment } from './payment-words.ts'

type Page = Listed<ListedPayment> & { pagination: { total: number } }

/** A file has so many payments at most: the API is asked for them within the limit of calls that a person has. */
const rowsMax = 5_000
const rowsAtATime = 100
const triesMax = 3

/** `/dashboard/payments.csv`: the filtered list as a file for spreadsheets, newest first. */
export function addPaymentExport(site: Site, folder: string): void {
  const { home, sessions, now, read, show } = site

  const readPage = (ctx: Context, query: PaymentQuery, cursor: string | null): Promise<Answer<Page>> => {
    const given = Object.entries(query).filter(([, value]) => value !== '')
    const place = cursor === null ? [] : [['cursor', cursor]]
    const parameters = new URLSearchParams([['limit', String(rowsAtATime)], ...given, ...place] as string[][])
    return sessions.call<Page>(ctx, 'GET', `/v1/payments?${parameters}`, undefined, { refreshes: cursor === null })
  }

  /** Reads a further page. Too many calls are made later; anything else ends the download. */
  async function readOn(ctx: Context, query: PaymentQuery, cursor: string): Promise<Page> {
    for (let tries = 1; ; tries++) {
      const answer = await readPage(ctx, query, cursor)
      if (answer.ok) return answer.body
      const { status, code, waitSeconds } = answer.refused
      if (status !== 429 || tries === triesMax) throw new Error(`the export ended with ${status} ${code}`)
      await sleep((waitSeconds ?? 60) * 1000)
    }
  }

  async function* linesOf(ctx: Context, query: PaymentQuery, first: Page): AsyncGenerator<string> {
    yield csvMark + csvLine(columns.map(([name]) => name))
    for (let page = first; ;) {
      yield page.items.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row)))).join('')
      const { next_cursor: next } = page.pagination
      if (next === null) return
      page = await readOn(ctx, query, next)
    }
  }

  read(`${folder.slice(home.length)}.csv`, async (ctx) => {
    const query = await paymentQuery(sessions, ctx, paymentFiltersIn(ctx))
    if (!query.ok) return showUnlisted(site, ctx, query.refused, folder)
    const first = query.body ? await readPage(ctx, query.body, null) : emptyPage
    if (!first.ok) return showUnlisted(site, ctx, first.refused, folder)
    const { total } = first.body.pagination
    if (total > rowsMax) {
      const problem = `These are ${total} payments. A file has at most ${rowsMax}: choose a shorter time.`
      return show(ctx, pageOf('site/refused', 'Too many payments', { problem, isSignedIn: true }, 422))
    }
    const day = new Date(await now()).toISOString().slice(0, 10)
    ctx.set({ 'Content-Disposition': `attachment; filename="payments-${day}.csv"`, 'Cache-Control': 'no-store' })
    ctx.type = 'text/csv; charset=utf-8'
    const file = Readable.from(linesOf(ctx, query.body ?? {}, first.body))
    file.on('error', () => ctx.res.destroy()) // so that the browser says that the download has failed
    ctx.body = file
  })
}

const emptyPage: Answer<Page> = {
  ok: true,
  body: { ...noPayments, pagination: { ...noPayments.pagination, total: 0 } },
}

/** The columns of the file, by the names that the API has for them. */
const columns: readonly [name: string, cellOf: (row: ListedPayment) => string | null][] = [
  ['payment_id', (row) => row.payment_id],
  ['created_at', (row) => row.created_at],
  ['completed_at', (row) => row.completed_at],
  ['status', (row) => row.status],
  ['currency', (row) => row.currency],
  ['amount', (row) => row.amount],
  ['amount_received', (row) => row.amount_received],
  ['refunded_amount', (row) => row.refunded_amount],
  ['fee_usd', (row) => row.fee_usd],
  ['payment_method', (row) => row.payment_method],
  ['customer_email', (row) => row.customer?.email ?? row.customer_details?.email ?? null],
  ['customer_name', (row) => row.customer?.name ?? row.customer_details?.name ?? null],
  ['customer_id', (row) => row.customer?.id ?? null],
  ['reference', (row) => row.reference],
  ['checkout_id', (row) => row.checkout_id],
  ['subscription_id', (row) => row.subscription_id],
  ['disputed', (row) => String(row.disputed)],
  ['failure_code', (row) => row.failure_code],
]
