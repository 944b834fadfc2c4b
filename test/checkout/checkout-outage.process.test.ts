import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { beginAnew } from '../support/begin-anew.ts'
import { cards, mobileSale, sale, transferSale } from '../support/merchant.ts'
import { holdAtRail } from '../support/rail-books.ts'
import { eventsOfSale, sendUnheard } from '../support/sale-events.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'
import { loseProcess } from '../support/lose-process.ts'

const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true })
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})

const handleOf = (checkoutId: string) => stack.client.workflow.getHandle(`checkout/${checkoutId}`)
const statusOf = async (checkoutId: string) => (await stack.merchant.getCheckout(checkoutId))['status']
const rowsOf = (table: string, column: string, id: string) =>
  stack.sql<{ id: string; status: string; executions: number }>(`select * from ${table} where ${column} = ?`, [id])

/** Ends a session's process, like an engine that loses its data, and starts it again. */
async function loseAndRestart(checkoutId: string, act: () => Promise<unknown> = async () => undefined) {
  await loseProcess(stack.client, 'checkout', checkoutId)
  await act()
  await beginAnew(stack, 'checkout', 'checkouts', checkoutId)
}

for (const [name, wrong] of Object.entries({
  'an id that no payment has': 'pay_01m81xgbqyzgv6j05ws53eb95kj4j03skp',
  'an id of another kind': 'chk_01m81xgbqyzgv6j05ws53eb95kj4j03skp',
  'a name and an email': 'Ada Buyer, ada@example.com',
  'no text at all': { payment: 1 },
  nothing: undefined,
})) {
  test(`a signal with ${name} is ignored, and the sale goes on`, async () => {
    const session = await stack.merchant.createCheckout(transferSale)
    const { payment_id } = await stack.merchant.payByTransfer(session)
    await settled(stack.client, 'checkout', session.checkout_id)
    await handleOf(session.checkout_id).signal('railAnswered', ...(wrong === undefined ? [] : [wrong]))
    await settled(stack.client, 'checkout', session.checkout_id)
    assert.equal(await statusOf(session.checkout_id), 'open')
    assert.equal((await stack.merchant.deposit(payment_id)).status, 200)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  })
}

test('a signal about another session’s payment changes neither of the two', async () => {
  const [one, other] = [await stack.merchant.createCheckout(sale), await stack.merchant.createCheckout(transferSale)]
  const { payment_id } = await stack.merchant.payByTransfer(other)
  await stack.dispatched()
  await settled(stack.client, 'checkout', one.checkout_id)
  await handleOf(one.checkout_id).signal('railAnswered', payment_id)
  await settled(stack.client, 'checkout', one.checkout_id)
  assert.deepEqual([await statusOf(one.checkout_id), await statusOf(other.checkout_id)], ['open', 'open'])
  assert.equal(await stack.finished('checkout', one.checkout_id), 'expired')
})

test('a rail throws for 30 hours: the session expires after a day, and nothing is charged afterwards', async () => {
  rails.errors.charge = 'throws'
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 10 })
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: { ...aCard }, confirm: true })
  await stack.skip(23 * hour)
  assert.equal(await statusOf(session.checkout_id), 'open', 'the rail may still have the order')
  await stack.skip(2 * hour)
  assert.equal(await statusOf(session.checkout_id), 'expired', '24 hours after its time, and not later')
  await stack.skip(5 * hour)
  rails.heal()
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  const charges = await stack.sql(
    `select from simulated_charges c join payments p on p.id = c.payment_id where p.checkout_id = ?`,
    [session.checkout_id],
  )
  assert.deepEqual(charges, [])
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['checkout.expired'])
})
const aCard = { number: cards.success, exp_month: 12, exp_year: 2040, cvc: '123' }

/** A session of ten minutes, and its card, which the rail holds until it is healed. */
async function heldCard() {
  Object.assign(rails.errors, { charge: 'holds', lookUp: 'holds' })
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 10 })
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: { ...aCard }, confirm: true })
  const [payment] = await rowsOf('payments', 'checkout_id', session.checkout_id)
  return { session, paymentId: String(payment?.id) }
}

test('a card that its rail holds beyond its session’s end is asked about until it is decided', async () => {
  const { session, paymentId } = await heldCard()
  await stack.skip(30 * hour)
  assert.equal(await statusOf(session.checkout_id), 'expired')
  await stack.skip(24 * hour)
  rails.heal()
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.equal((await stack.merchant.getPayment(paymentId))['status'], 'succeeded')
})

test('a card that its rail has taken after its session’s end is found although the process was lost', async () => {
  const { session, paymentId } = await heldCard()
  await stack.skip(25 * hour)
  assert.equal(await statusOf(session.checkout_id), 'expired')
  await loseAndRestart(session.checkout_id, async () => rails.heal())
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.equal((await stack.merchant.getPayment(paymentId))['status'], 'succeeded')
})

test('a rail that never decides is not asked any more once its money would be too late', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 10 })
  const paymentId = await holdAtRail(stack, session)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  const asked = rails.calls.filter((call) => call.kind === 'lookUp' && call.paymentId === paymentId)
  assert.ok(asked.length >= 5, `it was asked ${asked.length} times`)
  const due = await stack.sql('select from payments where id = ? and news_due_at is not null', [paymentId])
  assert.deepEqual(due, [])
})

