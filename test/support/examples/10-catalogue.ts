import type { Stories } from '../examples.ts'
import { pdf, sendFile } from '../upload.ts'

const plan = { name: 'Team plan', price_type: 'fixed', amount: '25.00', currency: 'USD' }

export const stories: Stories = {
  async products({ show, known, call }) {
    const recurring = { interval: 'month', interval_count: 1 }
    await show('POST /v1/products', {
      body: { ...plan, recurring, description: 'For teams of up to ten people' },
      summary: 'A monthly plan',
    })
    const open = { name: 'A donation', price_type: 'custom', currency: 'USD', minimum_amount: '1.00' }
    const once = await show('POST /v1/products', {
      body: open,
      name: 'custom',
      summary: 'The buyer chooses the amount',
    })
    known['product_id'] = String(once['product_id'])
    await show('PATCH /v1/products/{product_id}', { body: { name: 'A donation to the library' } })
    const product = await call('POST', '/v1/products', { ...plan, name: 'Example Book', amount: '12.00' })
    const poster = await call('POST', '/v1/products', { ...plan, name: 'A poster', amount: '8.00' })
    const products = [poster.body['product_id'], product.body['product_id']]
    const group = await show('POST /v1/product-groups', { body: { name: 'For the office', products } })
    known['product_group_id'] = String(group['product_group_id'])
    await show('PATCH /v1/product-groups/{product_group_id}', { body: { description: 'The poster and the book' } })
    await show('GET /v1/product-groups/{product_group_id}')
    await show('DELETE /v1/product-groups/{product_group_id}')
    const gone = await call('POST', '/v1/products', plan)
    await show('DELETE /v1/products/{product_id}', { params: { product_id: String(gone.body['product_id']) } })
    known['product_id'] = String(product.body['product_id'])
  },

  async uploads({ show, merchant }) {
    const upload = await show('POST /v1/utilities/uploads', { send: () => sendFile(merchant, pdf, 'terms.pdf') })
    await show('DELETE /v1/utilities/uploads/{upload_id}', { params: { upload_id: String(upload['upload_id']) } })
  },
}
