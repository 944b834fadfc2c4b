import type { Static } from 'typebox'
import type { PaymentStatus } from '../domain/checkout/payment.ts'
import type { ListedPayment, Payment } from '../schemas/checkout/payment.ts'
import { type Api, pathSegment } from './api.ts'
import { type Output, paint, plain, shortTime, type Style } from './output.ts'
import { type Column, tableOf } from './table.ts'

/** The filters have the names of the API's query. */
export type PaymentFilters = {
  status?: PaymentStatus
  method?: string
  customer?: string
  checkout?: string
  reference?: string
  after?: string
  before?: string
  limit: number
}
type Listed = Static<typeof ListedPayment>
type Page = { items: Listed[]; pagination: { next_cursor: string | null; has_more: boolean } }

const pageMax = 100

/** Lists payments, the newest first. */
export async function listPayments(api: Api, output: Output, filters: PaymentFilters): Promise<void> {
  output.show(await readPayments(api, filters), ({ items, pagination }) => {
    if (items.length === 0) return ['No payments.']
    const more = pagination.has_more ? [`These are the newest ${items.length}. There are more.`] : []
    return [...tableOf(items, columns), ...more]
  })
}

/** The newest payments, of as many pages as they need, in the form of one page. */
async function readPayments({ call }: Api, filters: PaymentFilters): Promise<Page> {
  const { limit, method, customer, checkout, after, before, ...others } = filters
  const named = { payment_method: method, customer_id: customer, checkout_id: checkout }
  const query = { ...others, ...named, created_after: after, created_before: before }
  const items: Listed[] = []
  for (let cursor: string | undefined; ;) {
    const size = Math.min(limit - items.length, pageMax)
    const page = await call<Page>({ method: 'GET', path: '/v1/payments', query: { ...query, limit: size, cursor } })
    items.push(...page.items)
    if (page.pagination.next_cursor === null || items.length >= limit) return { ...page, items }
    cursor = page.pagination.next_cursor
  }
}

export async function showPayment({ call }: Api, output: Output, id: string): Promise<void> {
  const path = `/v1/payments/${pathSegment(id)}`
  output.show(await call<Static<typeof Payment>>({ method: 'GET', path }), (payment) => {
    const { payment_id, amount, currency, status, created_at, completed_at } = payment
    const rows: [label: string, text: string | null, style?: Style][] = [
      ['Amount', `${amount} ${currency}`],
      ['Status', status, styles[status]],
      ['Failure', payment.failure_message, 'red'],
      ['Refunded', `${payment.refunded_amount} ${currency}`],
      ['Method', payment.payment_method],
      ['Reference', payment.reference],
      ['Customer', payment.customer?.email ?? payment.customer_details?.email ?? null],
      ['Checkout', payment.checkout_id],
      ['Created at', `${shortTime(created_at)} UTC`],
      ['Paid at', completed_at && `${shortTime(completed_at)} UTC`],
    ]
    const lineOf = (label: string, text: string, style: Style | undefined) =>
      `${label.padEnd(11)}  ${style ? paint(style, plain(text)) : plain(text)}`
    const lines = rows.flatMap(([label, text, style]) => (text === null ? [] : [lineOf(label, text, style)]))
    return [paint('bold', plain(payment_id)), ...lines]
  })
}

const styles: Record<PaymentStatus, Style> = {
  requires_action: 'yellow',
  processing: 'yellow',
  succeeded: 'green',
  underpaid: 'yellow',
  failed: 'red',
  canceled: 'dim',
}

const columns: readonly Column<Listed>[] = [
  { heading: 'created at (UTC)', textOf: ({ created_at }) => shortTime(created_at) },
  { heading: 'payment', textOf: ({ payment_id }) => payment_id },
  { heading: 'amount', textOf: ({ amount, currency }) => `${amount} ${currency}` },
  { heading: 'status', textOf: ({ status }) => status, styleOf: ({ status }) => styles[status] },
  { heading: 'method', textOf: ({ payment_method }) => payment_method },
  { heading: 'failure', textOf: ({ failure_code }) => failure_code, styleOf: () => 'red' },
  { heading: 'reference', textOf: ({ reference }) => reference },
]
