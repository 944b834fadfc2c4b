import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLiveExchangeRates } from '../../rails/exchange-rates.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import type { ErrorCode } from '../../domain/refusal.ts'
import { newId } from '../../domain/id.ts'
import { bearer, fromAnywhere } from './api.ts'
import { endow, exchanging } from './conversion.ts'
import type { Stage } from './example-stage.ts'
import { goLive } from './live.ts'
import { createLogins, paths } from './login.ts'
import { buyer, createMerchant, type Merchant, type Reply, sale, transferSale } from './merchant.ts'
import { addDestination } from './payout.ts'
import { addCapability } from './rows.ts'
import { until } from './until.ts'
import { addUser } from './user.ts'

const { success_url } = sale
const customer = { email: 'ada@example.com', name: 'Ada Buyer' }

/** A call that is refused with each code. Every operation that may refuse so shows it, unless it has one of its own. */
export const errorStories: Partial<Record<ErrorCode, (stage: Stage) => Promise<Reply>>> = {
  VALIDATION_ERROR: ({ merchant }) => post(merchant, '/v1/checkout-sessions', { ...sale, amount: '5,000' }),
  UNAUTHORIZED: ({ merchant }) => merchant.call('GET', '/v1/payments', undefined, { authorization: '' }),
  FORBIDDEN: async ({ stack, accountId, call }) => {
    const viewer = await addUser(stack, { accountId, role: 'viewer' })
    return call('POST', '/v1/customers', customer, await viewer.token())
  },
  NOT_FOUND: ({ merchant }) => merchant.call('GET', `/v1/payments/${newId('pay', 0)}`),
  CONFLICT: async ({ merchant }) => {
    const session = await merchant.createCheckout()
    await merchant.payByCard(session)
    return merchant.cancel(session.checkout_id)
  },
  TOO_MANY_REQUESTS: async ({ api, stack }) => {
    const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
    const call = () => stack.merchant.call('GET', '/v1/payment-methods', undefined, { ...bearer(key), ...fromOne })
    let answer = await call()
    // Calls are counted by the minute, and one may begin meanwhile.
    for (let calls = 0; calls < 200 && answer.status !== 429; calls++) answer = await call()
    return answer
  },
  INTERNAL_SERVER_ERROR: (stage) => quoteAt(stage, { rate: () => Promise.reject(new Error('a fault')) }),
  SERVICE_UNAVAILABLE: (stage) => withFeed(503, (rates) => quoteAt(stage, rates), stage.stack),
  BAD_GATEWAY: (stage) => withFeed(404, (rates) => quoteAt(stage, rates), stage.stack),
  CUSTOMER_REQUIRED: async ({ merchant, call }) => {
    const recurring = { interval: 'month', interval_count: 1 }
    const plan = { name: 'Team plan', price_type: 'fixed', amount: '25.00', currency: 'USD', recurring }
    const { body } = await call('POST', '/v1/products', plan)
    return post(merchant, '/v1/checkout-sessions', { product_cart: [{ product_id: body['product_id'] }], success_url })
  },
  CURRENCY_NOT_SUPPORTED: ({ merchant }) => post(merchant, '/v1/checkout-sessions', { ...sale, currency: 'XAU' }),
  CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: ({ merchant }) =>
    post(merchant, '/v1/checkout-sessions', {
      ...sale,
      payment_method_options: { mobile_money: { currencies: ['USD'] } },
    }),
  PAYMENT_METHOD_NOT_ALLOWED: async ({ merchant }) => {
    const session = await merchant.createCheckout({
      ...sale,
      payment_method_options: { card: { currencies: ['USD'] } },
    })
    return merchant.pay(session, { payment_method: 'NGN_BANK_TRANSFER', customer_details: buyer })
  },
  ACCOUNT_NOT_ACTIVATED: ({ owner }) => post(owner.keys.live.merchant, '/v1/checkout-sessions', sale),
  ACCOUNT_PAYMENT_METHODS_RESTRICTED: async (stage) => {
    const { merchant, accountId } = await addLive(stage)
    await stage.stack.sql(`update account_capabilities set status = 'restricted' where account_id = ?`, [accountId])
    return post(merchant, '/v1/checkout-sessions', sale)
  },
  CHECKOUT_HAS_NO_PAYMENT_METHOD: async (stage) => post((await addLive(stage)).merchant, '/v1/checkout-sessions', sale),
  CAPABILITY_NOT_ACTIVE: async ({ api, stack }) => {
    const { merchant, accountId } = await api.addMerchant()
    const owner = { accountId, environment: 'sandbox' as const }
    await addCapability(stack, owner, 'payouts', 'restricted')
    return post(merchant, '/v1/payouts', { destination: await addDestination(stack, owner), amount: '1000.00' })
  },
  SIMULATION_NOT_ALLOWED: ({ owner }) =>
    post(owner.keys.live.merchant, '/api/v1/payments/refunds', {
      charge_id: newId('pay', 0),
      reference: 'return-1',
      simulated_outcome: 'success',
    }),
  CHARGE_NOT_REFUNDABLE: async ({ merchant }) => {
    const { payment_id: charge_id } = await merchant.payByTransfer(await merchant.createCheckout(transferSale))
    return post(merchant, '/api/v1/payments/refunds', { charge_id, reference: 'return-1' })
  },
  REFUND_EXCEEDS_REMAINING: async ({ merchant }) =>
    post(merchant, '/api/v1/payments/refunds', {
      charge_id: await merchant.chargeByCard(),
      reference: 'return-1',
      amount: 25.01,
    }),
  REFUND_ADDRESS_REQUIRED: async ({ merchant }) => {
    const { payment_id } = await merchant.payByCrypto(await merchant.createCheckout({ ...sale, amount: '100.00' }))
    await merchant.deposit(payment_id)
    const isPaid = async () => (await merchant.getPayment(payment_id))['status'] === 'succeeded'
    await until(isPaid, 'two confirmations have followed')
    return post(merchant, '/api/v1/payments/refunds', { charge_id: payment_id, reference: 'return-1', amount: 10 })
  },
  AMOUNT_BELOW_MINIMUM: async ({ merchant }) =>
    post(merchant, '/api/v1/payments/refunds', {
      charge_id: await merchant.chargeByCard(),
      reference: 'return-1',
      amount: 0.3,
      fee_bearer: 'CUSTOMER',
    }),
  INSUFFICIENT_BALANCE: async ({ api, stack }) => {
    const { merchant, accountId } = await api.addMerchant()
    await endow(stack, accountId, '120.00', 'NGN')
    const destination = await addDestination(stack, { accountId, environment: 'sandbox' })
    return post(merchant, '/v1/payouts', { destination, amount: '1000.00' })
  },
  DESTINATION_NOT_USABLE: async ({ merchant, stack, accountId }) => {
    const destination = await addDestination(stack, { accountId, environment: 'sandbox' }, { status: 'rejected' })
    return post(merchant, '/v1/payouts', { destination, amount: '1000.00' })
  },
  QUOTE_REQUIRED: async ({ merchant, stack, accountId }) => {
    const destination = await addDestination(stack, { accountId, environment: 'sandbox' }, { currency: 'GBP' })
    return post(merchant, '/v1/payouts', { destination, amount: '10.00' })
  },
  QUOTE_EXPIRED: async ({ merchant, stack }) => {
    const { quote_id } = await exchanging(merchant).quote()
    await stack.sql(`update conversion_quotes set expires_at = now() - interval '1 minute' where id = ?`, [quote_id])
    return post(merchant, '/v1/conversions', { quote_id })
  },
  QUOTE_ALREADY_USED: async ({ merchant }) => {
    const { quote_id } = await exchanging(merchant).quote()
    await exchanging(merchant).execute(quote_id)
    return post(merchant, '/v1/conversions', { quote_id })
  },
  ACTIVE_KEY_EXISTS: async ({ person, call }) =>
    call('POST', '/api/v1/auth/api-keys', { key_name: 'The shop' }, await person.token()),
  INVALID_LOGIN_TOKEN: ({ stack }) =>
    createLogins(stack).post(paths.password, { email: 'ada@example.com', password: 'a-password', login_token: 'old' }),
  INVALID_CREDENTIALS: ({ stack }) =>
    createLogins(stack).sendPassword({ email: 'nobody@example.com', password: 'a-password' }),
  EMAIL_NOT_VERIFIED: async ({ stack }) => {
    const logins = createLogins(stack)
    return logins.sendPassword(await logins.addPerson({ emailVerified: false }))
  },
  ACCOUNT_LOCKED: async ({ stack }) => {
    const logins = createLogins(stack)
    const { email } = await logins.addPerson()
    for (let tries = 0; tries < 5; tries++) await logins.sendPassword({ email, password: 'a-wrong-password' })
    return logins.sendPassword({ email, password: 'a-wrong-password' })
  },
  INVALID_CODE: async ({ stack }) => {
    const logins = createLogins(stack)
    return logins.sendCode(await logins.challenge(await logins.addPerson()), '000000')
  },
}

const fromOne = { 'x-forwarded-for': '10.1.2.3' }
const post = (merchant: Merchant, path: string, body: object) =>
  merchant.call('POST', path, body, { ...fromAnywhere() })

/** A live organization of which everything is active; no live provider is connected. */
async function addLive({ stack, api }: Stage) {
  const { merchant, accountId } = await api.addMerchant('live')
  await goLive(stack, accountId, capabilities)
  return { merchant, accountId }
}

/** Asks an API with its own source of exchange rates for a quote. */
async function quoteAt({ api, owner }: Pick<Stage, 'api' | 'owner'>, rates: Rates): Promise<Reply> {
  const merchant = createMerchant(await api.addProcess({ rates }), owner.keys.sandbox.key)
  return post(merchant, '/v1/conversions/quotes', { from_currency: 'USD', to_currency: 'NGN', from_amount: '1.00' })
}

type Rates = Stage['stack']['services']['rates']

/** Exchange rates from a source that answers with this status. */
async function withFeed(status: number, work: (rates: Rates) => Promise<Reply>, stack: Stage['stack']) {
  const server = createServer((_, response) => void response.writeHead(status).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return await work(createLiveExchangeRates({ url, key: null, logger: stack.services.logger }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
