import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { buyer, card, cards, sale, setup } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)

async function pay(token: string, body: Record<string, unknown> = sale) {
  const session = await stack.merchant.createCheckout(body)
  const choice = { payment_method: 'USD_CARD', card: { token }, confirm: true }
  return { session, reply: await stack.merchant.pay(session, choice) }
}

const failures = ['card_declined', 'insufficient_funds', 'expired_card']
for (const failure of failures) {
  test(`tok_${failure} fails as the documented card does`, async () => {
    const { reply } = await pay(`tok_${failure}`)
    assert.deepEqual([reply.body['payment_status'], reply.body['failure_code']], ['failed', failure])
  })
}

test('a token pays in place of card details, and its receipt shows the card’s brand and digits', async () => {
  const { reply } = await pay('tok_success')
  assert.equal(reply.body['payment_status'], 'succeeded', reply.text)
  const payment = await stack.merchant.getPayment(String(reply.body['payment_id']))
  const { brand, last4 } = payment['payment_method_details'] as Record<string, unknown>
  assert.deepEqual([brand, last4], ['visa', '4242'])
})

test('a token asks for a code where its card does, and saves a card', async () => {
  const paying = await pay('tok_asks_for_3ds')
  assert.deepEqual(paying.reply.body['next_action'], { type: 'otp' })
  const { body } = await stack.merchant.confirm(paying.session, { code: '123456' })
  assert.equal(body['payment_status'], 'succeeded')
  assert.equal((await pay('tok_success', { ...setup, customer: buyer })).reply.body['payment_status'], 'succeeded')
})

test('an unknown or malformed token is refused, and so is a card without its details', async () => {
  const unknown = await pay('tok_4242424242424242')
  assertFieldErrors(unknown.reply, { 'card.token': 'value_error' })
  assert.ok(!unknown.reply.text.includes('4242'))
  assertFieldErrors((await pay('constructor')).reply, { 'card.token': 'value_error' })
  assertFieldErrors((await pay('no token')).reply, { 'card.token': 'value_error.format' })
  const session = await stack.merchant.createCheckout(sale)
  const send = (body: unknown) => stack.merchant.pay(session, { payment_method: 'USD_CARD', card: body })
  const missing = 'value_error.missing'
  assertFieldErrors(await send({}), {
    'card.number': missing,
    'card.exp_month': missing,
    'card.exp_year': missing,
    'card.cvc': missing,
  })
  const { cvc: _, ...without } = card(cards.success)
  assertFieldErrors(await send(without), { 'card.cvc': missing })
  assertError(await send(null), 400, 'VALIDATION_ERROR')
})
