import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { card, cards, sale, transferSale } from '../support/merchant.ts'
import { isRefusal, withPayments } from '../support/payment-actions.ts'
import { endCharge, holdAtRail } from '../support/rail-books.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'

const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true, invariants: 'after each test' })
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)

/** The types of the events of a session and its payments, in their order. */
async function eventsOf(checkoutId: string): Promise<string[]> {
  const rows = await stack.sql<{ type: string }>(
    `select type from events where resource_id = ? or resource_id in (select id from payments where checkout_id = ?)
     order by sequence`,
    [checkoutId, checkoutId],
  )
  return rows.map(({ type }) => type)
}

test('an unpaid session expires at its time, not before, and sends one event', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 30 })
  await stack.dispatched()
  await stack.skip(29 * minute + 50_000)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'open')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  const expired = await stack.merchant.getCheckout(session.checkout_id)
  assert.equal(expired['status'], 'expired')
  assert.equal(expired['payment_status'], 'canceled')
  assert.deepEqual(await eventsOf(session.checkout_id), ['checkout.expired'])
  const [row] = await stack.sql<{ late: string }>(
    `select extract(epoch from e.created_at - c.expires_at) as late
     from events e join checkouts c on c.id = e.resource_id
     where c.id = ?`,
    [session.checkout_id],
  )
  assert.ok(Number(row?.late) >= 0 && Number(row?.late) < 5, `expired ${row?.late} s after its time`)
  assert.ok((await stack.historyLength('checkout', session.checkout_id)) <= 20)
})

test('a message that names no choice of the session is refused, and the session expires at its time', async () => {
  const [session, other] = [await stack.merchant.createCheckout(), await stack.merchant.createCheckout()]
  await stack.merchant.pay(other, { payment_method: 'USD_CARD', card: card(cards.success) })
  const [chosen] = await stack.sql<{ id: string }>('select request_id as id from checkouts where id = ?', [
    other.checkout_id,
  ])
  const { about } = withPayments(stack)
  const order = { process: 'checkout', resourceId: session.checkout_id, about } as const
  for (const [nth, requestId] of [newId('pay', 0), chosen?.id ?? ''].entries()) {
    const told = stack.services.engine.update(order, 'pay', [requestId, false], `told-${nth}`)
    await assert.rejects(told, isRefusal('NOT_FOUND'))
  }
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
})

test('a card sale completes at once and its process ends', async () => {
  const session = await stack.merchant.createCheckout()
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  await stack.merchant.confirm(session)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await eventsOf(session.checkout_id), ['collection.succeeded', 'checkout.completed'])
  assert.ok((await stack.historyLength('checkout', session.checkout_id)) <= 40)
})

test('expiry waits for a rail that still processes the payment, and a late success completes the sale', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 1 })
  const paymentId = await holdAtRail(stack, session)
  await stack.skip(10 * minute)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'open')
  await endCharge(stack, paymentId, 'succeeded')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await eventsOf(session.checkout_id), ['collection.succeeded', 'checkout.completed'])
})

test('a session expires when the rail needs over a day, and money that arrives after that is late', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 1 })
  const paymentId = await holdAtRail(stack, session)
  await stack.skip(23 * hour)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'open')
  await stack.skip(2 * hour)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'expired')
  await endCharge(stack, paymentId, 'succeeded')
  await stack.client.workflow.getHandle(`checkout/${session.checkout_id}`).signal('railAnswered', paymentId)
  await stack.finished('checkout', session.checkout_id)
  assert.deepEqual(await eventsOf(session.checkout_id), ['checkout.expired', 'collection.succeeded'])
  assert.equal((await stack.merchant.getPayment(paymentId))['status'], 'succeeded')
})

