import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LanguageCode, languageCodes } from '../../domain/language.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { dataOf } from '../support/cart.ts'
import { type OpenedSession, payersOf } from '../support/invoice-page.ts'
import { plain, textIn, textsAmong } from '../support/languages.ts'
import { card, cards } from '../support/merchant.ts'
import { loseProcess } from '../support/lose-process.ts'
import { openPages } from '../support/pages.ts'
import { liftRateLimits } from '../support/rows.ts'
import { eventsOfSale } from '../support/sale-events.ts'
import { settled } from '../support/settled.ts'
import { laterCards, type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'
import { useStack } from '../support/use-stack.ts'

// The checkout session of an invoice is open, and the invoice is void by then, or was paid in another way.
const stack = await useStack({ skipping: true, invariants: 'after each test' })
await liftRateLimits(stack)
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const { merchant } = stack

/** An invoice of 5,000 naira whose card was declined, and the session in which its customer pays it. */
async function begin() {
  const product = { currency: 'NGN', amount: '5000.00' }
  const { subscription_id: id, customer } = await plans.subscribe({ product, number: laterCards.declines })
  await stack.skip(32 * 86_400_000)
  await plans.until(id, ({ status }) => status === 'past_due')
  const invoice = await payers.newest(id)
  return { id, customerId: customer.id, invoice, session: await payers.open(invoice) }
}
type Begun = Awaited<ReturnType<typeof begin>>

const voidIt = ({ invoice }: { invoice: ShownInvoice }) =>
  plans.ok('POST', `/v1/invoices/${invoice.invoice_id}/void`, {})

const ends = {
  void: voidIt,
  async paid({ id, customerId }: Begun) {
    await plans.edit(id, { payment_method_id: await plans.saveCard(customerId) })
    await until(async () => (await payers.newest(id)).status === 'paid', 'another card has paid the invoice')
  },
  /** Its account sends money back that comes after the end of a subscription. */
  async uncollectible({ id }: Begun) {
    await setPolicy('refund')
    await plans.act(id, 'cancel', { at_period_end: false })
    assert.equal((await payers.newest(id)).status, 'uncollectible')
  },
}

const setPolicy = (policy: 'accept' | 'refund') => plans.ok('PATCH', '/v1/account', { late_payment_policy: policy })

/** A call of the buyer; its answer. */
const call = ({ checkout_id: id, client_secret: secret }: OpenedSession, action: string, body?: object) =>
  merchant.call(body ? 'POST' : 'GET', `/v1/checkout-sessions/${id}/${action}`, body, {
    ...bearer(secret),
    ...fromAnywhere(),
  })

const see = async (session: OpenedSession) => (await call(session, 'public')).body

async function expire(session: OpenedSession): Promise<void> {
  await stack.skip(2 * 3_600_000)
  await until(async () => (await see(session))['status'] === 'expired', 'the session has expired')
}

async function cancel({ checkout_id: id }: OpenedSession): Promise<void> {
  assert.equal((await merchant.cancel(id)).status, 200)
}

/** Asks for an account to send a transfer to; the payment's id. */
async function askForAccount(session: OpenedSession): Promise<string> {
  const { status, text, body } = await call(session, 'pay', { payment_method: 'NGN_BANK_TRANSFER' })
  assert.equal(status, 200, text)
  return String(body['payment_id'])
}

async function deposit(paymentId: string, amount: string): Promise<void> {
  const before = Number((await merchant.getPayment(paymentId))['amount_received'])
  assert.equal((await merchant.deposit(paymentId, { amount })).status, 200)
  const isBooked = async () =>
    Number((await merchant.getPayment(paymentId))['amount_received']) === before + Number(amount)
  await until(isBooked, 'the money is booked')
}

const keys = [
  'ended.cancelled',
  'ended.expired',
  'ended.invoice',
  'ended.invoice.why',
  'ended.received',
  'ended.missing',
  'ended.do.not.send',
  'ended.again',
  'paid.title',
  'transfer.exactly',
  'send.rest',
] as const

async function textsOf({ checkout_url: url }: OpenedSession, code: LanguageCode = 'en') {
  const response = await fetch(pages.addressOf(url), { headers: { 'accept-language': code, ...fromAnywhere() } })
  return textsAmong(keys, plain(await response.text()), code)
}

/** Waits until a payment was sent back in full; the refund. */
async function untilBack(payment: string) {
  const isBack = async () => {
    await stack.skip(60_000)
    return (await merchant.getPayment(payment))['refund_status'] === 'full'
  }
  await until(isBack, 'the money is back')
  const refunds = await stack.sql<{ reason: string; requested: string; fee: string }>(
    `select reason, trim_scale(requested_amount)::text as requested, trim_scale(fee_amount)::text as fee
     from refunds where charge_id = ?`,
    [payment],
  )
  assert.equal(refunds.length, 1)
  return refunds[0]
}

const savedBy = ({ checkout_id: id }: OpenedSession) =>
  stack.sql('select id from saved_payment_methods where checkout_id = ?', [id])

test('the page of an invoice’s session names the invoice in the language of its reader', async () => {
  const { session, invoice } = await begin()
  for (const code of languageCodes) {
    const response = await fetch(pages.addressOf(session.checkout_url), {
      headers: { 'accept-language': code, ...fromAnywhere() },
    })
    const heading = textIn(code, 'invoice.heading').replace('{number}', String(invoice.number))
    const page = plain(await response.text())
    assert.ok(page.includes(heading), heading)
    assert.equal(page.includes(`Invoice ${invoice.number}`), code === 'en')
  }
})

for (const [end, endInvoice] of Object.entries(ends)) {
  test(`money for an invoice that is ${end} by then is no sale, and its page asks for none`, async (t) => {
    t.after(() => setPolicy('accept'))
    const begun = await begin()
    const { session } = begun
    const payment = await askForAccount(session)
    assert.equal((await see(session))['can_be_paid'], true)
    assert.deepEqual(await textsOf(session), ['transfer.exactly'])
    await endInvoice(begun)
    assert.partialDeepStrictEqual(await see(session), { status: 'open', can_be_paid: false, payment_id: payment })
    for (const code of languageCodes)
      assert.deepEqual(await textsOf(session, code), ['ended.invoice', 'ended.do.not.send'], code)

    await deposit(payment, '5000.00')
    const shown = await merchant.getCheckout(session.checkout_id)
    assert.partialDeepStrictEqual(shown, { status: 'cancelled', payment_status: 'canceled', completed_at: null })
    assert.deepEqual(await textsOf(session), ['ended.cancelled', 'ended.received'])
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded'])
    const { late, duplicate } = await dataOf(stack, 'collection.succeeded', payment)
    assert.deepEqual([late, duplicate], end === 'paid' ? [undefined, true] : [true, undefined])
    const back = await untilBack(payment)
    if (end === 'paid') assert.deepEqual(back, { reason: 'duplicate', requested: '5000', fee: '0' })
    else assert.deepEqual(back, { reason: 'late payment', requested: '4950', fee: '25' })
    assert.deepEqual(await textsOf(session), ['ended.cancelled', 'ended.received'])
    assert.equal((await payers.newest(begun.id)).status, end)
  })
}

test('a card that is charged for an invoice voided meanwhile is not kept, and its session is no sale', async (t) => {
  const begun = await begin()
  const { session } = begun
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  t.after(() => void (rails.of = of))
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      async charge(order, at) {
        const answer = await rail.charge(order, at)
        await voidIt(begun)
        return answer
      },
    }
  }
  const paid = await payers.payIn(session)
  const payment = String(paid['payment_id'])
  assert.partialDeepStrictEqual(paid, { status: 'cancelled', payment_status: 'canceled' })
  assert.deepEqual(await savedBy(session), [])
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded'])
  assert.equal((await dataOf(stack, 'collection.succeeded', payment))['late'], true)
  assert.equal((await untilBack(payment))?.reason, 'late payment')
  assert.deepEqual(await textsOf(session), ['ended.cancelled', 'ended.received'])
})

