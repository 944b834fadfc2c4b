import { createLink, newLink, openPrice, slugOf } from '../payment-link.ts'
import type { Makers, Routes } from '../resource.ts'

const freePrice = { price_type: 'free', currency: 'USD' }

export const makers: Makers = {
  payment_link_id: {
    prefix: 'pl',
    async make(_stack, { keys }, environment) {
      return { id: (await createLink(keys[environment].merchant, { price: freePrice })).payment_link_id }
    },
    makeByCalls: async (_stack, { keys }) => ({
      id: (await createLink(keys.sandbox.merchant, { price: openPrice })).payment_link_id,
    }),
  },
  slug: {
    prefix: 'pl',
    async make(_stack, { keys }, environment) {
      return { id: slugOf(await createLink(keys[environment].merchant, { price: freePrice })) }
    },
    makeByCalls: async (_stack, { keys }) => ({
      id: slugOf(await createLink(keys.sandbox.merchant, { price: openPrice })),
    }),
  },
}

const link = { ...newLink, metadata: { a: 'b' }, payment_method_options: { card: { currencies: ['USD'] } } }

export const routes: Routes = {
  'POST /v1/payment-links': {
    body: { ...newLink, price: freePrice },
    bodies: ({ product_id }) => [
      { ...link, max_completions: 3, expires_at: '2999-01-01T00:00:00Z', inactive_message: 'Gone', active: true },
      { ...link, price: undefined, product_cart: [{ product_id, quantity: 1 }] },
    ],
  },
  'GET /v1/payment-links': {},
  'GET /v1/payment-links/{payment_link_id}': {},
  'PATCH /v1/payment-links/{payment_link_id}': {
    body: { name: 'Another name' },
    bodies: () => [
      { payment_method_options: { card: { currencies: ['USD'] } } },
      { name: 'B', active: true, max_completions: null, expires_at: null, inactive_message: null, price: null },
    ],
  },
  'GET /v1/payment-links/{slug}/public': {},
  'POST /v1/payment-links/{slug}/sessions': {
    body: {},
    bodies: () => [
      {
        amount: '5.00',
        customer_email: 'ada@example.com',
        customer_name: 'Ada',
        reference: 'r',
        utm: { utm_source: 'mail' },
      },
    ],
  },
}
