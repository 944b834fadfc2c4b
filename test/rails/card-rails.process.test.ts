import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { type CardKit, createCardKits, type OfferingKit } from '../support/card-kits.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess } from '../support/lose-process.ts'
import { buyer, type Merchant, setup } from '../support/merchant.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { eventsOfSale } from '../support/sale-events.ts'
import { newCustomer, offeredBy, payBySaved, sellTo } from '../support/saved-card.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'
import { weeklyPlansOf } from '../support/weekly-plans.ts'

// One suite for three rails: cards that a sale or a session has saved. The rails charge them for the periods of a
// subscription, and all but Paystack for sales whose buyer proves that they own the card.
const minute = 60_000
const hour = 60 * minute
const week = 168 * hour
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const { offering, paystack, all: kits } = await createCardKits(live)
afterEach(() => kits.forEach((kit) => kit.setAway(false)))

const renewed = 'customer.subscription.renewed'
const pastDue = 'customer.subscription.past_due'

const subscriptionsAt = (kit: CardKit) => weeklyPlansOf(stack, kit)

for (const kit of kits) {
  const { name, merchant, corridor, body } = kit
  const { plans, subscribe, paid, end, chargesOf, skipTo } = subscriptionsAt(kit)

  test(`${name}: each period is charged once to the card of the first sale, however often its news comes`, async () => {
    const { subscription_id: id, current_period_start: start } = await subscribe()
    for (const periods of [1, 2]) {
      await skipTo((await plans.read(id)).current_period_end)
      const payment = (await paid(id, periods + 1)).at(-1)?.id ?? ''
      await Promise.all([kit.tell(payment), kit.tell(payment)])
      assert.equal(await kit.taken(payment), 1)
      const { payment_method: method, status, payment_method_details: details } = await merchant.getPayment(payment)
      assert.deepEqual([method, status], [corridor, 'succeeded'])
      const parts = ['brand', 'country', 'exp_month', 'exp_year', 'last4', 'three_d_secure']
      assert.deepEqual(Object.keys(Object(details)).toSorted(), parts)
    }
    const invoices = await plans.invoices(id)
    const starts = [0, 1, 2].map((weeks) => new Date(Date.parse(start) + weeks * week).toISOString())
    assert.deepEqual(
      invoices.map(({ billing_reason, period_start, total }) => [billing_reason, period_start, total]),
      [
        ['subscription_create', starts[0], body.amount],
        ['subscription_cycle', starts[1], body.amount],
        ['subscription_cycle', starts[2], body.amount],
      ],
    )
    assert.equal((await chargesOf(id)).length, 2)
    // The money is told before what it has paid for.
    const told = await plans.events(id, ...invoices.flatMap((each) => [each.invoice_id, String(each['payment_id'])]))
    const next = ['collection.succeeded', 'invoice.paid', renewed]
    assert.deepEqual(told, ['collection.succeeded', 'invoice.paid', 'customer.subscription.created', ...next, ...next])
    await end(id, [renewed, renewed])
  })

  test(`${name}: a renewal that is declined takes nothing, and is paid by the next attempt`, async () => {
    const { subscription_id: id, current_period_end: boundary, saved } = await subscribe()
    await kit.becomes(saved, 'declines')
    await skipTo(boundary)
    const due = await plans.until(id, ({ status }) => status === 'past_due')
    const [declined] = await chargesOf(id)
    assert.deepEqual([declined?.status, declined?.failure_code], ['failed', 'insufficient_funds'])
    await kit.becomes(saved, 'pays')
    await skipTo(due.next_payment_attempt_at)
    const [, second, ...more] = await paid(id, 2)
    assert.deepEqual([await kit.taken(declined?.id ?? ''), await kit.taken(second?.id ?? ''), more], [0, 1, []])
    assert.equal((await plans.read(id)).status, 'active')
    await end(id, [pastDue, renewed])
  })

  test(`${name}: a renewal for which the bank wants to see the card’s owner takes nothing`, async () => {
    const { subscription_id: id, current_period_end: boundary, saved } = await subscribe()
    await kit.becomes(saved, 'asks')
    await skipTo(boundary)
    await plans.until(id, ({ status }) => status === 'past_due')
    const [asked, ...more] = await chargesOf(id)
    assert.deepEqual([asked?.status, asked?.failure_code, more], ['failed', 'authentication_failed', []])
    assert.equal(await kit.taken(asked?.id ?? ''), 0)
    await end(id, [pastDue])
  })

  test(`${name}: a renewal whose answer is lost is charged once`, async () => {
    const { subscription_id: id, current_period_end: boundary } = await subscribe()
    kit.loseAnswer('renewal')
    await skipTo(boundary)
    const [payment, ...more] = await paid(id, 2)
    assert.deepEqual([await kit.taken(payment?.id ?? ''), more], [1, []])
    await end(id, [renewed])
  })

  test(`${name}: a renewal that the network decides later is paid once, whoever is told of it`, async () => {
    for (const isTold of [true, false]) {
      const { subscription_id: id, current_period_end: boundary, saved } = await subscribe()
      await kit.becomes(saved, 'takes its time')
      await skipTo(boundary)
      await until(async () => (await chargesOf(id)).length === 1, 'the renewal is ordered')
      await settled(stack.client, 'subscription', id)
      const payment = (await chargesOf(id))[0]?.id ?? ''
      assert.equal((await merchant.getPayment(payment))['status'], 'processing')
      await kit.end(payment, 'succeeded')
      if (isTold) await Promise.all([kit.tell(payment), kit.tell(payment)])
      else await stack.skip(hour)
      assert.deepEqual([(await paid(id, 2)).length, await kit.taken(payment)], [1, 1])
      await end(id, [renewed])
    }
  })
}

