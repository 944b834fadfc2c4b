import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorKeys, corridorOf, priceOf } from '../../domain/corridor.ts'
import { callingCodesOf, providersOf } from '../../domain/checkout/mobile-money.ts'
import { detailsOf } from '../support/details.ts'
import { mobileSale, sale } from '../support/merchant.ts'
import { eventsOfSale } from '../support/sale-events.ts'
import { settled } from '../support/settled.ts'
import { useStack } from '../support/use-stack.ts'

const minute = 60_000
const hour = 60 * minute

// Buyers take so long that none answers a prompt between two calls of a test on a busy machine.
const thinkingMs = 30_000
const stack = await useStack({ skipping: true, invariants: 'after each test', pace: { thinkingMs } })

const corridors = corridorKeys.filter((key) => corridorOf(key).method === 'mobile_money')
const open = (body: Record<string, unknown> = {}) => stack.merchant.createCheckout({ ...mobileSale, ...body })
/** A number in Kenya by its last digit, which decides what its owner does. */
const ending = (digit: number) => ({ phone_number: `+25470000000${digit}` })

for (const key of corridors) {
  const { currency } = corridorOf(key)
  test(`${key}: the buyer answers the prompt and the sale settles in ${currency}`, async () => {
    const session = await stack.merchant.createCheckout({ ...sale, amount: '2000', currency })
    const number = `+${callingCodesOf(currency)[0]}700000001`
    const provider = providersOf(currency).find((each) => each !== 'vodafone')
    const attempt = await stack.merchant.payByPhone(session, { payment_method: key, phone_number: number, provider })
    assert.equal(attempt.payment_status, 'requires_action')
    const { expires_at, ...prompt } = attempt.next_action
    const masked = `${number.slice(0, 4)}******001`
    assert.deepEqual(prompt, { type: 'phone_prompt', provider, phone_number: masked })
    const left = Date.parse(expires_at ?? '') - (await stack.clock.now())
    assert.ok(left > 4 * minute && left <= 5 * minute, `${left} ms`)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    const payment = await stack.merchant.getPayment(attempt.payment_id)
    assert.deepEqual(payment['payment_method_details'], { provider, phone_number: masked })
    assert.equal(payment['currency'], currency)
    const entries = await stack.sql<{ book: string; currency: string; amount: string }>(
      `select book, currency, trim_scale(amount)::text as amount from ledger_entries e
       join ledger_transactions t on t.id = e.transaction_id where t.source_id = ? order by book`,
      [attempt.payment_id],
    )
    const { settles, fee } = priceOf('2000', key, 'org_pays')
    assert.deepEqual(
      entries.map((entry) => [entry.book, entry.currency, Number(entry.amount)]),
      [
        ['fees', currency, Number(fee)],
        ['merchant', currency, Number(settles)],
        ['rail', currency, -2000],
      ],
    )
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
    assert.ok((await stack.historyLength('checkout', session.checkout_id)) <= 40)
  })
}

for (const [digit, failureCode] of [
  [2, 'insufficient_funds'],
  [3, 'authentication_failed'],
  [4, 'customer_rejected'],
] as const) {
  test(`a number that ends in ${digit} fails with ${failureCode}, and another wallet may be tried`, async () => {
    const session = await open()
    const { payment_id } = await stack.merchant.payByPhone(session, ending(digit))
    await stack.skip(2 * thinkingMs)
    const failed = await stack.merchant.getPayment(payment_id)
    assert.deepEqual([failed['status'], failed['failure_code']], ['failed', failureCode])
    assert.equal((await stack.merchant.getCheckout(session.checkout_id))['payment_status'], 'failed')
    await stack.merchant.payByPhone(session, ending(7))
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    const events = ['collection.failed', 'collection.succeeded', 'checkout.completed']
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), events)
  })
}

