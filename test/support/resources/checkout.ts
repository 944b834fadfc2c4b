import { bearer, fromAnywhere } from '../api.ts'
import { buyer, card, cards, sale, transferSale } from '../merchant.ts'
import { makePayment, type Makers, type Owner, type Processes, type Routes } from '../resource.ts'

const payment = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }

/** A sale whose buyer has chosen a bank transfer that has not arrived yet. */
async function awaitTransfer({ keys }: Owner) {
  const { merchant } = keys.sandbox
  const session = await merchant.createCheckout({ ...transferSale, customer: buyer })
  const headers = { ...bearer(session.client_secret), ...fromAnywhere() } // the calls of one address are limited
  const how = { payment_method: 'NGN_BANK_TRANSFER', customer_details: buyer }
  const paid = await merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/pay`, how, headers)
  return { ...session, payment_id: String(paid.body['payment_id']) }
}

export const makers: Makers = {
  checkout_id: {
    prefix: 'chk',
    async make(_stack, { keys }, environment) {
      // A live account has no rail yet, so it can only make free sales.
      const amount = environment === 'live' ? '0.00' : sale.amount
      const { checkout_id: id, client_secret: secret } = await keys[environment].merchant.createCheckout({
        ...sale,
        amount,
      })
      return { id, secret }
    },
    async makeByCalls(_stack, owner) {
      const { checkout_id: id, client_secret: secret } = await awaitTransfer(owner)
      return { id, secret }
    },
  },
  payment_id: {
    prefix: 'pay',
    make: async (...of) => ({ id: await makePayment(...of) }),
    makeByCalls: async (_stack, owner) => ({ id: (await awaitTransfer(owner)).payment_id }),
  },
}

export const routes: Routes = {
  'POST /v1/checkout-sessions': {
    body: sale,
    bodies: ({ product_id, customer_id }) => [
      {
        ...sale,
        customer: buyer,
        metadata: { a: 'b' },
        payment_method_options: { crypto: { currencies: ['USDT_SOL'] } },
      },
      { product_cart: [{ product_id, quantity: 1 }], customer: { id: customer_id }, success_url: sale.success_url },
      { ...sale, transfer_data: { destination: 'acct_x', amount: '1.00' } },
    ],
  },
  'GET /v1/checkout-sessions': {},
  'GET /v1/checkout-sessions/{checkout_id}': {},
  'POST /v1/checkout-sessions/{checkout_id}/cancel': {},
  'GET /v1/checkout-sessions/{checkout_id}/public': {},
  'POST /v1/checkout-sessions/{checkout_id}/pay': {
    body: payment,
    bodies: () => [
      { payment_method: 'USD_CARD', card: card(cards.declined), customer_details: buyer, confirm: true },
      { payment_method: 'MOMO_KES', phone_number: '+254700000002', provider: 'mpesa', customer_details: buyer },
      { payment_method: 'CRYPTO', asset: 'USDT_TRC20', customer_details: buyer },
    ],
  },
  'POST /v1/checkout-sessions/{checkout_id}/confirm': { body: {}, bodies: () => [{ code: '123456' }] },
  'PUT /v1/accounts/checkout/settings': {
    body: { fee_preference: 'org_pays' },
    bodies: () => [
      {
        fee_preference: 'org_pays',
        enabled_payment_methods: {
          CRYPTO: { enabled: true, currencies: { USDT_SOL: true } },
          USD_CARD: { enabled: true },
        },
      },
    ],
  },
  'GET /v1/accounts/checkout/settings': {},
  'GET /v1/payments': {},
  'GET /v1/payments/{payment_id}': {},
  'POST /v1/payments/{payment_id}/accept': {},
  'GET /v1/summary': {},
  'GET /v1/payment-methods': {},
  'POST /v1/test-helpers/checkout-sessions/{checkout_id}/pay': {
    body: {},
    bodies: () => [{ outcome: 'failed', customer_details: buyer }],
  },
  'POST /v1/test-helpers/payments/{payment_id}/deposit': {
    body: {},
    bodies: () => [{ amount: '1.00', sender_name: 'A', session_id: 'S1', tx_hash: 'T1' }],
  },
}

export const processes: Processes = {
  checkout: {
    begun: 'checkouts',
    unfinished: `select id, account_id, environment from checkouts where status = 'open' or listens_until > :now`,
  },
}