for (const kit of kits) {
  test(`${kit.name}: a period that begins while the rail is away for a day is charged once it is back`, async () => {
    const { plans, subscribe, paid, end, chargesOf } = subscriptionsAt(kit)
    const { subscription_id: id, current_period_end: boundary } = await subscribe()
    await stack.skip(Date.parse(boundary) - (await stack.clock.now()) - hour)
    kit.setAway(true)
    await stack.skip(25 * hour)
    const [unsent] = await chargesOf(id)
    assert.deepEqual([unsent?.status, await kit.taken(unsent?.id ?? '')], ['processing', 0])
    assert.equal((await plans.read(id)).status, 'active')
    kit.setAway(false)
    assert.deepEqual([(await paid(id, 2)).length, await kit.taken(unsent?.id ?? '')], [1, 1])
    await end(id, [renewed])
  })
}

type Session = Awaited<ReturnType<Merchant['createCheckout']>>
const finished = ({ checkout_id }: Session) => stack.finished('checkout', checkout_id)

/** How often each attempt of a session has taken money, the oldest first. */
async function takenOf(kit: CardKit, { checkout_id }: Session): Promise<number[]> {
  const attempts = await stack.sql<{ id: string }>(
    'select id from payments where checkout_id = ? order by created_at',
    [checkout_id],
  )
  return Promise.all(attempts.map(({ id }) => kit.taken(id)))
}

/** Saves a card of a customer whose bank asks for them once. Returns its id. */
async function save(kit: OfferingKit, customer: string): Promise<string> {
  const session = await kit.merchant.createCheckout({ ...setup, customer: { id: customer } })
  await kit.beginToSave(session)
  await kit.finishSaving(session)
  assert.equal(await finished(session), 'completed')
  const id = String((await kit.merchant.getCheckout(session.checkout_id))['saved_payment_method_id'])
  await kit.becomes(id, 'pays')
  return id
}

/** Pays with a saved card whose owner is there. */
const paySaved = ({ merchant, proof }: OfferingKit, session: Session, id: string, more: object = {}) =>
  payBySaved(merchant, session, id, { card: { payment_method_id: id, ...proof() }, ...more })

