import type { Stage } from '../example-stage.ts'
import type { Stories } from '../examples.ts'
import { laterCards, subscriptionsOf } from '../subscription.ts'

const one = '/v1/subscriptions/{subscription_id}'
const own = '/v1/customer-portal/subscriptions/{subscription_id}'

/** Two more plans: what a subscription may change to, in the API and in the portal. */
async function addPlans(stage: Stage) {
  const plans = subscriptionsOf({ ...stage.stack, merchant: stage.merchant })
  const [small, large] = [await plans.createProduct(), await plans.createProduct({ name: 'Large', amount: '60.00' })]
  const products = [small.product_id, large.product_id]
  await stage.call('POST', '/v1/product-groups', { name: 'Plans', products })
  return { plans, small: small.product_id, large: large.product_id }
}

/** A subscription to a plan, paid by card. */
async function begin({ merchant, stack }: Stage, productId: string, email: string) {
  const plans = subscriptionsOf({ ...stack, merchant })
  const opened = await plans.createSession(productId, { customer: { email, name: 'A Buyer' } })
  await stack.dispatched()
  await merchant.payByCard(opened)
  const { recurring } = (await merchant.getCheckout(opened.checkout_id)) as { recurring: { subscription_id: string } }
  await stack.dispatched()
  return plans.read(recurring.subscription_id)
}

export const stories: Stories = {
  async subscriptions(stage) {
    const { show, known } = stage
    const { small, large } = await addPlans(stage)
    const { subscription_id } = await begin(stage, small, 'ngozi@example.com')
    known['subscription_id'] = subscription_id
    await show(`PATCH ${one}`, { body: { metadata: { seats: '4' } } })
    await show(`POST ${one}/preview-change`, { body: { product_id: large } })
    await show(`POST ${one}/change-plan`, { body: { product_id: large, proration: 'next_period' } })
    await show(`POST ${one}/pause`, { body: { at_period_end: false } })
    await show(`POST ${one}/resume`)
    await show(`POST ${one}/cancel`, { body: { at_period_end: true, reason: 'too_expensive' } })
    await show(`POST ${one}/uncancel`)
  },

  async portal(stage) {
    const { show, known } = stage
    const { plans, small, large } = await addPlans(stage)
    const { subscription_id, customer } = await begin(stage, small, 'efe@example.com')
    const opened = await show('POST /v1/customer-sessions', {
      body: { customer_id: customer.id, return_url: 'https://example.com/account' },
    })
    const as = String(opened['token'])
    const [invoice] = await plans.invoices(subscription_id)
    Object.assign(known, { subscription_id, customer_id: customer.id, invoice_id: invoice?.invoice_id })
    await show('GET /v1/customer-portal/me', { as })
    await show('PATCH /v1/customer-portal/me', { as, body: { name: 'Ada B. Buyer' } })
    await show('GET /v1/customer-portal/subscriptions', { as })
    await show(`GET ${own}`, { as })
    await show(`GET ${own}/plans`, { as })
    await show(`POST ${own}/preview-change`, { as, body: { product_id: large } })
    await show('GET /v1/customer-portal/invoices', { as })
    await show('GET /v1/customer-portal/invoices/{invoice_id}', { as })
    const card = await plans.saveCard(customer.id)
    await show('GET /v1/customer-portal/payment-methods', { as })
    await show('POST /v1/customer-portal/payment-methods', { as, body: {} })
    await show(`POST ${own}/payment-method`, { as, body: { payment_method_id: card } })
    const other = await plans.saveCard(customer.id, laterCards.expires)
    const removed = { payment_method_id: other }
    await show('DELETE /v1/customer-portal/payment-methods/{payment_method_id}', { as, params: removed })
    await show(`POST ${own}/cancel`, { as, body: { reason: 'too_expensive', comment: 'I come back in summer' } })
    await show(`POST ${own}/uncancel`, { as })
    await show(`POST ${own}/change-plan`, { as, body: { product_id: large } })
    known['payment_method_id'] = card
  },
}
