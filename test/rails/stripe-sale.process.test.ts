import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFieldErrors } from '../support/api.ts'
import { addLiveMerchant } from '../support/live.ts'
import { marker, stripeSecrets, useLiveStack } from '../support/live-providers.ts'
import { buyer, card, cards, sale } from '../support/merchant.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'

// Live sales of the whole service, on the real engine, with the Stripe rail and a double of Stripe.
const {
  stack,
  api,
  providers,
  stripe: double,
  send,
  stripeCallback,
} = await useLiveStack({
  invariants: 'at the end',
  skipping: true,
})
const { merchant } = await addLiveMerchant(stack, api)

type Session = Awaited<ReturnType<typeof merchant.createCheckout>>
const ordering = 'POST /v1/payment_intents'
const newestOf = (object: string) => String(double.books.all(object).at(-1)?.id)

/** Pays a session with a card that Stripe's field has taken. */
const pay = (session: Session, token: string) =>
  merchant.pay(session, { payment_method: 'USD_CARD', card: { token }, customer_details: buyer, confirm: true })

/** Has the newest event of Stripe's delivered. */
async function deliver(): Promise<void> {
  const event = double.books.events.at(-1)
  assert.ok(event)
  const at = await stack.clock.now()
  assert.equal(await send('stripe', stripeCallback(event, stripeSecrets[0], at)), 200)
  await stack.dispatched()
}

test('a live sale by card is completed, refunded, and its refund may come back', async () => {
  const session = await merchant.createCheckout(sale)
  const paid = await pay(session, double.addCard())
  assert.equal(paid.body['payment_status'], 'succeeded', paid.text)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const payment = await merchant.getPayment(String(paid.body['payment_id']))
  assert.equal(payment['status'], 'succeeded')
  const { refund_id } = await merchant.refund(String(paid.body['payment_id']))
  await stack.dispatched()
  assert.equal(await stack.finished('refund', refund_id), 'succeeded')
  double.refunds.fail(newestOf('refund'))
  await deliver()
  assert.equal(await stack.finished('refund', refund_id), 'failed')
  assert.equal((await merchant.getRefund(refund_id))['status'], 'failed')
  const lines = await stack.sql(`select from ledger_transactions where source_id = ? and kind = 'refund_returned'`, [
    refund_id,
  ])
  assert.equal(lines.length, 1)
})

test('a live sale whose answer is lost takes money once', async () => {
  for (const fault of ['lost', 'cut', 'limited', 'torn'] as const) {
    const session = await merchant.createCheckout(sale)
    double.fail(ordering, fault)
    const paid = await pay(session, double.addCard())
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed', fault)
    assert.equal(double.madeFor('payment_intent', String(paid.body['payment_id'])).length, 1)
  }
})

test('a buyer goes to their bank and comes back, and a callback or the next question completes the sale', async () => {
  for (const isCallbackLost of [false, true]) {
    const session = await merchant.createCheckout(sale)
    const paid = await pay(session, double.addCard({ asks: true }))
    const action = paid.body['next_action'] as unknown as { type: string; url: string }
    assert.deepEqual([action.type, new URL(action.url).host], ['redirect', 'hooks.stripe.com'])
    await settled(stack.client, 'checkout', session.checkout_id)
    double.payments.finishAtBank(newestOf('payment_intent'), true)
    if (isCallbackLost) await stack.skip(2 * 60_000)
    else await deliver()
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  }
})

test('a buyer who chooses another card cannot pay with the first one any more', async () => {
  const session = await merchant.createCheckout(sale)
  const first = await pay(session, double.addCard({ asks: true }))
  const abandoned = newestOf('payment_intent')
  const second = await pay(session, double.addCard())
  assert.equal(second.body['payment_status'], 'succeeded', second.text)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await merchant.getPayment(String(first.body['payment_id'])))['status'], 'canceled')
  assert.equal(double.books.entries.get(abandoned)?.['status'], 'canceled')
})

test('a declined card leaves the session open for another one', async () => {
  const session = await merchant.createCheckout(sale)
  const declined = await pay(session, double.addCard({ declines: 'insufficient_funds' }))
  const payment = await merchant.getPayment(String(declined.body['payment_id']))
  assert.deepEqual([payment['status'], payment['failure_code']], ['failed', 'insufficient_funds'])
  assert.equal((await pay(session, double.addCard())).body['payment_status'], 'succeeded')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('no card number reaches Stripe or us in live, nor a token that Stripe does not know', async () => {
  const session = await merchant.createCheckout(sale)
  const before = double.requests.length
  const typed = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }
  assertFieldErrors(await merchant.pay(session, typed), { card: 'value_error' })
  assert.equal(double.requests.length, before)
  assertFieldErrors(await pay(session, 'pm_nobody'), { 'card.token': 'value_error' })
  await merchant.cancel(session.checkout_id)
})

test('a dispute at Stripe becomes a dispute here', async () => {
  const session = await merchant.createCheckout(sale)
  const paid = await pay(session, double.addCard({ disputes: true }))
  const id = String(paid.body['payment_id'])
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  await deliver()
  const opened = async () => (await stack.sql('select from disputes where payment_id = ?', [id])).length === 1
  await until(opened, 'the dispute is opened')
  const [dispute] = await stack.sql<{ network_id: string; reason: string; amount: string }>(
    'select network_id, reason, amount from disputes where payment_id = ?',
    [id],
  )
  assert.deepEqual([dispute?.network_id, dispute?.reason], [newestOf('dispute'), 'fraudulent'])
})

test('no secret of Stripe’s is in a row or in a history of a process', async () => {
  const tables = await stack.sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.some(({ name }) => name === 'stripe_orders'))
  for (const { name } of tables) {
    const found = await stack.sql(`select from "${name}" t where strpos(t::text, ?) > 0`, [marker])
    assert.equal(found.length, 0, name)
  }
  const sessions = await stack.sql<{ id: string }>(`select id from checkouts where environment = 'live'`)
  for (const { id } of sessions) {
    const history = JSON.stringify(
      await stack.client.workflow.getHandle(`checkout/${id}`).fetchHistory(),
      (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
    )
    for (const hidden of [marker, 'pm_', 'cus_', 'hooks.stripe.com', buyer.email]) {
      assert.ok(!history.includes(hidden), `${hidden} in checkout/${id}`)
    }
  }
})

test('the invariants notice an amount at Stripe that is not that of the payment', async () => {
  const change = (by: number) => stack.sql(`update stripe_orders set amount = amount + ? where kind = 'charge'`, [by])
  await change(1)
  const found = await stack.check()
  await change(-1)
  assert.ok(found.length > 0)
  for (const line of found) assert.match(line, /^every order at Stripe is one of ours, with its amount/)
})

test('at the end Stripe’s own list and our books agree about everything that these sales have moved', async () => {
  await assertBooksAgree(stack.database, 'stripe', providers)
})
