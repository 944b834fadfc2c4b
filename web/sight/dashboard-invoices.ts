import type { Context } from 'koa'
import type { Static } from 'typebox'
import { isOneOf } from '../../domain/narrow.ts'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/subscription/invoice.ts'
import type { Invoice } from '../../schemas/subscription/invoice.ts'
import type { Timeline } from '../../schemas/sight/timeline.ts'
import { shownTimeline } from './timeline.ts'
import { pageOf, type Site } from '../site.ts'
import { money } from '../words.ts'
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

type Shown = Static<typeof Invoice>

export const invoicesLink = { path: '/invoices', words: 'Invoices' }

const statuses: Record<InvoiceStatus, string> = {
  draft: 'Draft',
  open: 'Open',
  paid: 'Paid',
  void: 'Voided',
  uncollectible: 'No longer collected',
}

const reasons: Record<Shown['billing_reason'], string> = {
  purchase: 'A purchase',
  subscription_create: 'The first period of a subscription',
  subscription_cycle: 'The next period of a subscription',
  subscription_update: 'A change of a subscription',
}

/** `/dashboard/invoices`: the organization's invoices, and each with its lines and its timeline. */
export function addInvoicePages(site: Site): void {
  const { home, sessions, now, read, show } = site
  const folder = `${home}${invoicesLink.path}`

  read(invoicesLink.path, async (ctx) => {
    const filters = { status: statusIn(ctx), subscription_id: subscriptionIn(ctx) }
    const answer = await sessions.call<Listed<Shown>>(ctx, 'GET', `/v1/invoices?${queryOf(ctx, filters)}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const items = answer.body.items.map((row) => ({ ...shownRow(row), link: `${folder}/${row.invoice_id}` }))
    const pages = pagesOf(folder, answer.body.pagination, filters)
    const data = { isSignedIn: true, at: invoicesLink.path, items, ...filters, statuses, pages, folder }
    show(ctx, pageOf('dashboard/invoices', 'Invoices', data))
  })

  read(`${invoicesLink.path}/:id`, async (ctx) => {
    const path = `/v1/invoices/${idIn(ctx)}`
    const answer = await sessions.call<Shown>(ctx, 'GET', path)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const timeline = await sessions.call<Static<typeof Timeline>>(ctx, 'GET', `${path}/timeline`)
    if (!timeline.ok) return showUnread(site, ctx, timeline.refused)
    const row = answer.body
    const data = {
      isSignedIn: true,
      at: invoicesLink.path,
      heading: shownRow(row).title,
      back: { link: folder, words: 'All invoices' },
      facts: factsOf(invoiceFacts(row, home)),
      lines: row.line_items.map(shownLine),
      timeline: shownTimeline(timeline.body, { home, now: await now(), isForStaff: false }),
    }
    show(ctx, pageOf('dashboard/billed', 'Invoice', data))
  })
}

function statusIn({ query }: Context): InvoiceStatus | '' {
  const { status } = query
  return typeof status === 'string' && isOneOf(invoiceStatuses, status) ? status : ''
}

function subscriptionIn({ query }: Context): string {
  const { subscription_id: id } = query
  return typeof id === 'string' ? id.slice(0, 64) : ''
}

const shownRow = (row: Shown) => ({
  title: `${row.number ?? 'Invoice'}: ${money(row.total, row.currency)}`,
  status: statuses[row.status],
  isLate: row.status === 'uncollectible' || row.attempt_count > 0,
  isActive: row.status === 'open',
  customer: customerOf(row),
  due: timeOf(row.due_at),
  paid: timeOf(row.paid_at),
})

const customerOf = ({ customer }: Shown): string => customer.name ?? customer.email ?? customer.id ?? ''

const shownLine = (line: Shown['line_items'][number]) => ({
  name: line.quantity === 1 ? line.product_name : `${line.quantity} × ${line.product_name}`,
  amount: money(line.line_total, line.currency),
  from: timeOf(line.period_start),
  to: timeOf(line.period_end),
})

function invoiceFacts(row: Shown, home: string): Fact[] {
  const { currency, subscription_id: subscriptionId } = row
  return [
    ['Id', row.invoice_id],
    ['Status', statuses[row.status]],
    ['Why', reasons[row.billing_reason]],
    ['Customer', row.customer.email ?? customerOf(row)],
    ['Total', money(row.total, currency)],
    ['Amount due', row.status === 'open' ? money(row.amount_due, currency) : null],
    ['Due', timeOf(row.due_at)],
    ['Paid', timeOf(row.paid_at)],
    ['Voided', timeOf(row.voided_at)],
    ['Failed attempts', row.attempt_count > 0 ? String(row.attempt_count) : null],
    ['Next attempt', row.status === 'open' ? timeOf(row.next_payment_attempt_at) : null],
    ['Customer’s page', row.hosted_invoice_url && 'Open the page', row.hosted_invoice_url ?? undefined],
    ['Subscription', subscriptionId, `${home}/subscriptions/${subscriptionId}`],
  ]
}
