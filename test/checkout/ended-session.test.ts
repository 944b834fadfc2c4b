import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { type LanguageCode, languageCodes } from '../../domain/language.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { bearer } from '../support/api.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { plain, textsAmong } from '../support/languages.ts'
import { card, cards, type Merchant, sale, transferSale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { changeAccount } from '../support/rows.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What the buyer of a session that has ended is told of an earlier attempt, on the page and by the API.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const { merchant } = stack
const { main } = createActivities(stack.deps)

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>

async function seen({ checkout_id, client_secret }: Session, by = merchant): Promise<Json> {
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  return (await by.call('GET', path, undefined, bearer(client_secret))).body
}

async function pageOf({ checkout_url }: Session, code: LanguageCode = 'en'): Promise<string> {
  const response = await fetch(pages.addressOf(checkout_url), { headers: { 'accept-language': code } })
  return plain(await response.text())
}

/** Which of these texts are on the page. */
const keys = [
  'ended.received',
  'ended.missing',
  'ended.refund.pending',
  'ended.refund.succeeded',
  'ended.accepted',
  'ended.ask',
  'ended.do.not.send',
  'ended.again',
] as const
const textsOn = (page: string, code: LanguageCode = 'en') => textsAmong(keys, page, code)

/** The last attempt is a card that is declined, or one that is chosen and not confirmed. */
const declined = { payment_method: 'NGN_CARD', card: card(cards.declined), confirm: true }
const unconfirmed = { payment_method: 'NGN_CARD', card: card(cards.success) }

/** A sale whose buyer has been given an account for a transfer first; the id of that attempt. */
async function begin(body: Json = {}) {
  await changeAccount(stack, stack.organizationId, { feePreference: 'customer_pays' })
  const session = await merchant.createCheckout({ ...transferSale, ...body })
  await changeAccount(stack, stack.organizationId, { feePreference: 'org_pays' })
  return { session, paymentId: (await merchant.payByTransfer(session)).payment_id }
}

async function thenTry(session: Session, body: Json): Promise<void> {
  const { status, text } = await merchant.pay(session, body)
  assert.equal(status, 200, text)
}

async function cancel({ checkout_id }: Session): Promise<void> {
  const { status, text } = await merchant.cancel(checkout_id)
  assert.equal(status, 200, text)
}

async function arrives(paymentId: string, amount: string): Promise<void> {
  const { status, text } = await merchant.deposit(paymentId, { amount })
  assert.equal(status, 200, text)
  await until(async () => (await merchant.getPayment(paymentId))['amount_received'] === amount, 'the money is booked')
}

for (const [how, last] of Object.entries({ 'that is declined': declined, 'that is not confirmed': unconfirmed })) {
  test(`a transfer that may still come, or has come, is not forgotten for a card ${how}`, async () => {
    const { session, paymentId } = await begin()
    await thenTry(session, last)
    await cancel(session)
    const expected = { payment_id: paymentId, payment_method: 'NGN_BANK_TRANSFER', failure_code: null }
    const price = { amount: '5000.00', fee: '50.00', total: '5050.00', currency: 'NGN' }
    const awaited = { ...expected, ...price, amount_received: '0.00', awaits_money: true }
    assert.partialDeepStrictEqual(await seen(session), awaited)
    for (const code of languageCodes) {
      const page = await pageOf(session, code)
      assert.deepEqual(textsOn(page, code), ['ended.do.not.send'], code)
      assert.ok(page.includes(paymentId), code)
    }
    await arrives(paymentId, '5050.00')
    assert.partialDeepStrictEqual(await seen(session), { ...expected, ...price, amount_received: '5050.00' })
    for (const code of languageCodes) {
      const page = await pageOf(session, code)
      assert.deepEqual(textsOn(page, code), ['ended.received', 'ended.ask'], code)
      assert.ok(page.includes(paymentId), code)
    }
  })

  test(`a part that came before a card ${how} is shown, with what is missing of that transfer`, async () => {
    const { session, paymentId } = await begin()
    await arrives(paymentId, '2000.00')
    await thenTry(session, last)
    await cancel(session)
    assert.partialDeepStrictEqual(await seen(session), { payment_id: paymentId, amount_received: '2000.00' })
    const page = await pageOf(session)
    assert.deepEqual(textsOn(page), ['ended.received', 'ended.missing', 'ended.ask'])
    assert.match(page, /received ₦2,000\.00 from you/)
    assert.match(page, /₦3,050\.00 was missing/)
  })
}

for (const [refund, reference] of [
  ['pending', 'sandbox_no_answer'],
  ['succeeded', 'order-1'],
] as const) {
  test(`a buyer whose late money goes back reads that, and not to ask for it: the refund is ${refund}`, async (t) => {
    const setPolicy = (latePaymentPolicy: 'accept' | 'refund') =>
      changeAccount(stack, stack.organizationId, { latePaymentPolicy })
    await setPolicy('refund')
    t.after(() => setPolicy('accept'))
    const { session, paymentId } = await begin({ reference })
    await cancel(session)
    assert.partialDeepStrictEqual(await seen(session), { refund_progress: 'none', partial: false })
    await arrives(paymentId, '5050.00')
    const isThere = async () => (await seen(session))['refund_progress'] === refund
    await until(isThere, 'the refund is shown')
    for (const code of languageCodes) {
      const page = await pageOf(session, code)
      assert.deepEqual(textsOn(page, code), ['ended.received', `ended.refund.${refund}`], code)
      assert.ok(page.includes(paymentId), code)
    }
  })
}

test('a buyer whose part was accepted reads that the rest must not be sent', async () => {
  const { session, paymentId } = await begin()
  await arrives(paymentId, '2000.00')
  await cancel(session)
  assert.partialDeepStrictEqual(await seen(session), { partial: false })
  assert.equal((await merchant.call('POST', `/v1/payments/${paymentId}/accept`, {})).status, 200)
  assert.partialDeepStrictEqual(await seen(session), { partial: true, refund_progress: 'none' })
  for (const code of languageCodes) {
    const page = await pageOf(session, code)
    assert.deepEqual(textsOn(page, code), ['ended.received', 'ended.accepted'], code)
    assert.ok(page.includes(paymentId), code)
  }
  const refund = { charge_id: paymentId, amount: 1000, reference: 'part', reason: 'goodwill', fee_bearer: 'ORG' }
  assert.equal((await merchant.call('POST', '/api/v1/payments/refunds', refund)).status, 201)
  assert.deepEqual(textsOn(await pageOf(session)), ['ended.received', 'ended.accepted'])
})

test('money is shown in the currency in which it has come, with the product and the rate of that attempt', async () => {
  const [small, large] = [await newProduct(merchant), await newProduct(merchant, { name: 'Large', amount: '8.00' })]
  const { body } = await merchant.call('POST', '/v1/product-groups', { name: 'Sizes', products: [small, large] })
  const { amount: _amount, currency: _currency, description: _description, ...rest } = sale
  const session = await merchant.createCheckout({ ...rest, product_group_id: body['product_group_id'] })
  const transfer = { payment_method: 'NGN_BANK_TRANSFER', products: [{ product_id: small, quantity: 1 }] }
  const paymentId = String((await merchant.pay(session, transfer)).body['payment_id'])
  const products = [{ product_id: large, quantity: 1 }]
  await thenTry(session, { payment_method: 'USD_CARD', card: card(cards.declined), confirm: true, products })
  await cancel(session)
  await arrives(paymentId, '8000.00')
  const view = await seen(session)
  assert.partialDeepStrictEqual(view, {
    payment_id: paymentId,
    amount_received: '8000.00',
    total: '8000.00',
    currency: 'NGN',
    billing_currency: 'NGN',
    rate: '1600',
    base_amount: '5.00',
    products: [{ product_id: small }],
  })
  const page = await pageOf(session)
  assert.deepEqual(textsOn(page), ['ended.received', 'ended.ask'])
  assert.match(page, /received ₦8,000\.00 from you/)
})

test('of two transfers, the one that has paid is shown, and not the later one that goes back', async () => {
  const { session, paymentId: first } = await begin()
  const { payment_id: second } = await merchant.payByTransfer(session)
  await cancel(session)
  await arrives(first, '5050.00')
  await arrives(second, '5050.00')
  assert.equal((await dataOf(stack, 'collection.succeeded', second))['duplicate'], true)
  assert.partialDeepStrictEqual(await seen(session), { payment_id: first, amount_received: '5050.00' })
})

test('a buyer whose cards were all declined has not been charged', async () => {
  const session = await merchant.createCheckout(transferSale)
  for (const number of [cards.insufficient, cards.declined]) {
    await thenTry(session, { ...declined, card: card(number) })
  }
  await cancel(session)
  assert.partialDeepStrictEqual(await seen(session), { failure_code: 'card_declined', amount_received: '0.00' })
  assert.deepEqual(textsOn(await pageOf(session)), ['ended.again'])
})

/** A session whose buyer has left a question on their phone, which the rail cannot take back, for a declined card. */
async function afterPrompt() {
  const { in: railsIn } = stack.deps.rails
  const rails = railsIn('sandbox')
  const { of } = rails
  const script: RailAnswer[] = []
  rails.of = (corridor) => {
    const rail = of(corridor)
    if (corridor !== 'MOMO_KES') return rail
    const ask = async (...about: Parameters<typeof rail.lookUp>) => script.at(-1) ?? rail.lookUp(...about)
    return { ...rail, cancelCharge: ask, lookUp: ask }
  }
  const session = await merchant.createCheckout({ ...sale, amount: '1000.00', currency: 'KES' })
  const { payment_id } = await merchant.payByPhone(session, { phone_number: '+254700000005' })
  await thenTry(session, { ...declined, payment_method: 'USD_CARD' })
  await cancel(session)
  return {
    session,
    async answers(answer: RailAnswer) {
      script.push(answer)
      await main.lookUpPayment(session.checkout_id, String(payment_id), Date.now())
    },
    restore: () => void (rails.of = of),
  }
}

test('a payment that was given up awaits no money once its rail says that it has failed', async () => {
  const { session, answers, restore } = await afterPrompt()
  try {
    assert.partialDeepStrictEqual(await seen(session), { payment_method: 'MOMO_KES', awaits_money: true })
    // As of a page of the provider, which takes another card after one that was declined.
    await answers({ status: 'failed', failureCode: 'card_declined', newsDueAt: Date.now() + 3_600_000 })
    assert.partialDeepStrictEqual(await seen(session), { payment_method: 'MOMO_KES', awaits_money: true })
    assert.deepEqual(textsOn(await pageOf(session)), ['ended.do.not.send'])
    await answers({ status: 'failed', failureCode: 'customer_timeout' })
    assert.partialDeepStrictEqual(await seen(session), { payment_method: 'USD_CARD', awaits_money: false })
    for (const code of languageCodes)
      assert.deepEqual(textsOn(await pageOf(session, code), code), ['ended.again'], code)
  } finally {
    restore()
  }
})

for (const [how, last] of Object.entries({ 'of a transfer': null, 'of a transfer and a declined card': declined })) {
  test(`the page of a session ${how} awaits no money any more once it would come too late`, async () => {
    const { merchant: seller, clock, attach, advance } = await beginOnClock(api)
    const session = await seller.createCheckout({ ...transferSale, expires_in_minutes: 1440 })
    await attach({ checkout_id: session.checkout_id })
    await seller.payByTransfer(session)
    if (last) await seller.pay(session, last)
    await seller.cancel(session.checkout_id)
    await advance({ by: 'P3DT23H' })
    // The bank takes money for 72 hours from the end of the session's time, also if it was cancelled before that.
    assert.equal((await seen(session, seller))['awaits_money'], true)
    assert.deepEqual(textsOn(await pageOf(session)), ['ended.do.not.send'])
    await advance({ by: 'PT2H' })
    assert.equal((await seen(session, seller))['awaits_money'], false, clock.frozen_time)
    assert.deepEqual(textsOn(await pageOf(session)), ['ended.again'])
  })
}

test('a buyer whose only payment was stopped at its rail has not been charged', async () => {
  const session = await merchant.createCheckout(sale)
  await thenTry(session, { payment_method: 'USD_CARD', card: card(cards.threeDs), confirm: true })
  await cancel(session)
  await until(async () => (await seen(session))['awaits_money'] === false, 'the card is cancelled at its rail', {
    withinMs: 10_000,
  })
  assert.deepEqual(textsOn(await pageOf(session)), ['ended.again'])
})
