import type { Context } from 'koa'
import type { Static } from 'typebox'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/subscription/invoice.ts'
import type { Invoice } from '../../schemas/subscription/invoice.ts'
import type { Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import type { Fact } from './dashboard-lists.ts'
import { addResourceFolder, also } from './dashboard-resources.ts'
import { textIn, wordIn } from './list-filter.ts'
import { isolated } from '../isolated.ts'

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
  addResourceFolder<Shown>(site, {
    link: invoicesLink,
    one: 'Invoice',
    collection: '/v1/invoices',
    templates: { list: 'dashboard/invoices', one: 'dashboard/billed' },
    statuses,
    filtersIn: (ctx) => ({ status: wordIn(ctx, 'status', invoiceStatuses), subscription_id: subscriptionIn(ctx) }),
    idOf: (row) => row.invoice_id,
    itemOf: shownRow,
    factsOf: (row) => invoiceFacts(row, site.home),
    more: (_, row) => also({ lines: row.line_items.map(shownLine) }),
  })
}

const subscriptionIn = (ctx: Context): string => textIn(ctx, 'subscription_id').slice(0, 64)

export const shownRow = (row: Shown) => ({
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
  name: line.quantity === 1 ? line.product_name : `${line.quantity} × ${isolated(line.product_name)}`,
  amount: money(line.line_total, line.currency),
  from: timeOf(line.period_start),
  to: timeOf(line.period_end),
})

/** An invoice that is no longer collected is still owed, and can still be paid. */
const isUnpaid = ({ status }: Shown): boolean => status === 'open' || status === 'uncollectible'

function invoiceFacts(row: Shown, home: string): Fact[] {
  const { currency, subscription_id: subscriptionId } = row
  return [
    ['Id', row.invoice_id],
    ['Status', statuses[row.status]],
    ['Why', reasons[row.billing_reason]],
    ['Customer', row.customer.email ?? customerOf(row)],
    ['Total', money(row.total, currency)],
    ['Amount due', isUnpaid(row) ? money(row.amount_due, currency) : null],
    ['Due', timeOf(row.due_at)],
    ['Paid', timeOf(row.paid_at)],
    ['Voided', timeOf(row.voided_at)],
    ['Failed attempts', row.attempt_count > 0 ? String(row.attempt_count) : null],
    ['Next attempt', row.status === 'open' ? timeOf(row.next_payment_attempt_at) : null],
    ['Customer’s page', row.hosted_invoice_url && 'Open the page', row.hosted_invoice_url ?? undefined],
    ['Subscription', subscriptionId, `${home}/subscriptions/${subscriptionId}`],
  ]
}
