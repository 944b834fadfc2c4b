import type { Stories } from '../examples.ts'

const one = '/v1/test-helpers/clocks/{clock_id}'

export const stories: Stories = {
  async clocks({ show, known, merchant, call }) {
    const made = await show('POST /v1/test-helpers/clocks', { body: { name: 'A year of a subscription' } })
    known['clock_id'] = String(made['clock_id'])
    const session = await merchant.createCheckout()
    await show(`POST ${one}/attach`, { body: { checkout_id: [session.checkout_id] } })
    await show(`POST ${one}/advance`, { body: { by: 'P1D' } })
    const { body } = await call('POST', '/v1/test-helpers/clocks', { name: 'An old one' })
    const kept = String(known['clock_id'])
    await show(`DELETE ${one}`, { params: { clock_id: String(body['clock_id']) } })
    known['clock_id'] = kept
  },

  async scenarios({ show }) {
    await show('POST /v1/test-helpers/scenarios', {
      body: {
        name: 'A sale that is refunded',
        steps: [{ create: { amount: '25.00', currency: 'USD' } }, { pay: {} }, { refund: { amount: '5.00' } }],
      },
    })
  },
}
