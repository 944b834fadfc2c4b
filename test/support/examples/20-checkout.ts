import type { Stories } from '../examples.ts'
import { buyer, card, cards, sale, transferSale } from '../merchant.ts'
import { saveCard } from '../saved-card.ts'
import { until } from '../until.ts'

const order = {
  amount: '25.00',
  currency: 'USD',
  description: 'Order 1001',
  success_url: 'https://example.com/thanks',
}

export const stories: Stories = {
  async customers({ show, known }) {
    const email = 'ada@example.com'
    const body = { email, name: 'Ada Buyer', phone_number: '+2348012345678', metadata: { shop_id: 'lagos-7' } }
    const made = await show('POST /v1/customers', { body })
    known['customer_id'] = String(made['customer_id'])
    await show('PATCH /v1/customers/{customer_id}', {
      body: { billing_address: { line1: '12 Marina Road', city: 'Lagos', postal_code: '101241', country: 'NG' } },
    })
  },

  async checkoutSessions({ show, known, merchant }) {
    const opened = await show('POST /v1/checkout-sessions', {
      body: { ...order, reference: 'order-1001', metadata: { shop_id: 'lagos-7' } },
      summary: 'An amount',
    })
    const product_cart = [{ product_id: known['product_id'], quantity: 2 }]
    const { success_url } = order
    await show('POST /v1/checkout-sessions', {
      body: { product_cart, customer: { email: 'ada@example.com', name: 'Ada Buyer' }, success_url },
      name: 'products',
      summary: 'Products',
    })
    await show('POST /v1/checkout-sessions', {
      body: { setup: true, customer: { id: known['customer_id'] }, success_url },
      name: 'setup',
      summary: 'No sale: it saves a card for later',
    })
    const checkout_id = String(opened['checkout_id'])
    known['checkout_id'] = checkout_id
    const as = String(opened['client_secret'])
    await show('GET /v1/checkout-sessions/{checkout_id}/public', { as })
    await show('POST /v1/checkout-sessions/{checkout_id}/pay', {
      as,
      body: { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer },
      summary: 'By card',
    })
    const paid = await show('POST /v1/checkout-sessions/{checkout_id}/confirm', { as, body: {} })
    const phone = await merchant.createCheckout({ ...order, amount: '1000.00', currency: 'KES' })
    const wallet = { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' }
    await show('POST /v1/checkout-sessions/{checkout_id}/pay', {
      params: { checkout_id: phone.checkout_id },
      as: phone.client_secret,
      body: { ...wallet, customer_details: buyer },
      name: 'mobileMoney',
      summary: 'By mobile money',
    })
    const left = await merchant.createCheckout(order)
    await show('POST /v1/checkout-sessions/{checkout_id}/cancel', { params: { checkout_id: left.checkout_id } })
    Object.assign(known, { checkout_id, payment_id: String(paid['payment_id']) })
  },

  async savedCards({ show, known, merchant, call }) {
    const { checkout_id: latest } = known
    const person = { email: 'chidi@example.com', name: 'Chidi Buyer' }
    const { body: customer } = await call('POST', '/v1/customers', person)
    const id = String(customer['customer_id'])
    const payment_method_id = await saveCard(merchant, id)
    const opened = await show('POST /v1/checkout-sessions', {
      body: { ...order, description: 'Order 1003', customer: { id }, offer_saved_cards: true },
      name: 'savedCard',
      summary: 'To a known customer, whose saved cards are offered',
    })
    const params = { checkout_id: String(opened['checkout_id']) }
    const as = String(opened['client_secret'])
    await show('GET /v1/checkout-sessions/{checkout_id}/public', {
      params,
      as,
      name: 'savedCard',
      summary: 'With the saved cards that the buyer may choose',
    })
    await show('POST /v1/checkout-sessions/{checkout_id}/pay', {
      params,
      as,
      name: 'savedCard',
      body: { payment_method: 'USD_CARD', card: { payment_method_id, cvc: '123' }, confirm: true },
      summary: 'With a saved card and its security code',
    })
    known['checkout_id'] = String(latest)
  },

  async payments({ show, known, merchant, call }) {
    await show('GET /v1/payments/{payment_id}/receipt')
    const transfer = await merchant.createCheckout(transferSale)
    const { payment_id } = await merchant.payByTransfer(transfer)
    await show('POST /v1/test-helpers/payments/{payment_id}/deposit', {
      params: { payment_id },
      body: { amount: '4000.00', sender_name: 'Ada Buyer' },
    })
    await merchant.cancel(transfer.checkout_id)
    const isShort = async () => (await merchant.getPayment(payment_id))['status'] === 'underpaid'
    await until(isShort, 'too little has arrived')
    await show('POST /v1/payments/{payment_id}/accept', { params: { payment_id } })
    const session = await merchant.createCheckout(sale)
    await show('POST /v1/test-helpers/checkout-sessions/{checkout_id}/pay', {
      params: { checkout_id: session.checkout_id },
      body: { outcome: 'success', customer_details: buyer },
    })
    await call('GET', '/v1/payments')
    Object.assign(known, { payment_id: await merchant.chargeByCard(), checkout_id: session.checkout_id })
  },

  async paymentLinks({ show, known }) {
    const price = { price_type: 'fixed', amount: '25.00', currency: 'USD' }
    const link = await show('POST /v1/payment-links', {
      body: { name: 'A poster', price, success_url: 'https://example.com/thanks', max_completions: 100 },
    })
    Object.assign(known, { payment_link_id: link['payment_link_id'], slug: String(link['url']).split('/').at(-1) })
    await show('PATCH /v1/payment-links/{payment_link_id}', { body: { name: 'A poster, signed' } })
    await show('GET /v1/payment-links/{slug}/public')
    await show('POST /v1/payment-links/{slug}/sessions', {
      body: { customer_email: 'ada@example.com', customer_name: 'Ada Buyer', utm: { utm_source: 'newsletter' } },
    })
  },

  async settings({ show }) {
    const enabled_payment_methods = { USD_CARD: { enabled: true }, CRYPTO: { enabled: false } }
    await show('PUT /v1/accounts/checkout/settings', { body: { fee_preference: 'org_pays', enabled_payment_methods } })
  },
}
