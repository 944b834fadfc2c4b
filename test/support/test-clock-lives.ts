import type { Life } from './life.ts'
import { cards } from './merchant.ts'
import type { Stack } from './stack.ts'
import { subscriptionsOf } from './subscription.ts'

// Lives of processes whose resources are on a test clock, and of the clock itself.

/** Makes a clock and attaches resources to it. Returns its id. */
async function clockWith({ merchant }: Stack, members: object): Promise<string> {
  const { body } = await merchant.call('POST', '/v1/test-helpers/clocks', { name: 'A clock' })
  const id = String(body['clock_id'])
  await merchant.call('POST', `/v1/test-helpers/clocks/${id}/attach`, members)
  return id
}

const advance = ({ merchant }: Stack, clockId: string, by: string) =>
  merchant.call('POST', `/v1/test-helpers/clocks/${clockId}/advance`, { by })

export const lives: Record<string, Life> = {
  'clock-advanced': {
    process: 'clock',
    async play(stack) {
      const { checkout_id } = await stack.merchant.createCheckout()
      const id = await clockWith(stack, { checkout_id })
      await advance(stack, id, 'PT2H')
      return id
    },
  },
  'checkout-expired-on-a-clock': {
    process: 'checkout',
    async play(stack) {
      const session = await stack.merchant.createCheckout()
      const id = await clockWith(stack, { checkout_id: session.checkout_id })
      await stack.merchant.payByCard(session, cards.declined)
      await advance(stack, id, 'PT2H')
      return session.checkout_id
    },
  },
  'subscription-renewed-on-a-clock': {
    process: 'subscription',
    async play(stack) {
      const plans = subscriptionsOf(stack)
      const { subscription_id } = await plans.subscribe()
      const id = await clockWith(stack, { subscription_id })
      await advance(stack, id, 'P1M')
      await advance(stack, id, 'P2M')
      await plans.act(subscription_id, 'cancel', { at_period_end: false })
      return subscription_id
    },
  },
  'refund-polled-on-a-clock': {
    process: 'refund',
    async play(stack) {
      const charge = await stack.merchant.chargeByCard()
      const id = await clockWith(stack, { payment_id: charge })
      const { refund_id } = await stack.merchant.refund(charge, { reference: 'sandbox_no_answer' })
      await stack.dispatched()
      await advance(stack, id, 'P1D')
      await stack.sql(`update simulated_refunds set status = 'succeeded', executions = 1 where refund_id = ?`, [
        refund_id,
      ])
      await advance(stack, id, 'P1D')
      return refund_id
    },
  },
}
