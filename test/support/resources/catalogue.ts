import { make, type Makers, type Routes } from '../resource.ts'
import { formType, pdfForm, png, sendFile } from '../upload.ts'

const freeProduct = { name: 'A product', price_type: 'free', currency: 'USD' }
const paidProduct = { name: 'A product', price_type: 'fixed', amount: '5.00', currency: 'USD' }

export const makers: Makers = {
  product_id: {
    prefix: 'prod',
    make: async (_stack, { keys }, environment) => ({
      id: await make(keys[environment].merchant, '/v1/products', freeProduct, 'product_id'),
    }),
    makeByCalls: async (_stack, { keys }) => ({
      id: await make(keys.sandbox.merchant, '/v1/products', paidProduct, 'product_id'),
    }),
  },
  product_group_id: {
    prefix: 'pg',
    async make(_stack, { keys }, environment) {
      const { merchant } = keys[environment]
      const product = await make(merchant, '/v1/products', freeProduct, 'product_id')
      return { id: await make(merchant, '/v1/product-groups', { name: 'A', products: [product] }, 'product_group_id') }
    },
    async makeByCalls(_stack, { keys }) {
      const { merchant } = keys.sandbox
      const group = { name: 'A group', products: [await make(merchant, '/v1/products', paidProduct, 'product_id')] }
      return { id: await make(merchant, '/v1/product-groups', group, 'product_group_id') }
    },
  },
  upload_id: {
    prefix: 'upl',
    async make(_stack, { keys }, environment) {
      const { body } = await sendFile(keys[environment].merchant, png)
      return { id: String(body['upload_id']) }
    },
  },
}

export const routes: Routes = {
  'POST /v1/products': {
    body: freeProduct,
    bodies: () => [
      { name: 'A', price_type: 'custom', currency: 'USD', minimum_amount: '1.00', recurring: { interval: 'month' } },
      {
        name: 'A',
        price_type: 'fixed',
        amount: '5.00',
        currency: 'USD',
        minimum_amount: null,
        images: [],
        recurring: {
          interval: 'month',
          interval_count: 1,
        },
        category: 'saas',
        metadata: { a: 'b' },
      },
    ],
  },
  'GET /v1/products': {},
  'GET /v1/products/{product_id}': {},
  'PATCH /v1/products/{product_id}': {
    body: { name: 'Another name' },
    bodies: () => [{ amount: '6.00', suggested_amount: null, recurring: null, images: [] }],
  },
  'DELETE /v1/products/{product_id}': {},
  'POST /v1/product-groups': {
    body: { name: 'A group', products: ['prod_of_nobody'] },
    bodies: ({ product_id }) => [{ name: 'A', products: [product_id], description: null, active: true }],
  },
  'GET /v1/product-groups': {},
  'GET /v1/product-groups/{product_group_id}': {},
  'PATCH /v1/product-groups/{product_group_id}': {
    body: { name: 'Another name' },
    bodies: ({ product_id }) => [{ name: 'B', products: [product_id] }],
  },
  'DELETE /v1/product-groups/{product_group_id}': {},
  'POST /v1/utilities/uploads': { body: pdfForm, type: formType },
  'DELETE /v1/utilities/uploads/{upload_id}': {},
  'GET /v1/reference/product-categories': {},
}
