import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { chargeData } from '../doubles/paystack/callbacks.ts'
import { addLiveMerchant } from '../support/live.ts'
import { oldPaystackKey, paystackKey, type Sent, stripeSecrets, useLiveStack } from '../support/live-providers.ts'
import { buyer, mobileSale, sale } from '../support/merchant.ts'
import { findUnreplayable } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'

// The address that the providers call, with real processes: what comes there tells a process to ask, and no more.
const { stack, api, stripe, paystack, send, stripeCallback, paystackCallback } = await useLiveStack({
  invariants: 'at the end',
})
const { merchant } = await addLiveMerchant(stack, api)

const statusOf = async (checkoutId: string) => (await merchant.getCheckout(checkoutId))['status']
const isCompleted = (checkoutId: string) =>
  until(async () => (await statusOf(checkoutId)) === 'completed', 'it is paid')

/** The signals that are waiting or on their way. */
const outbox = () => stack.sql<{ resource_id: string; signal: object }>('select * from outbox')

/** A buyer who has agreed on their bank's page, about which we have not asked yet. */
async function paidAtTheBank() {
  const session = await merchant.createCheckout(sale)
  const token = stripe.addCard({ asks: true })
  const choice = { payment_method: 'USD_CARD', card: { token }, customer_details: buyer, confirm: true }
  const { body, text } = await merchant.pay(session, choice)
  assert.equal(body['payment_status'], 'requires_action', text)
  await settled(stack.client, 'checkout', session.checkout_id)
  stripe.payments.finishAtBank(String(stripe.books.all('payment_intent').at(-1)?.id), true)
  return { session, paymentId: String(body['payment_id']), event: stripe.books.events.at(-1)! }
}

/** A wallet whose owner has agreed, about which we have not asked yet. */
async function agreedOnThePhone() {
  const session = await merchant.createCheckout({ ...mobileSale, customer: buyer })
  const { payment_id } = await merchant.payByPhone(session)
  await settled(stack.client, 'checkout', session.checkout_id)
  const reference = String(payment_id).replace('_', '-')
  return { session, paymentId: String(payment_id), data: chargeData(paystack.agree(reference)) }
}

const charged = (paymentId: string) => paystack.book.transactions.get(paymentId.replace('_', '-'))?.executions

test('a callback of Stripe completes the sale that waits for the buyer’s bank', async () => {
  const { session, event } = await paidAtTheBank()
  assert.equal(await statusOf(session.checkout_id), 'open')
  assert.equal(await send('stripe', stripeCallback(event)), 200)
  await isCompleted(session.checkout_id)
})

test('a callback of Paystack completes the sale that waits for the owner of a phone', async () => {
  const { session, paymentId, data } = await agreedOnThePhone()
  assert.equal(await statusOf(session.checkout_id), 'open')
  assert.equal(await send('paystack', paystackCallback('charge.success', data)), 200)
  await isCompleted(session.checkout_id)
  assert.equal(charged(paymentId), 1)
})

test('twenty times the same callback, at once and after the end, has the effect of one', async () => {
  const [one, other] = [await paidAtTheBank(), await agreedOnThePhone()]
  const sent: [string, Sent][] = [
    ['stripe', stripeCallback(one.event)],
    ['paystack', paystackCallback('charge.success', other.data)],
  ]
  for (const [provider, callback] of sent) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(provider, callback)))
    assert.deepEqual(new Set(answers), new Set([200]))
  }
  for (const { session } of [one, other]) await isCompleted(session.checkout_id)
  for (const [provider, callback] of sent) assert.equal(await send(provider, callback), 200)
  await stack.dispatched()
  for (const { paymentId } of [one, other]) {
    const settlements = await stack.sql(`select from ledger_transactions where source_id = ? and kind = 'settlement'`, [
      paymentId,
    ])
    assert.equal(settlements.length, 1)
    const events = await stack.sql(`select from events where resource_id = ? and type = 'collection.succeeded'`, [
      paymentId,
    ])
    assert.equal(events.length, 1)
  }
})

