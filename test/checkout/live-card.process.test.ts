import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { addLiveMerchant } from '../support/live.ts'
import { publishableKey, useLiveProviders } from '../support/live-providers.ts'
import { startLog } from '../support/log.ts'
import { buyer, card, cards, createMerchant, type Merchant, sale, setup } from '../support/merchant.ts'
import { newCustomer, offeredBy, sellTo } from '../support/saved-card.ts'
import { startStack } from '../support/stack.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { use } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Where a live card is entered: in the field of Stripe, which makes a token of it, or on the page of Paystack. Its
// number reaches nobody else. Both providers are doubles.

const { stripe, paystack, providers } = await useLiveProviders()
const stack = await useStack({ invariants: 'at the end', skipping: true, providers })
const api = await useApi(stack)
const live = await addLiveMerchant(stack, api)
const log = startLog()
const merchant = createMerchant(await api.addProcess({ logger: log.logger }), live.merchant.apiKey)
const ngn = { ...sale, amount: '5000.00', currency: 'NGN' }

type Session = Awaited<ReturnType<Merchant['createCheckout']>>
type Offer = { payment_method: string; type: string; card_entry: string | null; card_field: object | null }

async function offersOf({ checkout_id, client_secret }: Session, by = merchant): Promise<Offer[]> {
  const headers = { ...bearer(client_secret), ...fromAnywhere() }
  const { body } = await by.call('GET', `/v1/checkout-sessions/${checkout_id}/public`, undefined, headers)
  return body['payment_methods'] as unknown as Offer[]
}
const payIn = (session: Session, corridor: string, sent?: unknown, body: object = {}) =>
  merchant.pay(session, { payment_method: corridor, ...(sent !== undefined && { card: sent }), confirm: true, ...body })
const signal = (session: Session, id: unknown) =>
  stack.client.workflow.getHandle(`checkout/${session.checkout_id}`).signal('railAnswered', String(id))

// A number that belongs to these tests alone, so that it can be looked for everywhere.
const marked = '4916338506082832'
const refusedCards: unknown[] = [
  card(marked),
  { ...card(marked), cvc: 'none' },
  { number: `${marked.slice(0, 4)} ${marked.slice(4)}` },
  { number: marked, token: 'pm_1' },
  { number: Number(marked) },
  { token: marked },
]

test('a card number is refused in live, whatever else is sent, and nothing of it is kept, logged or sent', async () => {
  const session = await merchant.createCheckout(sale)
  const [toStripe, toPaystack] = [stripe.requests.length, paystack.calls.length]
  const corridors = ['USD_CARD', 'NGN_CARD', 'MOMO_KES', 'NO_SUCH', undefined]
  for (const payment_method of corridors) {
    for (const sent of refusedCards) {
      for (const more of [{}, { customer_details: { email: 'none' } }, { phone_number: 7 }]) {
        const reply = await merchant.pay(session, { payment_method, card: sent, ...more })
        const errors = assertError(reply, 400, 'VALIDATION_ERROR')
        assert.ok(
          errors.some(({ field }) => field === 'card'),
          reply.text,
        )
        assert.ok(!reply.text.replaceAll(' ', '').includes(marked), reply.text)
      }
    }
  }
  const again = { payment_method: 'USD_CARD', card: card(marked), customer_details: buyer }
  const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
  const headers = { ...bearer(session.client_secret), 'idempotency-key': 'marked' }
  assertFieldErrors(await merchant.call('POST', path, again, headers), { card: 'value_error' })
  assert.deepEqual(await stack.sql('select from payment_requests where checkout_id = ?', [session.checkout_id]), [])
  assert.deepEqual([stripe.requests.length, paystack.calls.length], [toStripe, toPaystack])
  // The same key is free: a refused number counts as no call.
  const paid = await merchant.call(
    'POST',
    path,
    { ...again, card: { token: stripe.addCard() }, confirm: true },
    headers,
  )
  assert.equal(paid.body['payment_status'], 'succeeded', paid.text)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('what to send instead is said: a token for the field of Stripe, nothing for the page of Paystack', async () => {
  const session = await merchant.createCheckout(sale)
  const said = async (corridor: string, sent: unknown) => {
    const [first] = assertError(await payIn(session, corridor, sent), 400, 'VALIDATION_ERROR')
    return `${first?.field}: ${first?.message}`
  }
  assert.match(await said('USD_CARD', card(marked)), /^card: must be \{"token"\} of the provider’s own field/)
  assert.match(await said('NGN_CARD', card(marked)), /^card: must be left out: .* on the provider’s page/)
  assert.match(await said('NGN_CARD', { token: 'pm_1' }), /^card: must be left out/)
  assertFieldErrors(await payIn(session, 'USD_CARD'), { card: 'value_error.missing' })
  assertFieldErrors(await payIn(session, 'USD_CARD', { token: 'pm_nobody' }), { 'card.token': 'value_error' })
  await merchant.cancel(session.checkout_id)
})

test('the public view says where a card is entered, and opens the field with the key for pages', async () => {
  const session = await merchant.createCheckout({ ...sale, amount: '2000.00' })
  const shown = (await offersOf(session)).map((offer) => [offer.payment_method, offer.card_entry, offer.card_field])
  const byMethod = Object.fromEntries(shown.map(([method, ...rest]) => [method, rest]))
  assert.deepEqual(byMethod['USD_CARD'], ['field', { provider: 'stripe', publishable_key: publishableKey }])
  assert.deepEqual(byMethod['NGN_CARD'], ['page', null])
  assert.deepEqual(byMethod['NGN_BANK_TRANSFER'], [null, null])
  const sandbox = await stack.merchant.createCheckout(sale)
  for (const offer of await offersOf(sandbox, stack.merchant)) {
    assert.deepEqual([offer.card_entry, offer.card_field], [offer.type === 'card' ? 'numbers' : null, null])
  }
  await Promise.all([merchant.cancel(session.checkout_id), stack.merchant.cancel(sandbox.checkout_id)])
})

test('a card that is entered on the page of Paystack needs nothing, leads there, and pays', async () => {
  const session = await merchant.createCheckout(ngn)
  const sent = await payIn(session, 'NGN_CARD')
  const action = sent.body['next_action'] as unknown as { type: string; url: string }
  assert.deepEqual([action.type, new URL(action.url).host], ['redirect', 'checkout.paystack.com'], sent.text)
  const id = String(sent.body['payment_id'])
  await settled(stack.client, 'checkout', session.checkout_id)
  paystack.enterCard(chargeReference(id), 'AUTH_page', null)
  await signal(session, id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await merchant.getPayment(id))['status'], 'succeeded')
})

test('the sandbox takes numbers and tokens as before, while providers serve live', async () => {
  const typed = await stack.merchant.createCheckout(sale)
  assert.equal((await stack.merchant.payByCard(typed))['payment_status'], 'succeeded')
  const byToken = await stack.merchant.createCheckout(sale)
  const choice = { payment_method: 'USD_CARD', card: { token: 'tok_success' }, confirm: true }
  assert.equal((await stack.merchant.pay(byToken, choice)).body['payment_status'], 'succeeded')
  const [customer, session] = [await newCustomer(stack.merchant), await stack.merchant.createCheckout(sale)]
  assert.ok(customer)
  const saved = { payment_method_id: 'pm_1', cvc_token: 'cvctok_1' }
  const refused = await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: saved })
  assertFieldErrors(refused, { 'card.cvc': 'value_error.missing' })
  await stack.merchant.cancel(session.checkout_id)
})

