import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { assertError } from '../support/api.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { loseProcess } from '../support/lose-process.ts'
import { chargesOfSession, newCustomer, payBySaved, saveCard, sellTo } from '../support/saved-card.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { laterCards } from '../support/subscription.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

// The process of a sale that is paid with a saved card: time, outages and restarts.
const stack = await useStack({ skipping: true })
const { merchant } = stack
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})

const chargesOf = (checkoutId: string) => chargesOfSession(stack, checkoutId)

test('a customer who never enters the code of their bank is not charged: the session expires', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer, laterCards.asksFor3ds)
  const session = await sellTo(merchant, customer)
  const asked = await payBySaved(merchant, session, id)
  assert.equal(asked.body['payment_status'], 'requires_action')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assertError(await merchant.confirm(session, { code: '123456' }), 409, 'CONFLICT')
  assert.deepEqual(
    (await chargesOf(session.checkout_id)).map(({ executions }) => executions),
    [0],
  )
  assertError(await payBySaved(merchant, session, id), 409, 'CONFLICT')
})

test('a rail whose answer is lost has charged the saved card once, and the sale completes', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  rails.errors.charge = 'loses the answer'
  const pressed = payBySaved(merchant, session, id)
  for (let step = 0; step < 100 && rails.calls.length < 2; step++) await stack.skip(5_000)
  assert.ok(rails.calls.length >= 2, 'the order is sent again')
  rails.errors.charge = null
  await pressed
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await chargesOf(session.checkout_id), [{ status: 'succeeded', executions: 1 }])
})

test('a card that expires between the choice and the confirmation is not charged', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  const chosen = await payBySaved(merchant, session, id, { confirm: false })
  assert.equal(chosen.body['payment_status'], 'requires_confirmation')
  await stack.sql('update saved_payment_methods set exp_year = 2020 where id = ?', [id])
  assertError(await merchant.confirm(session), 409, 'CONFLICT')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.deepEqual(await chargesOf(session.checkout_id), [])
})

test('no history of a sale that is paid with a saved card has a token, a digit or a security code', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  await payBySaved(merchant, session, id, { card: { payment_method_id: id, cvc: '987' } })
  await stack.finished('checkout', session.checkout_id)
  const history = await stack.client.workflow.getHandle(`checkout/${session.checkout_id}`).fetchHistory()
  const payloads = JSON.stringify(history, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  )
  assert.match(payloads, /pay_/)
  assert.doesNotMatch(payloads, /tok_|cvc_|otc_|"4242"|"987"|pm_/)
})

// Last: the engine of this file may not skip time any more, if a step began in the moment in which its process ended.
test('a process that is lost in the middle goes on, though the customer has removed the card meanwhile', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  await stack.dispatched()
  rails.errors.charge = 'throws'
  const pressed = payBySaved(merchant, session, id)
  for (let step = 0; step < 100 && rails.calls.length === 0; step++) await stack.skip(1_000)
  await loseProcess(stack.client, 'checkout', session.checkout_id)
  await pressed
  await stack.sql('update saved_payment_methods set detached_at = now() where id = ?', [id])
  rails.errors.charge = null
  await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await chargesOf(session.checkout_id), [{ status: 'succeeded', executions: 1 }])
})
