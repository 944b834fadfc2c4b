import { card, type Merchant, type Reply, sale } from './merchant.ts'

export const disputedCard = '4000000000000259'
export const warnedCard = '4000000000005423'

export type ShownDispute = { dispute_id: string; status: string; amount: string; [field: string]: unknown }

/** A merchant's calls about disputes. */
export function disputing(merchant: Merchant) {
  const ok = async (reply: Promise<Reply>): Promise<ShownDispute> => {
    const { status, text, body } = await reply
    if (status >= 300) throw new Error(`${status}: ${text}`)
    return body as unknown as ShownDispute
  }
  const path = (id: string, more = '') => `/v1/disputes/${id}${more}`
  return {
    raise: (paymentId: string, body: object = {}) =>
      ok(merchant.call('POST', `/v1/test-helpers/payments/${paymentId}/dispute`, body)),
    read: (id: string) => ok(merchant.call('GET', path(id))),
    tryToChange: (id: string, body: object, headers: Record<string, string> = {}) =>
      merchant.call('PATCH', path(id, '/evidence'), body, headers),
    change: (id: string, body: object) => ok(merchant.call('PATCH', path(id, '/evidence'), body)),
    tryToAccept: (id: string, headers: Record<string, string> = {}) =>
      merchant.call('POST', path(id, '/accept'), undefined, headers),
    accept: (id: string) => ok(merchant.call('POST', path(id, '/accept'))),
    settle: (id: string, outcome: string) =>
      ok(merchant.call('POST', `/v1/test-helpers/disputes/${id}/settle`, { outcome })),
    /** Pays with a card whose owner disputes it, and returns the payment's id. */
    async sellTo(number: string, body: Record<string, unknown> = sale): Promise<string> {
      const session = await merchant.createCheckout(body)
      const attempt = await merchant.payByCard(session, number, 'USD_CARD')
      return String(attempt['payment_id'])
    },
    card,
  }
}