for (const kit of offering) {
  const { name, merchant } = kit

  test(`${name}: a card that a session has saved pays later sales, each once, however often it is sent`, async () => {
    const customer = await newCustomer(merchant)
    const id = await save(kit, customer)
    for (let sales = 0; sales < 2; sales++) {
      const session = await sellTo(merchant, customer)
      assert.deepEqual(
        (await offeredBy(merchant, session)).map(({ payment_method_id }) => payment_method_id),
        [id],
      )
      const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
      const card = { payment_method_id: id, ...kit.proof() }
      const headers = { ...bearer(session.client_secret), 'idempotency-key': session.checkout_id }
      const choice = { payment_method: 'USD_CARD', card, confirm: true }
      const press = () => merchant.call('POST', path, choice, headers)
      const replies = await Promise.all([press(), press(), press()])
      assert.ok(replies.some(({ status }) => status === 200))
      const again = await press()
      assert.equal(again.body['payment_status'], 'succeeded', again.text)
      assert.equal(await finished(session), 'completed')
      await kit.tell(String(again.body['payment_id']))
      assert.equal(await finished(session), 'completed')
      assert.deepEqual(await takenOf(kit, session), [1])
      assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
      assert.deepEqual(await offeredBy(merchant, session), [], 'who still has the link sees no card')
    }
  })

  test(`${name}: a card that a subscription’s first sale has saved pays another sale of its customer`, async () => {
    const { subscribe, end } = subscriptionsAt(kit)
    const { subscription_id, saved, customer } = await subscribe()
    const session = await sellTo(merchant, customer.id)
    const paid = await paySaved(kit, session, saved)
    assert.equal(paid.body['payment_status'], 'succeeded', paid.text)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual(await takenOf(kit, session), [1])
    await end(subscription_id, [])
  })

  test(`${name}: a saved card that is declined takes nothing, and another card pays`, async () => {
    const customer = await newCustomer(merchant)
    const id = await save(kit, customer)
    await kit.becomes(id, 'declines')
    const session = await sellTo(merchant, customer)
    const { body } = await paySaved(kit, session, id)
    assert.deepEqual([body['payment_status'], body['failure_code']], ['failed', 'insufficient_funds'])
    await kit.pay(session)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual(await takenOf(kit, session), [0, 1])
  })

  test(`${name}: a sale by a saved card whose answer is lost takes money once`, async () => {
    const customer = await newCustomer(merchant)
    const id = await save(kit, customer)
    const session = await sellTo(merchant, customer)
    kit.loseAnswer('sale')
    await paySaved(kit, session, id)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual(await takenOf(kit, session), [1])
  })

  test(`${name}: a card of another customer or another account is refused like one that does not exist`, async () => {
    const customer = await newCustomer(merchant)
    await save(kit, customer)
    const theirs = await save(kit, await newCustomer(merchant))
    const [elsewhere] = await stack.sql<{ id: string }>(
      `select id from saved_payment_methods where corridor = 'USD_CARD' and account_id not in (
         select account_id from customers where id = ?) limit 1`,
      [customer],
    )
    assert.ok(elsewhere ?? name === 'the sandbox')
    const session = await sellTo(merchant, customer)
    const missing = await paySaved(kit, session, 'pm_00000000000000000000000000')
    assertFieldErrors(missing, { 'card.payment_method_id': 'value_error' })
    for (const id of [theirs, elsewhere?.id ?? theirs]) {
      const refused = await paySaved(kit, session, id)
      assert.deepEqual([refused.status, refused.body], [missing.status, missing.body])
    }
    assert.deepEqual(await takenOf(kit, session), [])
    await merchant.cancel(session.checkout_id)
  })

  test(`${name}: a card that is removed, or expires, before or after it was chosen is not charged`, async () => {
    const customer = await newCustomer(merchant)
    const [first, second, third] = [await save(kit, customer), await save(kit, customer), await save(kit, customer)]
    const call = portalCalls(merchant, (await openPortal(merchant, customer)).token)
    const remove = async (id: string) => assert.equal((await call('DELETE', `payment-methods/${id}`)).status, 200)
    const session = await sellTo(merchant, customer)
    await remove(first)
    assertFieldErrors(await paySaved(kit, session, first), { 'card.payment_method_id': 'value_error' })
    const lose = {
      [second]: () => remove(second),
      [third]: () => stack.sql('update saved_payment_methods set exp_year = 2020 where id = ?', [third]),
    }
    for (const [id, loseIt] of Object.entries(lose)) {
      const chosen = await paySaved(kit, session, id, { confirm: false })
      assert.equal(chosen.body['payment_status'], 'requires_confirmation', chosen.text)
      await loseIt()
      assertError(await merchant.confirm(session), 409, 'CONFLICT')
    }
    assert.equal(await finished(session), 'expired')
    assert.deepEqual(await takenOf(kit, session), [])
  })

  test(`${name}: without its owner’s word at their bank no card is charged, and none is saved`, async () => {
    const customer = await newCustomer(merchant)
    const saving = await merchant.createCheckout({ ...setup, customer: { id: customer } })
    await kit.beginToSave(saving)
    assert.equal(await finished(saving), 'expired')
    const { charge, payment_status } = await merchant.getCheckout(saving.checkout_id)
    assert.deepEqual([charge, payment_status], [null, 'canceled'])
    const { body: none } = await merchant.call('GET', `/v1/customers/${customer}/payment-methods`)
    assert.deepEqual(none['items'], [])
    const id = await save(kit, customer)
    await kit.becomes(id, 'asks')
    const session = await sellTo(merchant, customer)
    const asked = await paySaved(kit, session, id)
    assert.equal(asked.body['payment_status'], 'requires_action', asked.text)
    assert.equal(await finished(session), 'expired')
    for (const expired of [saving, session]) {
      assertError(await merchant.confirm(expired, { code: '123456' }), 409, 'CONFLICT')
    }
    assertError(await paySaved(kit, session, id), 409, 'CONFLICT')
    assert.deepEqual(await takenOf(kit, session), [0])
  })
}