test('a session that waits for its buyer expires in time, although the rail throws when it is asked', async () => {
  const session = await stack.merchant.createCheckout({ ...mobileSale, expires_in_minutes: 2 })
  await stack.merchant.payByPhone(session, { phone_number: '+254700000005' })
  await settled(stack.client, 'checkout', session.checkout_id)
  rails.errors.lookUp = 'throws'
  await stack.skip(3 * minute)
  assert.equal(await statusOf(session.checkout_id), 'expired')
  await stack.skip(30 * hour)
  rails.heal()
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
})

test('an order whose answer was lost is looked up, and is charged once', async () => {
  rails.errors.charge = 'loses the answer'
  const session = await stack.merchant.createCheckout(sale)
  const paying = stack.merchant.pay(session, { payment_method: 'USD_CARD', card: { ...aCard }, confirm: true })
  await until(() => rails.calls.length > 0, 'the rail has been asked')
  rails.errors.charge = null
  await paying
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const { charge } = (await stack.merchant.getCheckout(session.checkout_id)) as { charge: { payment_id: string } }
  const [row] = await rowsOf('simulated_charges', 'payment_id', charge.payment_id)
  assert.equal(row?.executions, 1)
})

test('a transfer whose callback is lost is found when the session’s time is up, and completes it', async () => {
  const session = await stack.merchant.createCheckout({ ...transferSale, expires_in_minutes: 10 })
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await sendUnheard(stack, payment_id)
  await stack.skip(9 * minute)
  assert.equal(await statusOf(session.checkout_id), 'open')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
})

test('a rail that is silent about one attempt keeps the money of another one from no session', async () => {
  const session = await stack.merchant.createCheckout({ ...transferSale, expires_in_minutes: 10 })
  const { payment_id: replaced } = await stack.merchant.payByTransfer(session)
  await settled(stack.client, 'checkout', session.checkout_id)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await settled(stack.client, 'checkout', session.checkout_id)
  rails.silentAbout.add(replaced)
  await sendUnheard(stack, payment_id)
  await stack.skip(12 * minute)
  assert.equal(await statusOf(session.checkout_id), 'completed')
  rails.heal()
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('a late transfer whose callback is lost is found when the late window ends', async () => {
  const session = await stack.merchant.createCheckout({ ...transferSale, expires_in_minutes: 10 })
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await stack.skip(hour)
  assert.equal(await statusOf(session.checkout_id), 'expired')
  await sendUnheard(stack, payment_id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  const payment = await stack.merchant.getPayment(payment_id)
  assert.equal(payment['status'], 'succeeded')
})

for (const [name, waitedMs, ends] of [
  ['a transfer', 0, 'completed'],
  ['a late transfer', hour, 'expired'],
] as const) {
  test(`${name} whose callback was lost with its process is found as soon as the process starts again`, async () => {
    const session = await stack.merchant.createCheckout({ ...transferSale, expires_in_minutes: 10 })
    const { payment_id } = await stack.merchant.payByTransfer(session)
    await stack.skip(waitedMs)
    await loseAndRestart(session.checkout_id, () => sendUnheard(stack, payment_id))
    const status = async () => (await stack.merchant.getPayment(payment_id))['status']
    await until(async () => (await status()) === 'succeeded', 'the money is found')
    assert.equal(await statusOf(session.checkout_id), ends)
  })
}

test('an order that had not reached its rail is sent at once when its process starts again', async () => {
  rails.errors.charge = 'throws'
  const session = await stack.merchant.createCheckout(sale)
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: { ...aCard }, confirm: true })
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['payment_status'], 'processing')
  const startedAt = await stack.clock.now()
  await loseAndRestart(session.checkout_id, async () => rails.heal())
  await until(async () => (await statusOf(session.checkout_id)) === 'completed', 'the sale is completed')
  assert.ok((await stack.clock.now()) - startedAt < 4 * minute, 'without waiting for the next look-up')
})

test('an order that the rail has answered is found when its process starts again, and charged once', async () => {
  Object.assign(rails.errors, { charge: 'loses the answer', lookUp: 'throws' })
  const session = await stack.merchant.createCheckout(sale)
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: { ...aCard }, confirm: true })
  await loseAndRestart(session.checkout_id, async () => rails.heal())
  await until(async () => (await statusOf(session.checkout_id)) === 'completed', 'the sale is completed')
  const { charge } = (await stack.merchant.getCheckout(session.checkout_id)) as { charge: { payment_id: string } }
  const [row] = await rowsOf('simulated_charges', 'payment_id', charge.payment_id)
  assert.equal(row?.executions, 1)
})

test('a card that waits for its owner’s code still waits after its process starts again', async () => {
  const session = await stack.merchant.createCheckout(sale)
  await stack.merchant.payByCard(session, cards.threeDs)
  rails.errors.confirm = 'throws'
  await stack.merchant.confirm(session, { code: '123456' })
  await loseAndRestart(session.checkout_id, async () => rails.heal())
  await settled(stack.client, 'checkout', session.checkout_id)
  const again = await stack.merchant.confirm(session, { code: '123456' })
  assert.equal(again.body['status'], 'completed', again.text)
})