test('an unanswered prompt fails after five minutes, not before, and operators see the wait', async () => {
  const session = await open()
  const { payment_id, next_action } = await stack.merchant.payByPhone(session, ending(5))
  const says = () => detailsOf(stack.client, 'checkout', session.checkout_id)
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.ok((await says()).endsWith(`the buyer, until ${next_action['expires_at']}, then the rail is asked again.`))
  await stack.skip(4 * minute + 50_000)
  assert.equal((await stack.merchant.getPayment(payment_id))['status'], 'requires_action')
  await stack.skip(11_000)
  const failed = await stack.merchant.getPayment(payment_id)
  assert.deepEqual([failed['status'], failed['failure_code']], ['failed', 'customer_timeout'])
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.ok((await says()).endsWith(`the buyer, until ${session.expires_at}, then the session expires.`))
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.equal(await says(), 'Closed: expired. No action needed.')
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.failed', 'checkout.expired'])
  assert.ok((await stack.historyLength('checkout', session.checkout_id)) <= 50)
})

test('an approval after the session has expired is late money', async () => {
  const session = await open({ expires_in_minutes: 1 })
  const { payment_id } = await stack.merchant.payByPhone(session, ending(5))
  await stack.skip(2 * minute)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'expired')
  await stack.sql(`update simulated_prompts set outcome = 'succeeded' where payment_id = ?`, [payment_id])
  await stack.skip(4 * minute)
  assert.equal((await stack.merchant.getPayment(payment_id))['status'], 'succeeded')
  await stack.finished('checkout', session.checkout_id)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'expired')
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['checkout.expired', 'collection.succeeded'])
  const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [payment_id])
  assert.equal(JSON.parse(event?.body ?? '{}').data.late, true)
})

test('a prompt that is replaced by another one is cancelled, and the sale is paid once', async () => {
  const session = await open()
  const first = await stack.merchant.payByPhone(session, ending(1))
  const second = await stack.merchant.payByPhone(session, ending(6))
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await stack.merchant.getPayment(first.payment_id))['status'], 'canceled')
  assert.equal((await stack.merchant.getPayment(second.payment_id))['status'], 'succeeded')
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
})

test('the process of an expired session does not wait for a failed prompt', async () => {
  const session = await open({ expires_in_minutes: 1 })
  await stack.merchant.payByPhone(session, ending(4))
  await stack.skip(2 * minute)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.ok((await stack.clock.now()) < Date.parse(session.expires_at) + hour)
})

test('a wallet asks for a voucher: the right one leads to the prompt, a wrong one fails', async () => {
  const ghana = { payment_method: 'MOMO_GHS', phone_number: '+233200000001', provider: 'vodafone' }
  for (const [code, action, end] of [
    ['123456', 'requires_action', 'succeeded'],
    ['654321', 'failed', 'failed'],
  ] as const) {
    const session = await open({ currency: 'GHS' })
    const attempt = await stack.merchant.payByPhone(session, ghana)
    assert.equal(attempt.next_action['type'], 'pin')
    assert.equal((await stack.merchant.confirm(session)).body['next_action']?.['type'], 'pin')
    const { body } = await stack.merchant.confirm(session, { code })
    assert.equal(body['payment_status'], action)
    await stack.skip(2 * thinkingMs)
    const payment = await stack.merchant.getPayment(attempt.payment_id)
    assert.equal(payment['status'], end)
    assert.equal(payment['failure_code'], end === 'failed' ? 'authentication_failed' : null)
  }
})

test('a payment whose voucher is never entered fails after five minutes', async () => {
  const session = await open({ currency: 'GHS' })
  const ghana = { payment_method: 'MOMO_GHS', phone_number: '+233200000001', provider: 'vodafone' }
  const { payment_id } = await stack.merchant.payByPhone(session, ghana)
  await stack.skip(6 * minute)
  assert.equal((await stack.merchant.getPayment(payment_id))['failure_code'], 'customer_timeout')
})