test('Paystack: a card that it has saved is neither offered nor taken, and none is saved alone', async () => {
  const { merchant, body } = paystack
  const { subscribe, end } = subscriptionsAt(paystack)
  const { subscription_id, saved, customer } = await subscribe()
  const session = await sellTo(merchant, customer.id, body)
  assert.deepEqual(await offeredBy(merchant, session), [])
  const charges = live.paystack.countOf('POST /transaction')
  for (const proof of [{ cvc: '123' }, { cvc_token: 'cvctok_1' }]) {
    const card = { payment_method_id: saved, ...proof }
    const refused = await payBySaved(merchant, session, saved, { payment_method: 'NGN_CARD', card })
    assertFieldErrors(refused, { card: 'value_error' })
  }
  const saving = await merchant.createCheckout({ ...setup, customer: { id: customer.id } })
  const alone = await merchant.pay(saving, { payment_method: 'NGN_CARD', confirm: true })
  assertError(alone, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assert.equal(live.paystack.countOf('POST /transaction'), charges)
  for (const open of [session, saving]) await merchant.cancel(open.checkout_id)
  await end(subscription_id, [])
})

for (const first of ['left', 'declined']) {
  test(`Paystack: late money of a page that is ${first} first is found on the last of its days, untold`, async () => {
    const { merchant, body } = paystack
    const session = await merchant.createCheckout({ ...body, customer: buyer, expires_in_minutes: 60 })
    const { body: begun } = await merchant.pay(session, { payment_method: 'NGN_CARD', confirm: true })
    const id = String(begun['payment_id'])
    if (first === 'declined') live.paystack.fail(chargeReference(id), 'failed', 'Declined')
    await stack.skip(70 * 60 * minute)
    assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'expired')
    assert.deepEqual(
      (await stack.check()).filter((broken) => broken.includes(id)),
      [],
    )
    live.paystack.enterCard(chargeReference(id), 'AUTH_last_day', null)
    assert.equal(await finished(session), 'expired')
    assert.equal((await merchant.getPayment(id))['status'], 'succeeded')
  })
}

for (const { name, secrets } of offering) {
  test(`${name}: no history of a process has a token, a digit or a security code of a card`, async () => {
    const environment = name === 'Stripe' ? 'live' : 'sandbox'
    const rows = await stack.sql<{ process: string }>(
      `select 'checkout/' || id as process from checkouts where environment = ?
       union all select 'subscription/' || id from subscriptions where environment = ?`,
      [environment, environment],
    )
    let seen = 0
    for (const { process } of rows) {
      const history = await stack.client.workflow.getHandle(process).fetchHistory()
      const payloads = JSON.stringify(history, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      )
      if (payloads.includes('pay_')) seen += 1
      assert.doesNotMatch(payloads, secrets, process)
    }
    assert.ok(seen > 5)
  })
}

// A process that is lost may keep the engine from skipping time, so these come last.
for (const kit of kits) {
  test(`${kit.name}: a renewal whose process is lost goes on when that begins again, and is charged once`, async () => {
    const { subscribe, paid, end, chargesOf, skipTo } = subscriptionsAt(kit)
    const { subscription_id: id, current_period_end: boundary, saved } = await subscribe()
    await kit.becomes(saved, 'takes its time')
    await skipTo(boundary)
    await until(async () => (await chargesOf(id)).length === 1, 'the renewal is ordered')
    await settled(stack.client, 'subscription', id)
    await loseProcess(stack.client, 'subscription', id)
    const payment = (await chargesOf(id))[0]?.id ?? ''
    await kit.end(payment, 'succeeded')
    await beginAnew(stack, 'subscription', 'subscriptions', id)
    assert.deepEqual([(await paid(id, 2)).length, await kit.taken(payment)], [1, 1])
    await end(id, [renewed])
  })
}

for (const kit of offering) {
  const { name, merchant } = kit
  test(`${name}: a sale by a saved card goes on after its process is lost, though its card is removed`, async () => {
    const customer = await newCustomer(merchant)
    const id = await save(kit, customer)
    const session = await sellTo(merchant, customer)
    kit.refuseOrders(true)
    const pressed = paySaved(kit, session, id)
    const attempt = () =>
      stack.sql<{ id: string }>('select id from payments where checkout_id = ?', [session.checkout_id])
    await until(async () => (await attempt()).length === 1, 'the attempt has begun')
    await loseProcess(stack.client, 'checkout', session.checkout_id)
    await stack.sql('update saved_payment_methods set detached_at = now() where id = ?', [id])
    kit.refuseOrders(false)
    assert.deepEqual(await takenOf(kit, session), [0])
    await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
    assert.equal(await finished(session), 'completed')
    await pressed
    assert.deepEqual(await takenOf(kit, session), [1])
  })
}

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