for (const [end, endInvoice] of Object.entries(ends)) {
  test(`an order that has not reached its rail is not sent for an invoice that is ${end} by then`, async (t) => {
    t.after(() => setPolicy('accept'))
    const begun = await begin()
    const { session } = begun
    const rails = stack.deps.rails.in('sandbox')
    const { of } = rails
    t.after(() => void (rails.of = of))
    rails.of = (corridor) => ({ ...of(corridor), charge: () => Promise.reject(new Error('the network is away')) })
    const paid = await payers.payIn(session)
    const payment = String(paid['payment_id'])
    assert.equal(paid['payment_status'], 'processing')
    await endInvoice(begun)
    rails.of = of
    const isOver = async () => {
      await stack.skip(60_000)
      return (await merchant.getPayment(payment))['status'] === 'failed'
    }
    await until(isOver, 'the attempt is given up')
    assert.equal((await merchant.getPayment(payment))['failure_code'], 'rail_unavailable')
    const isCancelled = async () =>
      (await stack.sql(`select from payments where id = ? and cancelling = 'done'`, [payment])).length === 1
    await until(isCancelled, 'its rail has cancelled it')
    assert.deepEqual(await stack.sql('select id from refunds where charge_id = ?', [payment]), [])
    for (const code of languageCodes)
      assert.deepEqual(await textsOf(session, code), ['ended.invoice', 'ended.invoice.why'], code)
    await cancel(session)
  })
}