test('after part of a transfer has arrived, the page asks for the rest', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const { payment_id, next_action } = await stack.merchant.payByTransfer(session)
  assert.equal(next_action['amount'], '5000.00')
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const headers = { authorization: `Bearer ${session.client_secret}` }
  const due = async () => {
    const seen = (await stack.merchant.call('GET', path, undefined, headers)).body as unknown as {
      [field in 'total' | 'amount_received']: string
    } & { next_action: { account_number: string; amount: string } | null }
    return [seen.total, seen.amount_received, seen.next_action?.account_number, seen.next_action?.amount]
  }
  const { account_number: account } = next_action
  await stack.merchant.deposit(payment_id, { amount: '1999.50' })
  assert.deepEqual(await due(), ['5000.00', '1999.50', account, '3000.50'])
  await stack.merchant.deposit(payment_id, { amount: '3000.49' })
  assert.deepEqual(await due(), ['5000.00', '4999.99', account, '0.01'])
  const { body } = await stack.merchant.confirm(session)
  assert.equal((body['next_action'] as unknown as { amount: string }).amount, '0.01', 'so does the confirm')
  await stack.merchant.deposit(payment_id)
  assert.deepEqual(await due(), ['5000.00', '5000.00', undefined, undefined])
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('a declined card leaves the session open for another one', async () => {
  const session = await stack.merchant.createCheckout()
  const failed = await stack.merchant.payByCard(session, cards.declined)
  assert.equal(failed['payment_status'], 'failed')
  assert.equal(failed['failure_code'], 'card_declined')
  await stack.merchant.payByCard(session)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await eventsOf(session.checkout_id), [
    'collection.failed',
    'collection.succeeded',
    'checkout.completed',
  ])
})

test('3DS asks for a code: the right one pays, a wrong one fails', async () => {
  for (const [code, end] of [
    ['123456', 'succeeded'],
    ['000000', 'failed'],
  ]) {
    const session = await stack.merchant.createCheckout()
    const paying = await stack.merchant.payByCard(session, cards.threeDs)
    assert.deepEqual(paying['next_action'], { type: 'otp' })
    const { body } = await stack.merchant.confirm(session, { code })
    assert.equal(body['payment_status'], end)
  }
})

test('a cancelled session stays cancelled, and sends no event', async () => {
  const session = await stack.merchant.createCheckout()
  assert.equal((await stack.merchant.cancel(session.checkout_id)).body['status'], 'cancelled')
  assert.equal((await stack.merchant.cancel(session.checkout_id)).status, 409)
  assert.equal(
    (await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })).status,
    409,
  )
  assert.equal(await stack.finished('checkout', session.checkout_id), 'cancelled')
  assert.deepEqual(await eventsOf(session.checkout_id), [])
})

test('a session cannot be cancelled while the rail processes its payment', async () => {
  const session = await stack.merchant.createCheckout()
  const paymentId = await holdAtRail(stack, session)
  assert.equal((await stack.merchant.cancel(session.checkout_id)).status, 409)
  await endCharge(stack, paymentId, 'failed', 'card_declined')
  await stack.skip(6 * minute)
  assert.equal((await stack.merchant.cancel(session.checkout_id)).body['status'], 'cancelled')
})

test('a free session makes no charge, and its only event is its completion', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, amount: '0.00' })
  const { body } = await stack.merchant.pay(session, {})
  assert.equal(body['status'], 'completed')
  await stack.finished('checkout', session.checkout_id)
  const done = await stack.merchant.getCheckout(session.checkout_id)
  assert.equal(done['payment_status'], 'succeeded')
  assert.equal(done['charge'], null)
  assert.deepEqual(await eventsOf(session.checkout_id), ['checkout.completed'])
})

test('details of a known buyer only fill what is missing, and the sale names the stored customer', async () => {
  const known = { email: 'known@example.com', name: 'Known Already' }
  await stack.merchant.createCheckout({ ...sale, customer: known })
  const session = await stack.merchant.createCheckout({ ...sale, customer_creation: 'always' })
  const typed = { ...known, name: 'Somebody Else', phone_number: '+2348012345678' }
  const byCard = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
  await stack.merchant.pay(session, { ...byCard, customer_details: typed })
  const done = await stack.merchant.getCheckout(session.checkout_id)
  assert.equal((done['customer'] as { name: string }).name, 'Known Already')
  const rows = await stack.sql<{ type: string; body: string }>(
    `select e.type, e.body from events e join customers c on c.id = e.resource_id
     where c.email = 'known@example.com' order by e.sequence`,
  )
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['customer.created', 'customer.updated'],
  )
  assert.equal(JSON.parse(rows[1]?.body ?? '{}').data.phone_number, '+2348012345678')
})

test('a transfer for an earlier choice completes the sale and ends the attempt that waits for a code', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  const waiting = await stack.merchant.payByCard(session, cards.threeDs, 'NGN_CARD')
  assert.equal(waiting['payment_status'], 'requires_action')
  assert.equal((await stack.merchant.deposit(payment_id)).body['status'], 'succeeded')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await stack.merchant.getPayment(String(waiting['payment_id'])))['status'], 'canceled')
})
