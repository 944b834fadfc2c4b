import assert from 'node:assert/strict'
import { bearer, fromAnywhere } from './api.ts'
import { card, cards, type Merchant, type Reply, sale, setup } from './merchant.ts'
import type { Stack } from './stack.ts'

type Session = Awaited<ReturnType<Merchant['createCheckout']>>
type Offered = {
  payment_method_id: string
  payment_method: string
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
}

let customers = 0

/** A new customer of a merchant. */
export async function newCustomer(merchant: Merchant): Promise<string> {
  const email = `known${++customers}@example.com`
  const { status, body, text } = await merchant.call('POST', '/v1/customers', { email, name: 'Ada Known' })
  assert.equal(status, 201, text)
  return String(body['customer_id'])
}

/** Saves a card of a customer, by a session that the merchant opens for them; returns the card's id. */
export async function saveCard(merchant: Merchant, id: string, number = cards.success, corridor = 'USD_CARD') {
  const session = await merchant.createCheckout({ ...setup, customer: { id } })
  const attempt = await merchant.payByCard(session, number, corridor)
  if (attempt['payment_status'] === 'requires_action') await merchant.confirm(session, { code: '123456' })
  const { saved_payment_method_id: saved } = await merchant.getCheckout(session.checkout_id)
  assert.match(String(saved), /^pm_/)
  return String(saved)
}

/** A sale to a known customer, which offers their saved cards. */
export const sellTo = (merchant: Merchant, id: string, body: object = {}) =>
  merchant.createCheckout({ ...sale, customer: { id }, offer_saved_cards: true, ...body })

/** The saved cards that a session offers its buyer. */
export async function offeredBy(merchant: Merchant, { checkout_id, client_secret }: Session): Promise<Offered[]> {
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  const { body } = await merchant.call('GET', path, undefined, { ...bearer(client_secret), ...fromAnywhere() })
  return body['saved_payment_methods'] as unknown as Offered[]
}

/** Pays with a saved card, at once unless the body says else. */
export const payBySaved = (merchant: Merchant, session: Session, id: string, body: object = {}): Promise<Reply> =>
  merchant.call(
    'POST',
    `/v1/checkout-sessions/${session.checkout_id}/pay`,
    { payment_method: 'USD_CARD', card: { payment_method_id: id, cvc: '123' }, confirm: true, ...body },
    { ...bearer(session.client_secret), ...fromAnywhere() },
  )

/** A card as it is sent again after a session has declined one. */
export const typed = (number = cards.success) => ({ payment_method: 'USD_CARD', card: card(number), confirm: true })

/** The charges of a session in the books of the sandbox's rail. */
export const chargesOfSession = ({ sql }: Pick<Stack, 'sql'>, checkoutId: string) =>
  sql<{ status: string; executions: number }>(
    `select c.status, c.executions from payments p join simulated_charges c on c.payment_id = p.id
     where p.checkout_id = ?`,
    [checkoutId],
  )