test('a callback that says more than is true causes a question, and the answer counts', async () => {
  const session = await merchant.createCheckout({ ...mobileSale, customer: buyer })
  const { payment_id } = await merchant.payByPhone(session)
  const made = paystack.read(String(payment_id).replace('_', '-'))
  const claimed = { ...chargeData(made), status: 'success', amount: 1n, paid_at: '2026-11-26T00:00:00.000Z' }
  assert.equal(await send('paystack', paystackCallback('charge.success', claimed)), 200)
  await stack.dispatched()
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.equal(await statusOf(session.checkout_id), 'open')
  assert.deepEqual(
    await stack.sql(`select from ledger_transactions where source_id = ?`, [String(payment_id)]),
    [],
    'nothing is booked',
  )
  await merchant.cancel(session.checkout_id).catch(() => undefined)
})

test('callbacks that are forged, torn, old, of the other mode or about nobody have no effect at all', async () => {
  const { session, event, paymentId } = await paidAtTheBank()
  const { session: second, data } = await agreedOnThePhone()
  await stack.dispatched()
  const good = stripeCallback(event)
  const now = stripe.books.nowMs()
  const changed = (sent: Sent, from: string, to: string): Sent => ({
    ...sent,
    bytes: Buffer.from(sent.bytes.toString().replace(from, to)),
  })
  const paystackGood = paystackCallback('charge.success', data)
  const refused: [string, string, Sent][] = [
    ['another secret', 'stripe', stripeCallback(event, 'whsec_of_somebody_else')],
    ['six minutes old', 'stripe', stripeCallback(event, stripeSecrets[0], now - 360_000)],
    ['six minutes ahead', 'stripe', stripeCallback(event, stripeSecrets[0], now + 360_000)],
    ['another body', 'stripe', changed(good, event.id, 'evt_another')],
    ['no signature', 'stripe', { ...good, headers: {} }],
    ['a torn body', 'stripe', { ...good, bytes: good.bytes.subarray(0, -1) }],
    ['nothing', 'stripe', { ...good, bytes: Buffer.alloc(0) }],
    ['that of the other provider', 'stripe', paystackGood],
    ['another key', 'paystack', paystackCallback('charge.success', data, 'sk_live_of_somebody_else')],
    ['another body', 'paystack', changed(paystackGood, 'success', 'failure')],
    ['no signature', 'paystack', { ...paystackGood, headers: {} }],
    ['that of the other provider', 'paystack', good],
  ]
  for (const [what, provider, sent] of refused) assert.equal(await send(provider, sent), 400, `${provider}: ${what}`)
  const ignored: [string, string, Sent][] = [
    ['of the test mode', 'stripe', stripeCallback({ ...event, livemode: false })],
    ['of another type', 'stripe', stripeCallback({ ...event, type: 'customer.created' })],
    ['about nothing of ours', 'stripe', stripeCallback({ ...event, data: { object: { id: 'pi_nobody' } } })],
    ['of the test mode', 'paystack', paystackCallback('charge.success', { ...data, domain: 'test' })],
    ['about nothing of ours', 'paystack', paystackCallback('charge.success', { ...data, reference: 'pay-nobody' })],
    ['about a payout', 'paystack', paystackCallback('transfer.success', { ...data, reference: paymentId })],
    ['of another type', 'paystack', paystackCallback('subscription.create', data)],
  ]
  for (const [what, provider, sent] of ignored) {
    assert.equal(await send(provider, sent), 200, `${provider}: ${what}`)
    assert.deepEqual(await outbox(), [], `${provider}: ${what}`)
  }
  for (const { checkout_id } of [session, second]) assert.equal(await statusOf(checkout_id), 'open')
  assert.equal(await send('stripe', good), 200)
  assert.equal(await send('paystack', paystackGood), 200)
  for (const { checkout_id } of [session, second]) await isCompleted(checkout_id)
})

