import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsMax } from '../../domain/checkout/checkout.ts'
import { errorCodes, Refusal } from '../../domain/refusal.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { holdingNothing } from '../support/held-feed.ts'
import { payersOf } from '../support/invoice-page.ts'
import { card, cards } from '../support/merchant.ts'
import { laterCards, type Shown, type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { changeSession, liftRateLimits } from '../support/rows.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
await liftRateLimits(stack)
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const rails = failingRails(stack)
const [minuteMs, dayMs] = [60_000, 86_400_000]

const untilStatus = (id: string, status: string): Promise<Shown> => plans.until(id, (shown) => shown.status === status)

/** A subscription whose card has failed at its first renewal. */
async function beginPastDue(number = laterCards.declines): Promise<Shown> {
  const { subscription_id: id } = await plans.subscribe({ number })
  await stack.skip(32 * dayMs)
  return untilStatus(id, 'past_due')
}

const setPolicy = (policy: 'accept' | 'refund') => plans.ok('PATCH', '/v1/account', { late_payment_policy: policy })

const refundsOf = (id: string) =>
  stack.sql<{ status: string; reason: string }>(
    'select r.status, r.reason from refunds r join payments p on p.id = r.charge_id where p.subscription_id = ?',
    [id],
  )

/** Waits until one payment of the subscription was sent back whole, for this reason. */
async function untilRefunded(id: string, reason: string): Promise<void> {
  const isBack = async () => {
    await stack.skip(60_000)
    return (await refundsOf(id)).some(({ status }) => status === 'succeeded')
  }
  await until(isBack, 'the money is back')
  assert.deepEqual(await refundsOf(id), [{ status: 'succeeded', reason }])
  const backs = (await payers.payments(id)).map(({ refund_status: back }) => back)
  assert.deepEqual(
    backs.filter((back) => back !== 'none'),
    ['full'],
  )
}

/** The payments of a subscription that have succeeded and were not sent back, by invoice. */
const keptOf = async (id: string) =>
  (await payers.payments(id)).filter(({ status, refund_status: back }) => status === 'succeeded' && back === 'none')

test('the session that the link of an invoice opens does not show the customer, also once it is paid', async () => {
  const { subscription_id: id } = await beginPastDue()
  const session = await payers.open(await payers.newest(id))
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const see = () => stack.merchant.call('GET', path, undefined, { ...bearer(session.client_secret), ...fromAnywhere() })
  const before = await see()
  await payers.payIn(session)
  for (const { status, text, body } of [before, await see()]) {
    assert.deepEqual([status, body['customer_details'], body['asks_customer']], [200, null, false])
    assert.ok(!text.includes('@example.com') && !text.includes('Ada Buyer'), text)
  }
  const { customer_details: known } = await stack.merchant.getCheckout(session.checkout_id)
  assert.ok(known, 'the merchant still sees it')
  await untilStatus(id, 'active')
})

test('a card that fails is replaced on the page of the invoice, and the new one is charged from then on', async () => {
  const { subscription_id: id, payment_method_id: failing } = await beginPastDue()
  const unpaid = await payers.newest(id)
  assert.partialDeepStrictEqual(await payers.see(unpaid), { status: 'open', can_be_paid: true, amount_due: '25.00' })
  const paid = await payers.pay(unpaid)
  assert.equal(paid['payment_status'], 'succeeded')
  const active = await untilStatus(id, 'active')
  assert.notEqual(active.payment_method_id, failing)
  assert.partialDeepStrictEqual(active, { past_due_at: null, next_payment_attempt_at: null, attempt_count: 0 })
  assert.partialDeepStrictEqual(await payers.newest(id), { status: 'paid', payment_id: paid['payment_id'] })
  assert.partialDeepStrictEqual(await payers.see(unpaid), { status: 'paid', can_be_paid: false, amount_due: '0.00' })

  await stack.skip(31 * dayMs)
  const renewed = await plans.until(id, ({ current_period_end: end }) => end > active.current_period_end)
  assert.equal(renewed.status, 'active')
  const [row] = await stack.sql<{ saved: string; checkout: string | null }>(
    `select saved_method_id as saved, checkout_id as checkout from payments where id = ?`,
    [(await payers.newest(id))['payment_id']],
  )
  assert.deepEqual(row, { saved: active.payment_method_id, checkout: null })
  assert.equal((await keptOf(id)).length, 3)
})

test('a page that is opened twice gives the same open session, and another one once that has expired', async () => {
  const { subscription_id: id } = await beginPastDue()
  const unpaid = await payers.newest(id)
  const [one, two] = await Promise.all([payers.open(unpaid), payers.open(unpaid)])
  const { status: _one, ...first } = one
  const { status: _two, ...second } = two
  assert.deepEqual(first, second)
  assert.deepEqual([one.status, two.status].toSorted(), ['200', '201'])
  await stack.skip(2 * 3_600_000)
  await until(
    async () => (await plans.ok('GET', `/v1/checkout-sessions/${first.checkout_id}`))['status'] === 'expired',
    'the session expires',
  )
  const later = await payers.open(unpaid)
  assert.notEqual(later.checkout_id, first.checkout_id)
  const shown = await plans.ok('GET', `/v1/checkout-sessions/${later.checkout_id}`)
  assert.partialDeepStrictEqual(shown, {
    source_type: 'INVOICE',
    amount: '25.00',
    currency: 'USD',
    recurring: null,
    products: null,
    description: `Invoice ${unpaid.number}`,
    success_url: unpaid['hosted_invoice_url'],
  })
  const [opened, expires] = [shown['created_at'], shown['expires_at']].map((time) => Date.parse(String(time)))
  assert.equal(Number(expires) - Number(opened), 60 * minuteMs)
  const { items } = await plans.ok<{ items: object[] }>('GET', `/v1/checkout-sessions/${later.checkout_id}/timeline`)
  assert.partialDeepStrictEqual(items, [{ step: 'open', actor: 'buyer' }])
})

test('a session whose payment the rail holds is given beyond its hour, so that nobody pays twice', async (t) => {
  t.after(() => rails.heal())
  const { subscription_id: id } = await beginPastDue()
  const unpaid = await payers.newest(id)
  const first = await payers.open(unpaid)
  Object.assign(rails.errors, { charge: 'holds', lookUp: 'holds' })
  await stack.skip(40 * minuteMs)
  assert.equal((await payers.payIn(first))['payment_status'], 'processing')
  await stack.skip(30 * minuteMs)
  const again = await payers.open(unpaid)
  assert.deepEqual([again.status, again.checkout_id, again.expires_at], ['200', first.checkout_id, first.expires_at])
  rails.heal() // and is asked an hour after the order
  await stack.skip(40 * minuteMs)
  await untilStatus(id, 'active')
  assert.partialDeepStrictEqual(await payers.newest(id), { status: 'paid', amount_paid: '25.00' })
  assert.equal((await keptOf(id)).length, 2)
})

test('a session that takes no more attempts is replaced by a new one, so that the invoice can be paid', async () => {
  const { subscription_id: id } = await beginPastDue()
  const unpaid = await payers.newest(id)
  const first = await payers.open(unpaid)
  await changeSession(stack, first.checkout_id, { attempts: attemptsMax })
  const later = await payers.open(unpaid)
  assert.deepEqual([later.status, later.checkout_id === first.checkout_id], ['201', false])
  assert.equal((await payers.payIn(later))['payment_status'], 'succeeded')
  await untilStatus(id, 'active')
})

test('CONFLICT: a void invoice cannot be paid', async () => {
  const { subscription_id: id } = await beginPastDue()
  const unpaid = await payers.newest(id)
  const opened = await payers.open(unpaid)
  await plans.ok('POST', `/v1/invoices/${unpaid.invoice_id}/void`, {})
  const refused = await payers.tryToOpen(unpaid)
  assert.equal(refused.status, 409)
  assert.equal(refused.body['error_code'], 'CONFLICT')
  assert.partialDeepStrictEqual(await payers.see(unpaid), { status: 'void', can_be_paid: false, amount_due: '0.00' })
  const headers = { authorization: `Bearer ${opened.client_secret}`, ...fromAnywhere() }
  const how = { payment_method: 'USD_CARD', card: { number: cards.success, exp_month: 12, exp_year: 2040, cvc: '123' } }
  const path = `/v1/checkout-sessions/${opened.checkout_id}/pay`
  const unpayable = await stack.merchant.call('POST', path, { ...how, confirm: true }, headers)
  assert.equal(unpayable.status, 409)
  assert.partialDeepStrictEqual(unpayable.body['errors'], [{ code: 'invoice_not_payable' }])
})

test('SERVICE_UNAVAILABLE, BAD_GATEWAY: an invoice that needs a rate waits for it, and is not refused', async () => {
  const { subscription_id: id } = await plans.subscribe({ product: { currency: 'EUR' }, number: laterCards.declines })
  await stack.skip(32 * dayMs)
  await untilStatus(id, 'past_due')
  const unpaid = await payers.newest(id)
  const { rates } = stack.services
  const { rate } = rates
  for (const code of ['SERVICE_UNAVAILABLE', 'BAD_GATEWAY'] as const) {
    rates.rate = () => Promise.reject(new Refusal(code, 'no rate is known', [], 5))
    const refused = await payers.tryToOpen(unpaid)
    rates.rate = rate
    assertError(refused, errorCodes[code], code)
    assert.equal(refused.headers.get('retry-after'), '5')
  }
  await payers.payIn(await holdingNothing(stack, () => payers.open(unpaid)))
  await untilStatus(id, 'active')
})

test('a card that asks for its owner at a renewal fails, and the link works with the code of its bank', async () => {
  const { subscription_id: id } = await beginPastDue(laterCards.asksFor3ds)
  const unpaid = await payers.newest(id)
  const opened = await payers.open(unpaid)
  assert.equal((await payers.payIn(opened, cards.threeDs))['payment_status'], 'requires_action')
  const headers = { authorization: `Bearer ${opened.client_secret}`, ...fromAnywhere() }
  const path = `/v1/checkout-sessions/${opened.checkout_id}/confirm`
  const confirmed = await stack.merchant.call('POST', path, { code: '123456' }, headers)
  assert.equal(confirmed.body['payment_status'], 'succeeded', confirmed.text)
  await untilStatus(id, 'active')
  assert.equal((await payers.newest(id)).status, 'paid')
})

test('a payment after dunning has ended revives the subscription under the policy accept', async () => {
  await setPolicy('accept')
  const { subscription_id: id } = await beginPastDue()
  for (let days = 0; days < 22; days++) await stack.skip(dayMs)
  await untilStatus(id, 'canceled')
  const unpaid = await payers.newest(id)
  assert.equal(unpaid.status, 'uncollectible')
  assert.equal((await payers.see(unpaid))['can_be_paid'], true)
  await payers.pay(unpaid)
  const revived = await untilStatus(id, 'active')
  assert.partialDeepStrictEqual(revived, { canceled_at: null, ended_at: null, cancellation: null })
  assert.equal((await payers.newest(id)).status, 'paid')
  assert.deepEqual(await refundsOf(id), [])
  await stack.skip(12 * dayMs)
  const renewed = await plans.until(id, ({ current_period_end: end }) => end > revived.current_period_end)
  assert.equal(renewed.status, 'active')
})

test('under the policy refund nobody can pay once dunning has ended: not even what they had begun', async (t) => {
  await setPolicy('refund')
  t.after(() => setPolicy('accept'))
  const { subscription_id: id } = await beginPastDue()
  const unpaid = await payers.newest(id)
  for (let days = 0; days < 19; days++) await stack.skip(dayMs)
  const { next_payment_attempt_at: last } = await plans.until(id, ({ attempt_count: attempts }) => attempts === 4)
  await stack.skip(Date.parse(String(last)) - (await stack.clock.now()) - 10 * minuteMs)
  const opened = await payers.open(unpaid)
  assert.equal((await payers.payIn(opened, cards.threeDs))['payment_status'], 'requires_action')
  await stack.skip(11 * minuteMs)
  await plans.until(id, ({ status }) => status === 'canceled')
  const headers = { authorization: `Bearer ${opened.client_secret}`, ...fromAnywhere() }
  const path = `/v1/checkout-sessions/${opened.checkout_id}`
  const again = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
  assert.equal((await stack.merchant.call('POST', `${path}/confirm`, { code: '123456' }, headers)).status, 409)
  assert.equal((await stack.merchant.call('POST', `${path}/pay`, again, headers)).status, 409)
  assert.equal((await payers.newest(id)).status, 'uncollectible')
  assert.equal((await payers.see(unpaid))['can_be_paid'], false)
  assert.equal((await payers.tryToOpen(unpaid)).status, 409)
})

test('a card that answers late finds its invoice paid on the page, and its money goes back', async () => {
  const { subscription_id: id } = await plans.subscribe({ number: laterCards.answersLate })
  const unpaid = await untilCharged(id)
  await payers.pay(unpaid)
  assert.equal((await payers.newest(id)).status, 'paid')
  await answerNow(unpaid['payment_id'])
  await stack.skip(2 * dayMs)
  await untilRefunded(id, 'duplicate')
  assert.equal((await plans.read(id)).status, 'active')
})

test('a renewal waits for the answer about the charge before it, and is charged then', async () => {
  const begun = await plans.subscribe({ number: laterCards.answersLate })
  const { subscription_id: id } = begun
  const first = await untilCharged(id)
  await stack.skip(32 * dayMs)
  await until(async () => (await plans.invoices(id)).length === 3, 'the next period has its invoice')
  assert.equal((await payers.payments(id)).length, 2)
  await answerNow(first['payment_id'])
  await stack.skip(2 * dayMs)
  await until(async () => (await payers.payments(id)).length === 3, 'the next invoice is charged')
  const last = await payers.newest(id)
  await answerNow(last['payment_id'])
  await stack.skip(2 * dayMs)
  await until(async () => (await payers.newest(id)).status === 'paid', 'the next invoice is paid')
  assert.equal((await keptOf(id)).length, 3)
})

/** The invoice of the first renewal, once its card is charged. */
async function untilCharged(id: string): Promise<ShownInvoice> {
  await stack.skip(32 * dayMs)
  const isCharged = async () => {
    const { status, payment_id: payment } = await payers.newest(id)
    return status === 'open' && payment !== null
  }
  await until(isCharged, 'the card is charged')
  return payers.newest(id)
}

/** Lets the card network decide a charge of a saved card, which it then tells when it is asked. */
const answerNow = (paymentId: unknown) =>
  stack.sql(`update simulated_charges set status = 'succeeded', executions = 1 where payment_id = ?`, [paymentId])

test('an invoice of a subscription that its merchant has ended can be paid, which begins nothing again', async () => {
  const { subscription_id: id } = await beginPastDue()
  await plans.act(id, 'cancel', { at_period_end: false })
  const unpaid = await payers.newest(id)
  assert.partialDeepStrictEqual(unpaid, { status: 'uncollectible', amount_due: '25.00', amount_paid: '0.00' })
  await payers.pay(unpaid)
  await until(async () => (await payers.newest(id)).status === 'paid', 'the invoice is paid')
  assert.partialDeepStrictEqual(await payers.newest(id), { amount_due: '0.00', amount_paid: '25.00' })
  await stack.skip(dayMs)
  assert.equal((await plans.read(id)).status, 'canceled')
  assert.deepEqual(await refundsOf(id), [])
})

test('an invoice that is paid after the end of its period revives nothing', async () => {
  const { subscription_id: id } = await beginPastDue()
  for (let days = 0; days < 40; days++) await stack.skip(dayMs)
  await untilStatus(id, 'canceled')
  const unpaid = await payers.newest(id)
  await payers.pay(unpaid)
  await until(async () => (await payers.newest(id)).status === 'paid', 'the invoice is paid')
  await stack.skip(dayMs)
  assert.equal((await plans.read(id)).status, 'canceled')
  assert.equal((await plans.invoices(id)).length, 2)
})