test('a payment that its rail holds is not failed for a void invoice after its process was lost', async (t) => {
  const begun = await begin()
  const { session } = begun
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  t.after(() => void (rails.of = of))
  const held = { status: 'processing' } as const
  rails.of = (corridor) => {
    const rail = of(corridor)
    const charge: typeof rail.charge = async (order, at) => {
      await rail.charge(order, at)
      return held
    }
    return { ...rail, charge, lookUp: async () => held }
  }
  const payment = String((await payers.payIn(session))['payment_id'])
  const hasBeenAsked = async () =>
    (await stack.sql('select from payments where id = ? and poll_count > 0', [payment])).length === 1
  await until(hasBeenAsked, 'its rail has said that it holds it')
  await voidIt(begun)
  await loseProcess(stack.client, 'checkout', session.checkout_id)
  await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.equal((await merchant.getPayment(payment))['status'], 'processing')
  rails.of = of
  const paymentNews = JSON.stringify({ name: 'railAnswered', args: [payment] })
  await stack.sql(
    `insert into outbox (process, resource_id, signal, about)
     select 'checkout', checkout_id, ?::jsonb, jsonb_build_object('accountId', account_id, 'environment', environment,
       'status', status, 'waitingOn', 'rail', 'summary', 'news') from payments where id = ?`,
    [paymentNews, payment],
  )
  assert.equal((await untilBack(payment))?.reason, 'late payment')
})

for (const [end, endInvoice] of Object.entries(ends)) {
  test(`CONFLICT: a code for an invoice that is ${end} by then is not sent, so nothing is charged`, async (t) => {
    t.after(() => setPolicy('accept'))
    const begun = await begin()
    const { session } = begun
    const asked = await payers.payIn(session, cards.threeDs)
    assert.equal(asked['payment_status'], 'requires_action')
    await endInvoice(begun)
    const refused = await call(session, 'confirm', { code: '123456' })
    assertError(refused, 409, 'CONFLICT')
    assert.partialDeepStrictEqual(refused.body['errors'], [{ code: 'invoice_not_payable' }])
    assert.equal((await merchant.getPayment(String(asked['payment_id'])))['status'], 'requires_action')
    assert.equal((await see(session))['awaits_money'], false)
    for (const code of languageCodes)
      assert.deepEqual(await textsOf(session, code), ['ended.invoice', 'ended.invoice.why'], code)
    await cancel(session)
  })
}

test('the page of a void invoice says what has come, whatever was tried last, and asks for nothing', async () => {
  const begun = await begin()
  const { session } = begun
  const payment = await askForAccount(session)
  await deposit(payment, '2000.00')
  assert.ok((await textsOf(session)).includes('send.rest'))
  const declined = { payment_method: 'USD_CARD', card: card(cards.declined), confirm: true }
  assert.equal((await call(session, 'pay', declined)).status, 200)
  await voidIt(begun)
  assert.partialDeepStrictEqual(await see(session), { payment_id: payment, amount_received: '2000.00' })
  assert.deepEqual(await textsOf(session), ['ended.invoice', 'ended.received', 'ended.missing'])
  await deposit(payment, '3000.00')
  assert.equal((await untilBack(payment))?.requested, '4950')
})

test('the page of a void invoice says what has come though another choice waits to be confirmed', async () => {
  const begun = await begin()
  const { session } = begun
  const payment = await askForAccount(session)
  await deposit(payment, '2000.00')
  const chosen = await call(session, 'pay', { payment_method: 'USD_CARD', card: card(cards.success) })
  assert.equal(chosen.body['payment_status'], 'requires_confirmation', chosen.text)
  assert.partialDeepStrictEqual((await see(session))['paid_with'], { brand: 'visa' })
  await voidIt(begun)
  const seen = { payment_id: payment, payment_method: 'NGN_BANK_TRANSFER', amount_received: '2000.00' }
  assert.partialDeepStrictEqual(await see(session), { ...seen, paid_with: { brand: null, last4: null } })
  assert.deepEqual(await textsOf(session), ['ended.invoice', 'ended.received', 'ended.missing'])
})

for (const [how, endSession] of Object.entries({ expired: expire, cancelled: cancel })) {
  test(`the page of a void invoice says that nothing was charged, also once its session is ${how}`, async () => {
    const begun = await begin()
    const { session } = begun
    const saysWhy = async () => {
      for (const code of languageCodes)
        assert.deepEqual(await textsOf(session, code), ['ended.invoice', 'ended.invoice.why'], code)
      assert.equal((await see(session))['invoice_can_be_paid'], false)
    }
    await voidIt(begun)
    await saysWhy()
    await endSession(session)
    assert.equal((await see(session))['status'], how)
    await saysWhy()
  })
}

test('the page of an expired session invites to pay an invoice that can still be paid', async () => {
  const { session } = await begin()
  await expire(session)
  assert.partialDeepStrictEqual(await see(session), { can_be_paid: false, invoice_can_be_paid: true })
  assert.deepEqual(await textsOf(session), ['ended.expired', 'ended.again'])
})
