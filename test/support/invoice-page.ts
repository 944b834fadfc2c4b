import assert from 'node:assert/strict'
import { fromAnywhere } from './api.ts'
import { card, cards, type Reply } from './merchant.ts'
import type { Stack } from './stack.ts'
import type { ShownInvoice, subscriptionsOf } from './subscription.ts'

type Fields = Record<string, unknown>

/** The key of an invoice's page. */
export const keyOf = (invoice: ShownInvoice): string => String(String(invoice['hosted_invoice_url']).split('/').at(-1))

export type OpenedSession = Record<'checkout_id' | 'client_secret' | 'checkout_url' | 'expires_at', string>

/** What whoever has the link of an invoice does, over real HTTP. */
export function payersOf(stack: Stack, plans: ReturnType<typeof subscriptionsOf>) {
  const { merchant } = stack
  const call = (method: string, invoice: ShownInvoice, action: string, body?: object): Promise<Reply> =>
    merchant.call(method, `/v1/invoices/${keyOf(invoice)}/${action}`, body, { ...fromAnywhere(), authorization: '' })
  const payers = {
    see: async (invoice: ShownInvoice): Promise<Fields> => (await call('GET', invoice, 'public')).body,
    tryToOpen: (invoice: ShownInvoice) => call('POST', invoice, 'pay', {}),
    /** Opens the session that pays an invoice. */
    async open(invoice: ShownInvoice): Promise<OpenedSession & { status: string }> {
      const reply = await payers.tryToOpen(invoice)
      assert.ok(reply.status < 300, reply.text)
      await stack.dispatched()
      return { ...(reply.body as unknown as OpenedSession), status: String(reply.status) }
    },
    /** Pays in an open session by card, as a buyer does, and returns the attempt. */
    async payIn(session: OpenedSession, number = cards.success): Promise<Fields> {
      const how = { payment_method: 'USD_CARD', card: card(number), confirm: true }
      const headers = { authorization: `Bearer ${session.client_secret}`, ...fromAnywhere() }
      const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
      const reply = await merchant.call('POST', path, how, headers)
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    },
    pay: async (invoice: ShownInvoice, number = cards.success) => payers.payIn(await payers.open(invoice), number),
    /** The newest invoice of a subscription. */
    async newest(id: string): Promise<ShownInvoice> {
      const invoice = (await plans.invoices(id)).at(-1)
      assert.ok(invoice)
      return invoice
    },
    /** The payments of a subscription, oldest first. */
    async payments(id: string): Promise<Fields[]> {
      const { items } = await plans.ok<{ items: Fields[] }>('GET', `/v1/payments?subscription_id=${id}&limit=100`)
      return items.toReversed()
    },
  }
  return payers
}
