import type { Context } from 'koa'
import type { Static } from 'typebox'
import { corridorKeys } from '../../domain/corridor.ts'
import { isZero } from '../../domain/money.ts'
import type { RefundStatus } from '../../domain/refund.ts'
import type { Payment } from '../../schemas/checkout/payment.ts'
import type { Refund } from '../../schemas/refund/refund.ts'
import type { Transfer } from '../../schemas/transfer/transfer.ts'
import type { Answer } from '../api.ts'
import { goTo, type Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { mayDo, noticeIn } from './board-form.ts'
import { type Fact, factsOf, idIn, type Listed, queryOf, showUnread } from './dashboard-lists.ts'
import { addResourceFolder } from './dashboard-resources.ts'
import type { ListedDispute } from './dispute-page.ts'
import { disputeReasonWords, disputeStatusNames } from './dispute-words.ts'
import { addPaymentExport } from './payment-export.ts'
import { noPayments, paymentById, type PaymentFilters, paymentFiltersIn, paymentQuery } from './payment-search.ts'
import {
  corridorName,
  type ListedPayment,
  methodOfPayment,
  paymentRow,
  paymentStatusNames,
  payerOf,
  stateOf,
} from './payment-words.ts'
import { addRefundForm, isRefundable } from './refund-form.ts'
import { isolated } from '../isolated.ts'

type ShownPayment = Static<typeof Payment>
type ShownRefund = Static<typeof Refund>
type ShownTransfer = Static<typeof Transfer>

export const paymentsLink = { path: '/payments', words: 'Payments' }

/** `/dashboard/payments`: the payments with a search, filters and an export; each with its timeline and refunds. */
export function addPaymentPages(site: Site): void {
  const { home, sessions, read } = site
  const folder = `${home}${paymentsLink.path}`

  async function list(ctx: Context, filters: Record<string, string>): Promise<Answer<Listed<ListedPayment>>> {
    const asked = filters as PaymentFilters
    const found = await paymentById(sessions, ctx, asked)
    if (found) return found.ok ? { ok: true, body: { ...noPayments, items: found.body } } : found
    const query = await paymentQuery(sessions, ctx, asked)
    if (!query.ok) return query
    if (query.body === null) return { ok: true, body: noPayments }
    return sessions.call(ctx, 'GET', `/v1/payments?${queryOf(ctx, query.body)}`)
  }

  /** The transfer that a payment has made; none where its sale was not split, or has not settled. */
  const transfersOf = (ctx: Context, { payment_id, transfer_amount }: ShownPayment) =>
    transfer_amount === null
      ? ({ ok: true, body: { items: [] } } as const)
      : sessions.call<{ items: ShownTransfer[] }>(ctx, 'GET', `/v1/transfers?${new URLSearchParams({ payment_id })}`)

  /** What a payment's page shows beside its facts: its transfer, refunds and disputes, and what may be done. */
  async function more(ctx: Context, row: ShownPayment): Promise<Answer<object>> {
    const of = new URLSearchParams({ limit: '100', charge_id: row.payment_id })
    const [transfers, refunds, disputes] = await Promise.all([
      transfersOf(ctx, row),
      sessions.call<{ items: ShownRefund[] }>(ctx, 'GET', `/api/v1/payments/refunds?${of}`),
      sessions.call<Listed<ListedDispute>>(
        ctx,
        'GET',
        `/v1/disputes?${new URLSearchParams({ payment_id: row.payment_id })}`,
      ),
    ])
    if (!transfers.ok) return transfers
    if (!refunds.ok) return refunds
    if (!disputes.ok) return disputes
    const mayRefund = mayDo(site, ctx, 'refunds:write')
    return {
      ok: true,
      body: {
        state: stateOf(row),
        path: `${folder}/${row.payment_id}`,
        passedOn: factsOf(transfers.body.items.flatMap(transferFacts)),
        refunds: refunds.body.items.map((refund) => shownRefund(refund, home)),
        disputes: disputes.body.items.map((dispute) => shownDispute(dispute, home)),
        hasReceipt: row.status === 'succeeded',
        mayRefund: mayRefund && isRefundable(row),
        lines: (row.line_items ?? []).map((line) => ({
          name: line.quantity === 1 ? line.product_name : `${line.quantity} × ${isolated(line.product_name)}`,
          amount: money(line.line_total, line.currency),
        })),
        notice: noticeIn(ctx, { refunded: 'The refund is on its way. Its status is below.' }),
      },
    }
  }

  async function sendReceipt(ctx: Context): Promise<void> {
    const answer = await sessions.download(ctx, `/v1/payments/${idIn(ctx)}/receipt`)
    if (!answer.ok && answer.refused.code === 'CONFLICT') return goTo(ctx, `${folder}/${idIn(ctx)}`)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    ctx.set({ 'Content-Disposition': answer.body.disposition, 'Cache-Control': 'no-store' })
    ctx.type = 'application/pdf'
    ctx.body = answer.body.bytes
  }

  read(`${paymentsLink.path}/:id/receipt`, sendReceipt, { isLanding: false })
  addRefundForm(site, folder)
  addPaymentExport(site, folder)
  addResourceFolder<ShownPayment, ListedPayment>(site, {
    link: paymentsLink,
    one: 'Payment',
    collection: '/v1/payments',
    templates: { list: 'dashboard/payments', one: 'dashboard/payment' },
    statuses: paymentStatusNames,
    filtersIn: paymentFiltersIn,
    besideList: { methods: corridorKeys.map((key) => [key, corridorName(key)]) },
    list,
    idOf: (row) => row.payment_id,
    itemOf: (row) => paymentRow(row, folder),
    factsOf: (row) => paymentFacts(row, home),
    more,
  })
}

const refundStatusNames: Record<RefundStatus, string> = {
  pending: 'Accepted',
  processing: 'On its way',
  succeeded: 'Paid back',
  failed: 'Failed',
}

const [byYou, byCustomer] = ['paid by you', 'paid by the customer']
const payers = { ORG: byYou, CUSTOMER: byCustomer, org_pays: byYou, customer_pays: byCustomer }

const shownRefund = (row: ShownRefund, home: string) => ({
  link: `${home}/timelines/${row.refund_id}`,
  title: money(row.requested_amount, row.currency),
  status: refundStatusNames[row.status],
  isLate: row.status === 'failed',
  isActive: row.status === 'succeeded',
  fee: `${money(row.refund_fee_amount, row.currency)}, ${payers[row.fee_bearer]}`,
  reason: row.reason ?? null,
  created: timeOf(row.created_at),
})

const shownDispute = (row: ListedDispute, home: string) => ({
  link: `${home}/disputes/${row.dispute_id}`,
  words: `${money(row.amount, row.currency)}: ${disputeReasonWords[row.reason].name}`,
  status: disputeStatusNames[row.status],
})

const transferFacts = ({ amount, reversed_amount: reversed, currency }: ShownTransfer): Fact[] => [
  ['Moved to the seller', money(amount, currency)],
  ['Given back by the seller', isZero(reversed) ? null : money(reversed, currency)],
]

function paymentFacts(row: ShownPayment, home: string): Fact[] {
  const { currency, base_currency: base, subscription_id: subscription, invoice } = row
  return [
    ['Id', row.payment_id],
    ['Amount', money(row.amount, currency)],
    ['Received', row.amount_received === row.amount ? null : money(row.amount_received, currency)],
    ['Price', base === currency ? null : `${money(row.base_amount, base)} at ${row.rate}`],
    ['Refunded', isZero(row.refunded_amount) ? null : money(row.refunded_amount, currency)],
    ['Fee', `${money(row.fee_usd, 'USD')}, ${payers[row.fee_preference]}`],
    // Of a payment that failed, is short or was paid twice nothing moves, or another amount: `transferFacts`.
    ['Agreed platform fee', row.platform_fee && money(row.platform_fee, base)],
    ['Agreed share of the seller', row.transfer_amount && money(row.transfer_amount, base)],
    ['Method', methodOfPayment(row.payment_method)],
    ['Customer', payerOf(row)],
    ['Email', row.customer?.email ?? row.customer_details?.email ?? null],
    ['Reference', row.reference],
    ['Why it failed', row.failure_message],
    ['Session', row.checkout_id, `${home}/timelines/${row.checkout_id}`],
    ['Subscription', subscription, `${home}/subscriptions/${subscription}`],
    ['Invoice', invoice && (invoice.number ?? invoice.invoice_id), `${home}/invoices/${invoice?.invoice_id}`],
    ['Created', timeOf(row.created_at)],
    ['Completed', timeOf(row.completed_at)],
    ...Object.entries(row.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}
