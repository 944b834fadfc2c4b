import type { Stage } from '../example-stage.ts'
import type { Stories } from '../examples.ts'
import { addSeller } from '../platform.ts'
import { laterCards, subscriptionsOf } from '../subscription.ts'

/** A subscription whose card has declined at its first renewal, a month later on a test clock. */
async function owing({ merchant, stack, call }: Stage) {
  const plans = subscriptionsOf({ ...stack, merchant })
  const { product_id } = await plans.createProduct()
  const opened = await plans.createSession(product_id, { customer: { email: 'bola@example.com', name: 'Bola Buyer' } })
  await stack.dispatched()
  await merchant.payByCard(opened, laterCards.declines)
  const { recurring } = (await merchant.getCheckout(opened.checkout_id)) as { recurring: { subscription_id: string } }
  await stack.dispatched()
  const id = recurring.subscription_id
  const { body: clock } = await call('POST', '/v1/test-helpers/clocks', { name: 'A month' })
  const path = `/v1/test-helpers/clocks/${String(clock['clock_id'])}`
  await call('POST', `${path}/attach`, { subscription_id: id })
  await call('POST', `${path}/advance`, { by: 'P32D' })
  const { customer } = await plans.until(id, ({ status }) => status === 'past_due')
  const invoice = (await plans.invoices(id)).find(({ status }) => status === 'open')
  return {
    subscription_id: id,
    customer_id: customer.id,
    invoice_id: String(invoice?.invoice_id),
    page_key: String(invoice?.['hosted_invoice_url']).split('/').at(-1) ?? '',
  }
}

export const stories: Stories = {
  async unpaid(stage) {
    const { show, call } = stage
    // A charge that was asked for goes on for a moment, so each call has an invoice of its own.
    const [first, retried, { page_key }] = [await owing(stage), await owing(stage), await owing(stage)]
    await show('POST /v1/subscriptions/{subscription_id}/retry-payment', {
      params: { subscription_id: first.subscription_id },
    })
    const { subscription_id, customer_id } = retried
    const { body } = await call('POST', '/v1/customer-sessions', { customer_id, return_url: 'https://example.com' })
    await show('POST /v1/customer-portal/subscriptions/{subscription_id}/retry-payment', {
      params: { subscription_id },
      as: String(body['token']),
    })
    await show('GET /v1/invoices/{page_key}/public', { params: { page_key } })
    await show('POST /v1/invoices/{page_key}/pay', { params: { page_key } })
    const again = { name: 'again', summary: 'A session of the invoice is open already' }
    await show('POST /v1/invoices/{page_key}/pay', { params: { page_key }, ...again })
    const [tried, voided] = [await owing(stage), await owing(stage)]
    await show('POST /v1/invoices/{invoice_id}/retry-payment', { params: { invoice_id: tried.invoice_id } })
    await show('POST /v1/invoices/{invoice_id}/void', { params: { invoice_id: voided.invoice_id } })
    await show('GET /v1/invoices/{page_key}/public/pdf', { params: { page_key } })
  },

  async savedCards({ show, merchant, stack, known }) {
    const session = await merchant.createCheckout({ setup: true, success_url: 'https://example.com/thanks' })
    await stack.dispatched()
    await merchant.payByCard(session)
    const { saved_payment_method_id: payment_method_id } = await merchant.getCheckout(session.checkout_id)
    await show('POST /v1/customers/{customer_id}/payment-methods', {
      params: { customer_id: String(known['customer_id']) },
      body: { payment_method_id },
    })
  },

  async platformFees({ show, known, api, accountId }) {
    const seller = await addSeller(api, accountId)
    await seller.merchant.chargeByCard({
      amount: '100.00',
      currency: 'USD',
      description: 'Order 1002',
      success_url: 'https://example.com/thanks',
      platform_fee: '10.00',
    })
    const fees = await show('GET /v1/platform-fees', { query: { limit: 1 } })
    const [fee] = (fees as unknown as { items: { platform_fee_id: string }[] }).items
    known['platform_fee_id'] = String(fee?.platform_fee_id)
    await show('POST /v1/platform-fees/{platform_fee_id}/refund', { body: { amount: '2.00' } })
  },
}
