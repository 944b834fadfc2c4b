import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSubscription } from '../../schemas/subscription/subscription.ts'
import { english } from '../../web/language.ts'
import { standingOf, type Subscription } from '../../web/subscription/portal-words.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { cutOffAt } from '../support/idempotency.ts'
import { cards } from '../support/merchant.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { monthly, type Shown, subscriptionsOf } from '../support/subscription.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The portal's API: what one customer may read and change with a token, and what not.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack
const plans = subscriptionsOf(stack)
const year = { interval: 'year', interval_count: 1 }

type Calls = ReturnType<typeof portalCalls>
type Flow = { type: string; subscription_id?: string; product_group_id?: string }

async function portalOf({ customer }: Shown, flow: Flow | null = null): Promise<Calls> {
  return portalCalls(merchant, (await openPortal(merchant, customer.id, { flow })).token)
}

/** A customer with a subscription, and the calls of their token. */
async function subscribed(options: Parameters<typeof plans.subscribe>[0] = {}) {
  const shown = await plans.subscribe(options)
  return { id: shown.subscription_id, shown, call: await portalOf(shown) }
}

const ok = async (reply: ReturnType<Calls>) => {
  const { status, text, body } = await reply
  assert.ok(status < 300, `${status}: ${text}`)
  return body as Record<string, unknown>
}

/** Saves another card as a customer does: opens the session and types the card. Returns its id. */
async function addCard(call: Calls, body: object = {}, number = cards.success): Promise<string> {
  const opened = (await ok(call('POST', 'payment-methods', body))) as Record<string, string>
  const session = opened as Parameters<typeof merchant.payByCard>[0]
  await stack.dispatched()
  assert.equal((await merchant.payByCard(session, number))['status'], 'completed')
  return String(pageOf(await call('GET', 'payment-methods')).items[0]?.['payment_method_id'])
}

const group = (products: string[], fields: object = {}) =>
  plans.ok<{ product_group_id: string }>('POST', '/v1/product-groups', { name: 'Plans', products, ...fields })

const noInvoice = { credit: '0.00', next_invoice_amount: null }
const charging = { fee_preference: 'org_pays', charge_currency: 'USD', ...noInvoice } as const

