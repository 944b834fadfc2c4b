import { randomBytes } from 'node:crypto'
import type { Answer, Call } from './api.ts'

/** A call, by default a POST. With `until` it is repeated until its answer passes. */
export type StepCall = Omit<Call, 'method'> & { method?: Call['method']; until?: (answer: Answer) => boolean }
/** Makes a call and shows it to the user. */
export type Step = (what: string, call: StepCall) => Promise<Answer>
export type Recipe = (step: Step) => Promise<unknown>

const sale = {
  amount: '25.00',
  currency: 'USD',
  description: 'A sale made by steadypay trigger',
  success_url: 'https://example.com/thanks?c={CHECKOUT_ID}',
}

/** A buyer who is new to the account: each has another email. */
export const newBuyer = () => ({ name: 'Ada Buyer', email: `ada-${randomBytes(4).toString('hex')}@example.com` })

const open = (step: Step, body: Answer = {}) =>
  step('a checkout session is created', { path: '/v1/checkout-sessions', body: { ...sale, ...body } })

export async function pay(step: Step, what: string, outcome: string, body: Answer = {}): Promise<Answer> {
  const { checkout_id } = await open(step, body)
  const path = `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`
  return step(what, { path, body: { outcome, customer_details: newBuyer() } })
}

/** A subscription that a new buyer has begun, and paid for a month. Returns its path. */
export async function subscribe(step: Step): Promise<string> {
  const product = { name: 'A plan of steadypay trigger', price_type: 'fixed', amount: sale.amount, currency: 'USD' }
  const body = { ...product, recurring: { interval: 'month', interval_count: 1 } }
  const { product_id } = await step('a monthly plan is created', { path: '/v1/products', body })
  const cart = { product_cart: [{ product_id }], customer: newBuyer(), success_url: sale.success_url }
  const { checkout_id } = await step('a checkout session is created', { path: '/v1/checkout-sessions', body: cart })
  const path = `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`
  const { recurring } = await step('the buyer pays by card', { path, body: { outcome: 'success' } })
  return `/v1/subscriptions/${(recurring as { subscription_id: string }).subscription_id}`
}

type Outcome = 'success' | 'failed'
/** What to send with the sale and with its refund. */
type With = { sale?: Answer; refund?: Answer }

/** Refunds a part of a sale by card. */
export async function refund(step: Step, what: string, outcome: Outcome, sent: With = {}): Promise<void> {
  const { charge } = await pay(step, 'the buyer pays by card', 'success', sent.sale)
  const { payment_id: charge_id } = charge as { payment_id: string }
  const body = { charge_id, reference: 'steadypay trigger', amount: 10, simulated_outcome: outcome, ...sent.refund }
  await step(what, { path: '/api/v1/payments/refunds', body })
}

/** As on the hosted page: the buyer chooses a transfer of 5000.00, and then sends it, or a part of it. */
export async function transfer(step: Step, what: string, amount: string): Promise<void> {
  const { checkout_id, client_secret } = await open(step, { amount: '5000.00', currency: 'NGN' })
  const attempt = await step('the buyer chooses a bank transfer', {
    path: `/v1/checkout-sessions/${checkout_id}/pay`,
    body: { payment_method: 'NGN_BANK_TRANSFER', customer_details: newBuyer() },
    as: String(client_secret),
  })
  await step(what, { path: `/v1/test-helpers/payments/${attempt['payment_id']}/deposit`, body: { amount } })
}
