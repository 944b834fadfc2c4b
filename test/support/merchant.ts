import assert from 'node:assert/strict'
import { answerProblem } from './answers.ts'
import { anyAddress } from './any-address.ts'

/** An answer of the API. */
export type Reply = {
  status: number
  headers: Headers
  body: Record<string, never> & { [field: string]: unknown }
  text: string
}

export const card = (number: string) => ({ number, exp_month: 12, exp_year: 2040, cvc: '123' })
export const cards = {
  success: '4242424242424242',
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  expired: '4000000000000069',
  threeDs: '4000003800000446',
}
export const buyer = { email: 'ada@example.com', name: 'Ada Buyer' }
/** The smallest sale. */
export const sale = {
  amount: '25.00',
  currency: 'USD',
  description: 'A test sale',
  success_url: 'https://example.com/thanks',
}
/** Not a sale: it saves a card. */
export const setup = { setup: true, success_url: 'https://example.com/thanks' }
export const transferSale = { ...sale, amount: '5000.00', currency: 'NGN' }
export const mobileSale = { ...sale, amount: '1000.00', currency: 'KES' }

/** A stream of events that ends after what has happened so far, unless the call says how long it waits for more. */
const endingAtOnce = (path: string): string =>
  /^\/v1\/events\/stream(\?(?!.*max_seconds=).*)?$/.test(path)
    ? `${path}${path.includes('?') ? '&' : '?'}max_seconds=0`
    : path

type Session = Record<'checkout_id' | 'client_secret' | 'checkout_url' | 'status' | 'expires_at', string>

type Attempt = { payment_id: string; payment_status: string; next_action: Record<string, string> }

type Payout = { id: string; status: string; [field: string]: unknown }

/**
 * A merchant's and its buyers' calls, over real HTTP. Each answer is compared with the description of its operation,
 * unless it comes from `older` code.
 */
export function createMerchant(baseUrl: string, apiKey: string, { older = false } = {}) {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(baseUrl + endingAtOnce(path), {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const header = (name: string) => response.headers.get(name)
    const error = older ? null : answerProblem(method, path, { status: response.status, header, text })
    assert.equal(error, null)
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
  }

  async function ok<T = Record<string, unknown>>(reply: Promise<Reply>): Promise<T> {
    const { status, text, body } = await reply
    assert.ok(status >= 200 && status < 300, `${status}: ${text}`)
    return body as T
  }

  // Behind a trusted proxy each call of a buyer comes from a random address, because the rate limit is by address.
  const as = (secret: string) => ({ authorization: `Bearer ${secret}`, 'x-forwarded-for': anyAddress() })
  return {
    baseUrl,
    apiKey,
    call,
    createCheckout: (body: Record<string, unknown> = sale, headers: Record<string, string> = {}) =>
      ok<Session>(call('POST', '/v1/checkout-sessions', body, headers)),
    getCheckout: (id: string) => ok(call('GET', `/v1/checkout-sessions/${id}`)),
    getPayment: (id: string) => ok(call('GET', `/v1/payments/${id}`)),
    cancel: (id: string) => call('POST', `/v1/checkout-sessions/${id}/cancel`, {}),
    pay: ({ checkout_id, client_secret }: Session, body: Record<string, unknown>) =>
      call('POST', `/v1/checkout-sessions/${checkout_id}/pay`, { customer_details: buyer, ...body }, as(client_secret)),
    confirm: ({ checkout_id, client_secret }: Session, body: Record<string, unknown> = {}) =>
      call('POST', `/v1/checkout-sessions/${checkout_id}/confirm`, body, as(client_secret)),
    /** Pays by card in one call, and returns the attempt. */
    async payByCard(session: Session, number = cards.success, payment_method = 'USD_CARD') {
      return ok(this.pay(session, { payment_method, card: card(number), confirm: true }))
    },
    /** Chooses a bank transfer, and returns the attempt with its account. */
    async payByTransfer(session: Session) {
      return ok<{ payment_id: string; next_action: Record<string, string> }>(
        this.pay(session, { payment_method: 'NGN_BANK_TRANSFER' }),
      )
    },
    /** Pays by mobile money, by default from a wallet whose owner pays; returns the attempt with its prompt. */
    async payByPhone(session: Session, body: Record<string, unknown> = {}) {
      const wallet = { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' }
      return ok<Attempt>(this.pay(session, { ...wallet, ...body }))
    },
    /** Chooses an asset, and returns the attempt with the address to send it to. */
    async payByCrypto(session: Session, asset = 'USDT_TRC20') {
      return ok<Attempt>(this.pay(session, { payment_method: 'CRYPTO', asset }))
    },
    deposit: (paymentId: string, body: Record<string, unknown> = {}) =>
      call('POST', `/v1/test-helpers/payments/${paymentId}/deposit`, body),
    refund: (charge_id: string, body: Record<string, unknown> = {}) =>
      ok<{ refund_id: string; [field: string]: unknown }>(
        call('POST', '/api/v1/payments/refunds', { charge_id, reference: 'return-1', ...body }),
      ),
    payOut: (destination: string, body: Record<string, unknown> = {}) =>
      ok<Payout>(call('POST', '/v1/payouts', { destination, amount: '1000.00', ...body })),
    getPayout: (id: string) => ok<Payout>(call('GET', `/v1/payouts/${id}`)),
    settlePayout: (id: string, outcome = 'success') =>
      call('POST', `/v1/test-helpers/payouts/${id}/settle`, { outcome }),
    getRefund: (id: string) => ok(call('GET', `/api/v1/payments/refunds/${id}`)),
    /** Makes a sale that is paid, and returns the payment's id. */
    async chargeByCard(body: Record<string, unknown> = sale, corridor = 'USD_CARD'): Promise<string> {
      const attempt = await this.payByCard(await this.createCheckout(body), cards.success, corridor)
      return String(attempt['payment_id'])
    },
    async chargeByTransfer(body: Record<string, unknown> = transferSale): Promise<string> {
      const { payment_id } = await this.payByTransfer(await this.createCheckout(body))
      await ok(this.deposit(payment_id))
      return payment_id
    },
    setWebhook: (webhook_url: string | null, webhook_secret = 'a-test-secret') =>
      ok(call('PUT', '/api/v1/notifications/webhooks/configuration', { webhook_url, webhook_secret })),
  }
}

export type Merchant = ReturnType<typeof createMerchant>