test('a customer reads their data, subscriptions, invoices and cards, and no metadata of the merchant', async () => {
  const { id, shown, call } = await subscribed({ session: { metadata: { shelf: 'top-secret' } } })
  await subscribed()
  const self = await ok(call('GET', 'me'))
  assert.partialDeepStrictEqual(self, { customer_id: shown.customer.id, name: 'Ada Buyer', flow: null })
  assert.deepEqual(Object.keys(self['merchant'] as object), ['name', 'support_email', 'accent_color', 'logo_url'])
  const lists = ['subscriptions', 'invoices', 'payment-methods']
  const [subscriptions, invoices, methods] = await Promise.all(
    lists.map(async (path) => pageOf(await call('GET', path))),
  )
  assert.deepEqual(
    [subscriptions, invoices, methods].map((list) => list?.pagination.total),
    [1, 1, 1],
  )
  const one = await ok(call('GET', `subscriptions/${id}`))
  assert.deepEqual(subscriptions?.items, [one])
  const { metadata: _, checkout_id: _checkout, ...rest } = shown
  assert.deepEqual(one, { ...rest, ...charging })
  const invoice = await ok(call('GET', `invoices/${String(shown.latest_invoice_id)}`))
  assert.deepEqual(invoices?.items, [invoice])
  assert.match(String(invoice['hosted_invoice_url']), /\/invoice\//)
  assert.equal(invoice['pdf_url'], `${String(invoice['hosted_invoice_url'])}/pdf`)
  assert.doesNotMatch(JSON.stringify([self, subscriptions, invoices, methods]), /metadata|top-secret/)
})

test('NOT_FOUND: what belongs to another customer of the same merchant', async () => {
  const [{ call }, other] = [await subscribed(), await subscribed()]
  const card = String(other.shown.payment_method_id)
  const { product_id: productId } = await plans.createProduct()
  const on = `subscriptions/${other.id}`
  const calls: [string, string, object?][] = [
    ['GET', on],
    ['GET', `${on}/plans`],
    ['POST', `${on}/cancel`, {}],
    ['POST', `${on}/uncancel`],
    ['POST', `${on}/retry-payment`],
    ['POST', `${on}/change-plan`, { product_id: productId }],
    ['POST', `${on}/preview-change`, { product_id: productId }],
    ['POST', `${on}/payment-method`, { payment_method_id: card }],
    ['GET', `invoices/${String(other.shown.latest_invoice_id)}`],
    ['DELETE', `payment-methods/${card}`],
    ['POST', 'payment-methods', { subscription_id: other.id }],
  ]
  for (const [method, path, body] of calls) assertError(await call(method, path, body), 404, 'NOT_FOUND')
  const own = await subscribed()
  const theirs = { payment_method_id: card }
  assertError(await own.call('POST', `subscriptions/${own.id}/payment-method`, theirs), 404, 'NOT_FOUND')
  assert.deepEqual(await plans.read(other.id), other.shown)
  assert.equal(pageOf(await call('GET', `invoices?subscription_id=${other.id}`)).items.length, 0)
})

test('another customer who sends the same idempotency key gets no answer of the first one', async () => {
  const [one, other] = [await subscribed(), await subscribed()]
  const key = { 'idempotency-key': 'the-same' }
  const opened = await ok(one.call('POST', 'payment-methods', {}, key))
  assert.deepEqual(await ok(one.call('POST', 'payment-methods', {}, key)), opened)
  assert.notEqual((await ok(other.call('POST', 'payment-methods', {}, key)))['checkout_id'], opened['checkout_id'])
})

test('a customer changes their own name, phone number and address, with the event; nothing else', async () => {
  const { shown, call } = await subscribed()
  const address = { line1: '12 Marina Road', city: 'Lagos', country: 'NG' }
  const more = { email: 'thief@example.com', metadata: { a: 'b' } }
  const body = { name: 'Ada Changed', phone_number: '+2348012345678', billing_address: address, ...more }
  const changed = await ok(call('PATCH', 'me', body))
  assert.partialDeepStrictEqual(changed, {
    name: 'Ada Changed',
    billing_address: address,
    customer_id: shown.customer.id,
  })
  const { id } = shown.customer
  const seen = await plans.ok('GET', `/v1/customers/${id}`)
  assert.partialDeepStrictEqual(seen, { name: 'Ada Changed', metadata: {}, email: changed['email'] })
  assert.notEqual(seen['email'], more.email)
  await ok(call('PATCH', 'me', body))
  assert.deepEqual((await plans.events(id)).filter((type) => type === 'customer.updated').length, 1)
  assertFieldErrors(await call('PATCH', 'me', { billing_address: { line1: 'A' } }), {
    'billing_address.country': 'value_error.missing',
  })
})

test('a customer cancels at the end of the period, with a reason, and takes it back', async () => {
  const { id, call } = await subscribed()
  const words = { reason: 'too_expensive', comment: 'I move away' }
  const canceled = await ok(call('POST', `subscriptions/${id}/cancel`, { ...words, at_period_end: false }))
  assert.deepEqual([canceled['status'], canceled['cancel_at_period_end']], ['active', true])
  assert.deepEqual((await plans.read(id))['cancellation'], { ...words, by: 'customer' })
  assert.deepEqual(canceled['cancellation'], { ...words, by: 'customer' })
  assertError(await call('POST', `subscriptions/${id}/cancel`, {}), 409, 'CONFLICT')
  const kept = await ok(call('POST', `subscriptions/${id}/uncancel`))
  assert.deepEqual([kept['cancel_at_period_end'], kept['cancellation'], kept['canceled_at']], [false, null, null])
  assertError(await call('POST', `subscriptions/${id}/uncancel`), 409, 'CONFLICT')
  assert.equal((await plans.events(id)).filter((type) => type.endsWith('.updated')).length, 2)
})

test('a pause that the merchant has planned stands again once its customer takes their cancellation back', async () => {
  const { id, shown, call } = await subscribed()
  const resumes_at = new Date(Date.parse(shown.current_period_end) + 86_400_000).toISOString()
  const planned = await plans.act(id, 'pause', { resumes_at })
  assert.deepEqual([planned['pause_at_period_end'], planned['resumes_at']], [true, resumes_at])
  const canceled = await ok(call('POST', `subscriptions/${id}/cancel`, {}))
  assert.deepEqual([canceled['pause_at_period_end'], canceled['resumes_at']], [false, null])
  assertError(await merchant.call('POST', `/v1/subscriptions/${id}/resume`, {}), 409, 'CONFLICT')
  const kept = await ok(call('POST', `subscriptions/${id}/uncancel`))
  assert.deepEqual([kept['pause_at_period_end'], kept['resumes_at']], [true, resumes_at])
})

test('CONFLICT: a cancellation of the merchant stays, and its words are not shown', async () => {
  const { id, call } = await subscribed()
  await plans.act(id, 'cancel', { reason: 'fraud', comment: 'do not tell' })
  const seen = await call('GET', `subscriptions/${id}`)
  assert.deepEqual(seen.body['cancellation'], { reason: null, comment: null, by: 'merchant' })
  for (const action of ['uncancel', 'cancel']) {
    assertError(await call('POST', `subscriptions/${id}/${action}`, {}), 409, 'CONFLICT')
  }
  assert.partialDeepStrictEqual((await plans.read(id))['cancellation'], { by: 'merchant', reason: 'fraud' })
})

test('CONFLICT: after its end a subscription is only read', async () => {
  const { id, shown, call } = await subscribed()
  const { product_id: other } = await plans.createProduct()
  await plans.act(id, 'cancel', { at_period_end: false })
  assert.equal((await ok(call('GET', `subscriptions/${id}`)))['status'], 'canceled')
  const bodies = { cancel: {}, uncancel: undefined, 'retry-payment': undefined }
  const named = {
    'payment-method': { payment_method_id: shown.payment_method_id },
    'change-plan': { product_id: other },
    'preview-change': { product_id: other },
  }
  for (const [action, body] of Object.entries({ ...bodies, ...named })) {
    assertError(await call('POST', `subscriptions/${id}/${action}`, body), 409, 'CONFLICT')
  }
  assert.deepEqual((await ok(call('GET', `subscriptions/${id}/plans`)))['items'], [])
  await ok(call('DELETE', `payment-methods/${String(shown.payment_method_id)}`))
})

test('the portal names the price of a pending plan, and no day for it where the subscription pauses', async () => {
  const { id, call } = await subscribed()
  const { product_id } = await plans.createProduct({ name: 'Pro', amount: '50.00' })
  await plans.act(id, 'change-plan', { product_id, proration: 'next_period' })
  const read = async () => standingOf(english, (await ok(call('GET', `subscriptions/${id}`))) as Subscription)
  const [charge, change] = await read()
  assert.match(String(charge), /It renews on .*\$50\.00/)
  assert.match(String(change), /changes to .*Pro/)
  await plans.act(id, 'pause', {})
  const planned = await read()
  assert.equal(planned.length, 1, 'the plan changes once it goes on')
  assert.match(String(planned[0]), /It is paused from /)
  await plans.act(id, 'pause', { at_period_end: false })
  const paused = await read()
  assert.equal(paused.length, 1)
  assert.match(String(paused[0]), /It is paused/)
})

test('the portal names no charge of a plan that is free', () => {
  const sub = { ...sampleSubscription('sub_1', Date.UTC(2027, 0, 1)), ...charging }
  for (const status of ['active', 'trialing'] as const) {
    const words = standingOf(english, { ...sub, status, amount: '0.00' })
    assert.equal(words.length, 1)
    assert.doesNotMatch(String(words[0]), /charged|\$/)
  }
})

test('a plan is switched within a product group, at the price that the preview has named', async () => {
  const make = async (name: string, fields: object = {}) => (await plans.createProduct({ name, ...fields })).product_id
  const [basic, pro, yearly] = [
    await make('Basic'),
    await make('Pro', { amount: '50.00' }),
    await make('Yearly', { amount: '250.00', recurring: year }),
  ]
  const custom = await make('Own price', { price_type: 'custom', amount: undefined })
  const [foreign, archived, elsewhere] = [
    await make('Euro', { currency: 'EUR' }),
    await make('Old'),
    await make('Other'),
  ]
  await group([basic, pro, archived])
  const { product_group_id: wide } = await group([basic, yearly, custom])
  await group([basic, elsewhere], { active: false })
  await plans.ok('PATCH', `/v1/products/${archived}`, { active: false })
  const opened = await plans.createSession(basic, { product_cart: [{ product_id: basic, quantity: 2 }] })
  await stack.dispatched()
  await merchant.payByCard(opened)
  const { recurring } = (await merchant.getCheckout(opened.checkout_id)) as { recurring: Record<string, string> }
  const shown = await plans.read(String(recurring['subscription_id']))
  const path = `subscriptions/${shown.subscription_id}`
  const call = await portalOf(shown)
  const offered = (await ok(call('GET', `${path}/plans`)))['items'] as { product_id: string }[]
  const one = pageOf(await call('GET', `${path}/plans?limit=1`))
  const other = pageOf(await call('GET', `${path}/plans?limit=1&cursor=${one.pagination.next_cursor}`))
  assert.deepEqual([...one.items, ...other.items], offered)
  assert.deepEqual([other.pagination.total, other.pagination.has_more], [2, false])
  assert.deepEqual(new Set(offered.map(({ product_id }) => product_id)), new Set([pro, yearly]))
  for (const product_id of [basic, foreign, custom, archived, elsewhere]) {
    for (const action of ['preview-change', 'change-plan']) {
      assertError(await call('POST', `${path}/${action}`, { product_id }), 404, 'NOT_FOUND')
    }
  }
  const narrow = await portalOf(shown, { type: 'subscription_update', product_group_id: wide })
  assertError(await narrow('POST', `${path}/change-plan`, { product_id: pro }), 404, 'NOT_FOUND')
  const preview = await ok(call('POST', `${path}/preview-change`, { product_id: pro, proration: 'none' }))
  assert.equal(preview['amount'], '100.00', 'the quantity stays')
  assert.ok(Number(preview['amount_due']) > 49, 'a customer cannot have the difference for nothing')
  const changed = await ok(call('POST', `${path}/change-plan`, { product_id: pro }))
  assert.partialDeepStrictEqual(changed, { amount: '100.00', line_items: [{ product_id: pro, quantity: 2 }] })
  await plans.until(shown.subscription_id, ({ latest_invoice_id: id }) => id !== shown.latest_invoice_id)
  const [, second] = await plans.invoices(shown.subscription_id)
  assert.ok(Math.abs(Number(second?.total) - Number(preview['amount_due'])) <= 0.01)
})

test('a change of plan that was cut off goes on under its key, though its product was archived meanwhile', async () => {
  const make = async (amount: string) => (await plans.createProduct({ currency: 'NGN', amount })).product_id
  const [basic, pro] = [await make('5000.00'), await make('9000.00')]
  await group([basic, pro])
  const opened = await plans.createSession(basic)
  await stack.dispatched()
  const buyer = { ...bearer(opened.client_secret), ...fromAnywhere() }
  const how = { payment_method: 'NGN_BANK_TRANSFER' }
  const { body } = await merchant.call('POST', `/v1/checkout-sessions/${opened.checkout_id}/pay`, how, buyer)
  await merchant.deposit(String(body['payment_id']))
  const { recurring } = (await merchant.getCheckout(opened.checkout_id)) as { recurring: Record<string, string> }
  await stack.dispatched()
  const shown = await plans.read(String(recurring['subscription_id']))
  assert.equal(shown['collection'], 'invoice')
  const { token } = await openPortal(merchant, shown.customer.id)
  const call = portalCalls(await cutOffAt(stack, api, 'after'), token)
  const key = { 'idempotency-key': 'cut-off' }
  const ask = () => call('POST', `subscriptions/${shown.subscription_id}/change-plan`, { product_id: pro }, key)
  assertError(await ask(), 503, 'SERVICE_UNAVAILABLE')
  await plans.ok('DELETE', `/v1/products/${pro}`)
  assert.partialDeepStrictEqual(await ok(ask()), { pending_update: { line_items: [{ product_id: pro }] } })
})

test('a customer saves another card, charges it from now on, and removes the old one', async () => {
  const { id, shown, call } = await subscribed()
  const old = String(shown.payment_method_id)
  assertError(await call('DELETE', `payment-methods/${old}`), 409, 'CONFLICT')
  const card = await addCard(call, { subscription_id: id })
  const [session] = await stack.sql<Record<string, string>>(
    `select source_type, success_url, customer_id, setup from checkouts where source_type = 'CUSTOMER_PORTAL'
     order by created_at desc limit 1`,
  )
  assert.partialDeepStrictEqual(session, { customer_id: shown.customer.id, setup: true })
  assert.equal(session?.['success_url'], `${stack.baseUrl}/portal/subscriptions/${id}/card?added=1`)
  const charged = await ok(call('POST', `subscriptions/${id}/payment-method`, { payment_method_id: card }))
  assert.equal(charged['payment_method_id'], card)
  assert.deepEqual(await ok(call('DELETE', `payment-methods/${old}`)), { payment_method_id: old, deleted: true })
  assertError(await call('DELETE', `payment-methods/${old}`), 404, 'NOT_FOUND')
  const use = { payment_method_id: old }
  assertError(await call('POST', `subscriptions/${id}/payment-method`, use), 404, 'NOT_FOUND')
  assertError(await merchant.call('PATCH', `/v1/subscriptions/${id}`, use), 404, 'NOT_FOUND')
  const onCustomer = `/v1/customers/${shown.customer.id}/payment-methods`
  assertError(await merchant.call('POST', onCustomer, use), 404, 'NOT_FOUND')
  const state = await plans.ok(`GET`, `/v1/customers/${shown.customer.id}/state`)
  const seen = [
    pageOf(await call('GET', 'payment-methods')).items,
    pageOf(await merchant.call('GET', onCustomer)).items,
  ]
  for (const list of [...seen, state['payment_methods'] as Record<string, unknown>[]]) {
    assert.deepEqual(
      list.map(({ payment_method_id }) => payment_method_id),
      [card],
    )
  }
})

test('a card that is removed while a subscription chooses it is removed or chosen, never both', async () => {
  const { id, shown, call } = await subscribed()
  for (let round = 0; round < 4; round++) {
    const card = await addCard(call)
    const [removed, chosen] = await Promise.all([
      call('DELETE', `payment-methods/${card}`),
      call('POST', `subscriptions/${id}/payment-method`, { payment_method_id: card }),
    ])
    assert.deepEqual([removed.status, chosen.status].toSorted(), removed.status === 200 ? [200, 404] : [200, 409])
    const { payment_method_id: used } = await plans.read(id)
    const left = pageOf(await call('GET', 'payment-methods')).items.map(({ payment_method_id }) => payment_method_id)
    assert.ok(left.includes(used), 'the card that is charged is not removed')
    await ok(call('POST', `subscriptions/${id}/payment-method`, { payment_method_id: shown.payment_method_id }))
    await stack.sql(`delete from rate_windows where subject like 'retryPayment/%'`)
  }
})

test('CONFLICT: nothing is charged where nothing is open; the sixth try in a minute is TOO_MANY_REQUESTS', async () => {
  const { id, call } = await subscribed()
  const retry = () => call('POST', `subscriptions/${id}/retry-payment`)
  let [reply, tries] = [await retry(), 0]
  // A minute may end between two of them: then five more are answered.
  for (; tries < 11 && reply.status !== 429; tries++) {
    assertError(reply, 409, 'CONFLICT')
    reply = await retry()
  }
  assertError(reply, 429, 'TOO_MANY_REQUESTS')
  assert.ok(tries >= 5, `${tries} tries were answered`)
})

test('FORBIDDEN: a session with a flow changes that one thing only, and reads everything', async () => {
  const { id, shown } = await subscribed()
  const { product_id: productId } = await plans.createProduct({ recurring: monthly })
  const bodies: Record<string, [string, string, object?]> = {
    cancel: ['POST', `subscriptions/${id}/cancel`, {}],
    uncancel: ['POST', `subscriptions/${id}/uncancel`],
    plan: ['POST', `subscriptions/${id}/change-plan`, { product_id: productId }],
    preview: ['POST', `subscriptions/${id}/preview-change`, { product_id: productId }],
    retry: ['POST', `subscriptions/${id}/retry-payment`],
    card: ['POST', `subscriptions/${id}/payment-method`, { payment_method_id: shown.payment_method_id }],
    add: ['POST', 'payment-methods', {}],
    remove: ['DELETE', `payment-methods/${String(shown.payment_method_id)}`],
    details: ['PATCH', 'me', { name: 'Ada' }],
  }
  const mayDo: Record<string, string[]> = {
    payment_method_update: ['retry', 'card', 'add', 'remove'],
    subscription_cancel: ['cancel', 'uncancel'],
    subscription_update: ['plan', 'preview'],
  }
  for (const [type, may] of Object.entries(mayDo)) {
    const call = await portalOf(shown, { type, subscription_id: id })
    for (const [name, sent] of Object.entries(bodies)) {
      const reply = await call(...sent)
      if (!may.includes(name)) assertError(reply, 403, 'FORBIDDEN')
      else assert.notEqual(reply.status, 403, `${type} ${name}`)
    }
    for (const path of ['me', 'subscriptions', `subscriptions/${id}`, 'invoices', 'payment-methods']) {
      await ok(call('GET', path))
    }
  }
})

test('UNAUTHORIZED: the token opens no other part of the API, and acts for no other account', async () => {
  const { shown } = await subscribed()
  const { token } = await openPortal(merchant, shown.customer.id)
  for (const path of [
    '/v1/subscriptions',
    `/v1/customers/${shown.customer.id}`,
    '/v1/payments',
    '/v1/customer-sessions',
  ]) {
    const reply = await merchant.call(path.endsWith('sessions') ? 'POST' : 'GET', path, undefined, bearer(token))
    assertError(reply, 401, 'UNAUTHORIZED')
  }
  const call = portalCalls(merchant, token)
  assertError(await call('GET', 'me', undefined, { 'x-account-id': 'acct_other' }), 404, 'NOT_FOUND')
  assertError(await merchant.call('GET', '/v1/customer-portal/me'), 401, 'UNAUTHORIZED')
})