test('news about a row of the sandbox tells nobody, even if a provider’s book had its id', async () => {
  const { merchant: other } = await api.addMerchant()
  const charge = await other.chargeByCard()
  const { event } = await paidAtTheBank()
  const { id } = (event['data'] as { object: { id: string } }).object
  await stack.dispatched()
  const [row] = await stack.sql<{ order_id: string }>('select order_id from stripe_orders where stripe_id = ?', [id])
  await stack.sql('update stripe_orders set order_id = ? where stripe_id = ?', [charge, id])
  assert.equal(await send('stripe', stripeCallback(event)), 200)
  assert.deepEqual(await outbox(), [])
  await stack.sql('update stripe_orders set order_id = ? where stripe_id = ?', [row?.order_id, id])
  assert.equal(await send('stripe', stripeCallback(event)), 200)
})

test('a callback of one megabyte is read, and a larger one is refused', async () => {
  const { session, event } = await paidAtTheBank()
  const room = 1024 * 1024 - Buffer.byteLength(JSON.stringify({ ...event, padding: '' }))
  const large = stripeCallback({ ...event, padding: 'x'.repeat(room) })
  assert.equal(large.bytes.length, 1024 * 1024)
  assert.equal(await send('stripe', stripeCallback({ ...event, padding: 'x'.repeat(room + 1) })), 400)
  assert.equal(await send('stripe', large), 200)
  await isCompleted(session.checkout_id)
})

test('it is answered with 200 once it is committed, and with 503 where it cannot be', async (t) => {
  const { session, event } = await paidAtTheBank()
  await stack.dispatched()
  const other = new Client({ connectionString: stack.databaseUrl })
  await other.connect()
  t.after(() => other.end())
  await other.query('begin; lock table outbox in share row exclusive mode')
  let answered: number | null = null
  const sending = send('stripe', stripeCallback(event)).then((status) => (answered = status))
  await setTimeout(500)
  assert.equal(answered, null)
  await other.query('rollback')
  assert.equal(await sending, 200)
  await isCompleted(session.checkout_id)
  const second = await paidAtTheBank()
  await stack.dispatched()
  await other.query(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'the disk is full' using errcode = '53100'; end $$`)
  await other.query('create trigger refuse before insert on outbox for each row execute function refuse()')
  assert.equal(await send('stripe', stripeCallback(second.event)), 503)
  await other.query('drop trigger refuse on outbox')
  assert.equal(await send('stripe', stripeCallback(second.event)), 200)
  await isCompleted(second.session.checkout_id)
})

test('while secrets and keys are replaced, callbacks signed with the old and the new one count', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => agreedOnThePhone()))
  const answers = made.map(({ data }, n) =>
    send('paystack', paystackCallback('charge.success', data, n % 2 === 0 ? paystackKey : oldPaystackKey)),
  )
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([200]))
  for (const { session } of made) await isCompleted(session.checkout_id)
  for (const secret of stripeSecrets) {
    const { session, event } = await paidAtTheBank()
    assert.equal(await send('stripe', stripeCallback(event, secret)), 200)
    await isCompleted(session.checkout_id)
  }
})

test('an unknown provider is not found, and other methods are refused', async () => {
  assert.equal(await send('nobody', { bytes: Buffer.from('{}'), headers: {} }), 404)
  const { status, headers } = await fetch(`${stack.baseUrl}/rails/stripe/callbacks`)
  assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
})

test('those who guess signatures are slowed down, and the providers are not', async () => {
  const { session, event } = await paidAtTheBank()
  const guess = stripeCallback(event, 'whsec_of_somebody_else')
  const statuses = []
  for (let n = 0; n < 80; n++) statuses.push(await send('stripe', guess))
  assert.equal(statuses.at(-1), 429)
  const good = Array.from({ length: 80 }, () => send('stripe', stripeCallback(event)))
  assert.deepEqual(new Set(await Promise.all(good)), new Set([200]))
  await isCompleted(session.checkout_id)
})

test('every process that ran here replays', async () => {
  assert.deepEqual(await findUnreplayable(stack), [])
})
