import assert from 'node:assert/strict'
import type { LineItem } from '../../domain/checkout/line-item.ts'
import { randomUUID } from 'node:crypto'
import { cards } from './merchant.ts'
import type { Stack } from './stack.ts'
import { until } from './until.ts'

type Fields = Record<string, unknown>

/** A subscription as the API shows it. */
export type Shown = {
  subscription_id: string
  status: string
  customer: { id: string }
  current_period_start: string
  current_period_end: string
  latest_invoice_id: string | null
  payment_method_id: string | null
  next_payment_attempt_at: string | null
  attempt_count: number
  line_items: LineItem[]
  [field: string]: unknown
}

export type ShownInvoice = {
  invoice_id: string
  number: string
  status: string
  billing_reason: string
  total: string
  period_start: string
  period_end: string
  line_items: { line_total: string; kind: string; product_name: string }[]
  [field: string]: unknown
}

/** Cards that succeed with their owner, and fail without them. */
export const laterCards = {
  declines: '4000000000000341',
  expires: '4000000000001125',
  asksFor3ds: '4000002760003184',
  answersLate: '4000000000001133',
}

export const monthly = { interval: 'month', interval_count: 1 }

/** Calls about subscriptions of a merchant, by default the stack's own, over real HTTP. */
export function subscriptionsOf(stack: Stack, merchant = stack.merchant) {
  const ok = async <T = Fields>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await merchant.call(method, path, body)
    assert.ok(reply.status >= 200 && reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.body as T
  }
  const plans = {
    ok,
    createProduct: (fields: Fields = {}) =>
      ok<{ product_id: string }>('POST', '/v1/products', {
        name: 'Team plan',
        price_type: 'fixed',
        amount: '25.00',
        currency: 'USD',
        recurring: monthly,
        ...fields,
      }),
    createSession: (productId: string, fields: Fields = {}) =>
      merchant.createCheckout({
        product_cart: [{ product_id: productId }],
        customer: { email: `${randomUUID()}@example.com`, name: 'Ada Buyer' },
        success_url: 'https://example.com/thanks',
        ...fields,
      }),
    /** Sells a product, by default a monthly plan of 25 dollars, and pays by card. Returns the subscription. */
    async subscribe({ product = {}, session = {}, number = cards.success }: Options = {}): Promise<Shown> {
      const { product_id: productId } = await plans.createProduct(product)
      const opened = await plans.createSession(productId, session)
      await stack.dispatched()
      const paid = await merchant.payByCard(opened, number)
      assert.equal(paid['payment_status'], 'succeeded', JSON.stringify(paid))
      const { recurring } = (await merchant.getCheckout(opened.checkout_id)) as { recurring: Fields }
      await stack.dispatched()
      return plans.read(String(recurring['subscription_id']))
    },
    /** Saves a card for a customer by a setup session, and returns its id. */
    async saveCard(customerId: string, number = cards.success): Promise<string> {
      const session = await merchant.createCheckout({
        setup: true,
        customer: { id: customerId },
        success_url: 'https://example.com/thanks',
      })
      await stack.dispatched()
      await merchant.payByCard(session, number)
      const { saved_payment_method_id: id } = await merchant.getCheckout(session.checkout_id)
      return String(id)
    },
    read: (id: string) => ok<Shown>('GET', `/v1/subscriptions/${id}`),
    act: (id: string, action: string, body: Fields = {}) =>
      ok<Shown>('POST', `/v1/subscriptions/${id}/${action}`, body),
    edit: (id: string, body: Fields) => ok<Shown>('PATCH', `/v1/subscriptions/${id}`, body),
    /** Its invoices, oldest first. */
    async invoices(id: string): Promise<ShownInvoice[]> {
      const path = `/v1/invoices?subscription_id=${id}&limit=100`
      const { items } = await ok<{ items: ShownInvoice[] }>('GET', path)
      return items.toReversed()
    },
    /** Waits until the subscription is as wanted. */
    async until(id: string, wanted: (shown: Shown) => boolean): Promise<Shown> {
      let shown = await plans.read(id)
      await until(async () => wanted((shown = await plans.read(id))), 'the subscription is as wanted')
      return shown
    },
    /** Waits until so many mails about a subscription were sent. */
    mailed(id: string, count: number) {
      const sent = 'select from subscription_mails where subscription_id = ? and sent_at is not null'
      return until(async () => (await stack.sql(sent, [id])).length >= count, `${count} mails about ${id} were sent`)
    },
    /** Decides the charge that the card network still works on; its rail sends no news. */
    decideCharge: (id: string, succeeds: boolean) =>
      stack.sql(
        `update simulated_charges set status = ?, executions = ?, failure_code = ?
         where status = 'processing' and payment_id in (select id from payments where subscription_id = ?)`,
        succeeds ? ['succeeded', 1, null, id] : ['failed', 0, 'card_declined', id],
      ),
    /** The types of the events about a resource, in their order. */
    async events(...ids: string[]): Promise<string[]> {
      const rows = await stack.sql<{ type: string }>(
        `select type from events where resource_id in (${ids.map(() => '?').join(', ')}) order by sequence`,
        ids,
      )
      return rows.map(({ type }) => type)
    },
  }
  return plans
}

type Options = { product?: Fields; session?: Fields; number?: string }