test('a card that Stripe has saved pays with the token of its security code, never with the digits', async () => {
  const customer = await newCustomer(merchant)
  const saving = await merchant.createCheckout({ ...setup, customer: { id: customer } })
  await payIn(saving, 'USD_CARD', { token: stripe.addCard() })
  assert.equal(await stack.finished('checkout', saving.checkout_id), 'completed')
  const session = await sellTo(merchant, customer)
  const [offered] = await offeredBy(merchant, session)
  assert.ok(offered)
  const { payment_method_id } = offered
  const pay = (more: object) => payIn(session, 'USD_CARD', { payment_method_id, ...more })
  assertFieldErrors(await pay({ cvc: '123' }), { 'card.cvc': 'value_error' })
  assertFieldErrors(await pay({ cvc_token: '123' }), { 'card.cvc_token': 'value_error' })
  assertFieldErrors(await pay({}), { 'card.cvc_token': 'value_error.missing' })
  assertFieldErrors(await pay({ cvc_token: 'cvctok_nobody' }), { 'card.cvc_token': 'value_error' })
  const paid = await pay({ cvc_token: stripe.saved.addSecurityCode() })
  assert.equal(paid.body['payment_status'], 'succeeded', paid.text)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('a live session that saves a card offers what can save one without a charge, and is refused without', async () => {
  const session = await merchant.createCheckout({ ...setup, customer: buyer })
  assert.deepEqual(
    (await offersOf(session)).map(({ payment_method }) => payment_method),
    ['USD_CARD'],
  )
  await merchant.cancel(session.checkout_id)
  const paystackOnly = await use(
    () => startStack({ workers: false, providers: { paystack: providers.paystack } }),
    (started) => started.stop(),
  )
  const other = await addLiveMerchant(paystackOnly, await useApi(paystackOnly))
  const body = { ...setup, customer: buyer }
  const refused = await other.merchant.call('POST', '/v1/checkout-sessions', body)
  assertError(refused, 400, 'CHECKOUT_HAS_NO_PAYMENT_METHOD')
  assert.equal((await other.merchant.call('POST', '/v1/checkout-sessions', ngn)).status, 201)
})

test('a session whose provider is not configured any more offers the methods of others', async () => {
  const session = await merchant.createCheckout(sale)
  const rails = stack.deps.rails.in('live')
  const { serves } = rails
  Object.assign(rails, { serves: serves.filter((key) => key !== 'USD_CARD') })
  try {
    const left = (await offersOf(session)).map(({ payment_method }) => payment_method)
    assert.ok(left.includes('NGN_CARD') && !left.includes('USD_CARD'), String(left))
    const refused = await payIn(session, 'USD_CARD', { token: stripe.addCard() })
    assertError(refused, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  } finally {
    Object.assign(rails, { serves })
  }
  assert.equal((await payIn(session, 'USD_CARD', { token: stripe.addCard() })).body['payment_status'], 'succeeded')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('no refused number is in a row, in a log or at a provider', async () => {
  const tables = await stack.sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.some(({ name }) => name === 'payment_requests'))
  await stack.services.requestLog.close()
  for (const { name } of tables) {
    const found = await stack.sql(`select from "${name}" t where strpos(t::text, ?) > 0`, [marked.slice(4)])
    assert.equal(found.length, 0, name)
  }
  assert.ok(log.lines.length > 10, 'the calls were logged')
  const sent = JSON.stringify([stripe.requests, paystack.calls.map(({ body, path }) => [path, body])])
  assert.ok(!log.lines.join('').includes(marked.slice(4)) && !sent.includes(marked.slice(4)))
  const inSandbox = await stack.sql('select from simulated_cards')
  assert.ok(inSandbox.length > 0, `the sandbox keeps what is typed there, such as ${cards.success}`)
})

test('at the end both providers’ own lists and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
