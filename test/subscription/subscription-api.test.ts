import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { descriptionOf } from '../../api/checkout/receipt.ts'
import { paperLanguageOf } from '../../api/pdf/language.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { scopes } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { cutOffAt } from '../support/idempotency.ts'
import type { Merchant } from '../support/merchant.ts'
import { monthly, type Shown, type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The operations on subscriptions, over real HTTP.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000
const trial = { recurring: { ...monthly, trial_days: 14 } }
const everyYear = { interval: 'year', interval_count: 1 }
type Json = Record<string, unknown>
const call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  by: Merchant = merchant,
) => by.call(method, path, body, headers)
const post = (id: string, action: string, body: Json = {}, headers?: Record<string, string>) =>
  call('POST', `/v1/subscriptions/${id}/${action}`, body, headers)
const patch = (id: string, body: Json) => call('PATCH', `/v1/subscriptions/${id}`, body)
const inDays = (days: number, from: number | string = Date.now()) =>
  new Date((typeof from === 'string' ? Date.parse(from) : from) + days * dayMs).toISOString()
const begin = async (options: Parameters<typeof plans.subscribe>[0] = {}) => plans.subscribe(options)
const idsIn = async (query: string): Promise<string[]> => {
  const { items } = pageOf(await call('GET', `/v1/subscriptions?${query}`))
  return items.map(({ subscription_id: id }) => String(id))
}

test('a list is filtered by status, customer, product and time, and is read page by page', async () => {
  const after = inDays(0, Date.now() - 1)
  const [first, second] = [await begin(), await begin({ product: trial })]
  const third = await begin({ session: { customer: { id: first.customer.id } } })
  await plans.act(third.subscription_id, 'cancel', { at_period_end: false })
  const [one, two, three] = [first.subscription_id, second.subscription_id, third.subscription_id]
  const since = `created_after=${after}`
  assert.deepEqual(await idsIn(since), [three, two, one])
  assert.deepEqual(await idsIn(`${since}&status=trialing`), [two])
  assert.deepEqual(await idsIn(`${since}&status=canceled`), [three])
  assert.deepEqual(await idsIn(`${since}&customer_id=${first.customer.id}`), [three, one])
  const [line] = first['line_items'] as { product_id: string }[]
  assert.deepEqual(await idsIn(`product_id=${line?.product_id}`), [one])
  assert.deepEqual(await idsIn('product_id=prod_of_nobody'), [])
  assert.deepEqual(await idsIn(`${since}&created_before=${after}`), [])
  const page = pageOf(await call('GET', `/v1/subscriptions?${since}&limit=2`))
  assert.equal(page.items.length, 2)
  const { next_cursor: cursor } = page.pagination as { next_cursor: string }
  assert.deepEqual(await idsIn(`${since}&limit=2&cursor=${encodeURIComponent(cursor)}`), [one])
  assertFieldErrors(await call('GET', '/v1/subscriptions?status=ended'), { status: 'value_error.enum' })
})

test('NOT_FOUND: another account’s subscription, payment method or product is as unknown as none', async () => {
  const { subscription_id: id, customer } = await begin()
  const { merchant: other } = await api.addMerchant()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { metadata: { a: 'b' } }],
    ['POST', '/cancel', {}],
    ['POST', '/change-plan', { quantity: 2 }],
    ['POST', '/preview-change', { quantity: 2 }],
  ] as const)
    assertError(await call(method, `/v1/subscriptions/${id}${path}`, body, {}, other), 404, 'NOT_FOUND')
  assertError(await call('GET', `/v1/customers/${customer.id}/state`, undefined, {}, other), 404, 'NOT_FOUND')
  assertError(await post(id, 'change-plan', { product_id: await newProduct(other, trial) }), 404, 'NOT_FOUND')
  const stranger = await begin()
  for (const method of [stranger.payment_method_id, newId('pm', Date.now())])
    assertError(await patch(id, { payment_method_id: method }), 404, 'NOT_FOUND')
  const saved = await plans.saveCard(customer.id)
  assert.equal((await patch(id, { payment_method_id: saved })).body['payment_method_id'], saved)
})

test('metadata is merged, an empty value removes a key, empty text all of them, and checkout_id stays', async () => {
  const { subscription_id: id, checkout_id } = await begin({ session: { metadata: { a: '1', b: '2' } } })
  const after = async (metadata: unknown): Promise<object> => (await patch(id, { metadata })).body['metadata'] ?? {}
  assert.deepEqual(await after({ b: '3', c: '4' }), { a: '1', b: '3', c: '4', checkout_id })
  assert.deepEqual(await after({ b: '', checkout_id: 'chk_other' }), { a: '1', c: '4', checkout_id })
  assert.deepEqual(await after({ checkout_id: '' }), { a: '1', c: '4', checkout_id })
  assert.deepEqual(await after(''), { checkout_id })
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'x']))
  assertFieldErrors(await patch(id, { metadata: many(50) }), { metadata: 'value_error.range' })
  assert.equal(Object.keys((await after(many(49))) as object).length, 50)
  assertFieldErrors(await patch(id, { metadata: { more: 'x', checkout_id: '' } }), { metadata: 'value_error.range' })
  await plans.act(id, 'cancel', { at_period_end: false })
  assert.deepEqual(await after(''), { checkout_id }, 'also once it has ended')
})

test('the end of a trial moves to later, to earlier and to now, and not into the past', async () => {
  const { subscription_id: id } = await begin({ product: trial })
  for (const days of [30, 5]) {
    const trial_end = inDays(days)
    const moved = (await patch(id, { trial_end })).body
    assert.deepEqual([moved['trial_end'], moved['current_period_end']], [trial_end, trial_end])
  }
  assertFieldErrors(await patch(id, { trial_end: inDays(-1) }), { trial_end: 'value_error.range' })
  assertFieldErrors(await patch(id, { trial_end: 'soon' }), { trial_end: 'value_error.format' })
  assert.equal((await patch(id, { trial_end: 'now' })).status, 200)
  // The first period is charged within the minute over which renewals are spread.
  const paid = await call('GET', `/v1/subscriptions/${id}`)
  assert.ok(Date.parse(String(paid.body['trial_end'])) <= Date.now() + 1_000)
  const running = await begin()
  assertError(await patch(running.subscription_id, { trial_end: inDays(3) }), 409, 'CONFLICT')
})

test('a cancellation at the end of the period is taken back, changed, done at once; later it is refused', async () => {
  const { subscription_id: id, current_period_end: end } = await begin()
  const asked = await plans.act(id, 'cancel', { reason: 'too_expensive', comment: 'No more.' })
  assert.deepEqual(
    [asked.status, asked['cancel_at_period_end'], asked['cancellation'], asked.current_period_end],
    ['active', true, { reason: 'too_expensive', comment: 'No more.', by: 'merchant' }, end],
  )
  assert.equal((asked['recurring'] as Json)['next_charge_at'], null)
  const again = await plans.act(id, 'cancel', { reason: 'other' })
  assert.deepEqual(again['cancellation'], { reason: 'other', comment: null, by: 'merchant' })
  const back = await plans.act(id, 'uncancel')
  assert.deepEqual([back['cancel_at_period_end'], back['cancellation'], back['canceled_at']], [false, null, null])
  assertError(await post(id, 'uncancel'), 409, 'CONFLICT')
  const ended = await plans.act(id, 'cancel', { at_period_end: false })
  assert.deepEqual([ended.status, ended['ended_at'] !== null], ['canceled', true])
  for (const action of ['cancel', 'uncancel', 'pause', 'resume', 'retry-payment'])
    assertError(await post(id, action), 409, 'CONFLICT')
})

test('a pause begins now or with the next period, and is taken back; resumes_at is later than that', async () => {
  const { subscription_id: id, current_period_end: end } = await begin()
  assertFieldErrors(await post(id, 'pause', { resumes_at: inDays(-1) }), { resumes_at: 'value_error.range' })
  assertError(await post(id, 'pause', { resumes_at: inDays(2) }), 409, 'CONFLICT')
  const planned = await plans.act(id, 'pause', { resumes_at: inDays(10, end) })
  assert.deepEqual(
    [planned.status, planned['pause_at_period_end'], planned['resumes_at']],
    ['active', true, inDays(10, end)],
  )
  const back = await plans.act(id, 'resume')
  assert.deepEqual([back.status, back['pause_at_period_end'], back['resumes_at']], ['active', false, null])
  assertError(await post(id, 'resume'), 409, 'CONFLICT')
  const paused = await plans.act(id, 'pause', { at_period_end: false, resumes_at: inDays(2) })
  assert.deepEqual([paused.status, paused['resumes_at'] !== null], ['paused', true])
  assertError(await post(id, 'pause', { at_period_end: false }), 409, 'CONFLICT')
  assertError(await post(id, 'retry-payment'), 409, 'CONFLICT')
  const resumed = await plans.act(id, 'resume')
  assert.deepEqual([resumed.status, resumed.current_period_end], ['active', end], 'what was paid for goes on')
  assert.equal((await plans.invoices(id)).length, 1)
})

test('CONFLICT: the end of a period does not move past resumes_at of a pause that is planned for it', async () => {
  const { subscription_id: trialing, current_period_end: end } = await begin({ product: trial })
  await plans.act(trialing, 'pause', { resumes_at: inDays(10, end) })
  for (const days of [10, 20]) {
    assertError(await patch(trialing, { trial_end: inDays(days, end) }), 409, 'CONFLICT')
  }
  assert.equal((await patch(trialing, { trial_end: inDays(9, end) })).status, 200)
  const { subscription_id: id, current_period_end: renewal } = await begin()
  const { product_id } = await plans.createProduct({ recurring: everyYear })
  const planned = await plans.act(id, 'pause', { resumes_at: inDays(10, renewal) })
  for (const action of ['preview-change', 'change-plan']) {
    const refused = await post(id, action, { product_id })
    assertError(refused, 409, 'CONFLICT')
    assert.partialDeepStrictEqual(refused.body, { errors: [{ code: 'pause_planned' }] })
  }
  assert.deepEqual(await plans.read(id), planned)
  // A release before 2026-11-29 took a pause that is over by then. What prolongs nothing is not refused.
  await stack.sql('update subscriptions set resumes_at = current_period_end where id = ?', [id])
  for (const proration of ['none', 'prorate']) {
    assert.equal((await post(id, 'change-plan', { quantity: proration === 'none' ? 2 : 3, proration })).status, 200)
  }
})

test('a pause that was over before the end of a longer period is planned no more after uncancel', async () => {
  const { subscription_id: id, current_period_end: end } = await begin()
  const { product_id } = await plans.createProduct({ recurring: everyYear })
  await plans.act(id, 'pause', { resumes_at: inDays(10, end) })
  await plans.act(id, 'cancel')
  assert.ok((await plans.act(id, 'change-plan', { product_id })).current_period_end > inDays(10, end))
  const kept = await plans.act(id, 'uncancel')
  assert.deepEqual([kept['pause_at_period_end'], kept['resumes_at']], [false, null])
})

type Line = { kind: string; line_total: string; product_name: string }
const shownLines = (lines: readonly Line[] | null | undefined) => lines?.map((line) => [line.kind, line.product_name])
type Preview = {
  lines: Line[]
  invoice_lines: Line[] | null
  amount_due: string
  credit: string
  [name: string]: unknown
}

test('a preview shows the lines that change-plan books: more is charged at once, less is kept as credit', async () => {
  const { subscription_id: id, latest_invoice_id: first } = await begin()
  const more = await plans.ok<Preview>('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 3 })
  assert.equal((await plans.read(id)).latest_invoice_id, first, 'a preview changes nothing')
  await plans.act(id, 'change-plan', { quantity: 3 })
  const changed = await plans.until(id, ({ latest_invoice_id: latest }) => latest !== first)
  assert.deepEqual([changed['amount'], more['amount']], ['75.00', '75.00'])
  const [, booked] = await plans.invoices(id)
  assert.equal(booked?.billing_reason, 'subscription_update')
  assert.deepEqual(shownLines(booked?.line_items), shownLines(more.invoice_lines))
  // Some seconds lie between the preview and the change.
  const difference = (one: string, other: unknown) => Math.abs(Number(one) - Number(other))
  for (const [index, line] of (booked?.line_items ?? []).entries())
    assert.ok(difference(line.line_total, more.invoice_lines?.[index]?.line_total) <= 0.01)
  assert.ok(difference(more.amount_due, booked?.total) <= 0.02)
  const shown = await settled(id)
  assert.ok(booked)
  await assertPaidAsInvoiced(id, booked)
  const less = await plans.ok<Preview>('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 1 })
  assert.deepEqual([less.amount_due, less.invoice_lines], ['0.00', null])
  assert.ok(Number(less.credit) > 49 && Number(less.credit) <= 50)
  await plans.act(id, 'change-plan', { quantity: 1 })
  const [row] = await stack.sql<{ credit: string }>('select credit from subscriptions where id = ?', [id])
  assert.ok(difference(less.credit, row?.credit) <= 0.01)
  assert.equal(shown.current_period_end, (await plans.read(id)).current_period_end)
})

/** The payment for a part of a period has no lines of whole periods: its receipt names the invoice, which has them. */
async function assertPaidAsInvoiced(id: string, { invoice_id, total, number }: ShownInvoice): Promise<void> {
  type Paid = { payment_id: string; invoice: Json; line_items: { line_total: string }[] | null }
  const { items } = await plans.ok<{ items: Paid[] }>('GET', `/v1/payments?subscription_id=${id}`)
  const [payment, first] = items
  assert.deepEqual(payment?.invoice['invoice_id'], invoice_id)
  const expected = { status: 'succeeded', amount: total, line_items: null, billing_reason: 'subscription_update' }
  assert.partialDeepStrictEqual(payment, expected)
  assert.deepEqual(
    first?.line_items?.map(({ line_total: each }) => each),
    ['25.00'],
    'the first period was sold whole',
  )
  const em = stack.services.database.orm.em.fork()
  const row = await em.findOneOrFail(Payment, { id: String(payment?.payment_id) })
  assert.equal(await descriptionOf(em, row, paperLanguageOf('fr'), ''), `Facture ${number}`)
}

/** Waits until no charge is under way. */
const settled = async (id: string): Promise<Shown> => {
  const rows = () =>
    stack.sql<{ payment_id: string | null }>(
      'select payment_id from subscriptions where id = ? and (payment_id is not null or charge_due_at is not null)',
      [id],
    )
  while ((await rows()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  return plans.read(id)
}

test('CONFLICT: a preview is refused where the change is, for the same reason', async () => {
  const { subscription_id: paused } = await begin()
  await plans.act(paused, 'pause', { at_period_end: false })
  const { subscription_id: invoiced } = await begin()
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [invoiced])
  const { subscription_id: owing } = await begin()
  await stack.sql(`update invoices set status = 'open', paid_at = null where subscription_id = ?`, [owing])
  const { subscription_id: ended } = await begin()
  await plans.act(ended, 'cancel', { at_period_end: false })
  for (const id of [paused, invoiced, owing, ended]) {
    const replies = [await post(id, 'preview-change', { quantity: 2 }), await post(id, 'change-plan', { quantity: 2 })]
    for (const reply of replies) assertError(reply, 409, 'CONFLICT')
    const [previewed, changed] = replies.map(({ body }) => body['detail'])
    assert.equal(previewed, changed)
  }
  await stack.sql(`update invoices set status = 'paid', paid_at = created_at where subscription_id = ?`, [owing])
})

test('a change for the next period waits there and may be replaced; one without proration books nothing', async () => {
  const { subscription_id: id, current_period_end: end } = await begin()
  const yearly = await newProduct(merchant, { name: 'A year', amount: '200.00', recurring: { interval: 'year' } })
  const waiting = await plans.act(id, 'change-plan', { product_id: yearly, proration: 'next_period' })
  assert.deepEqual(waiting['amount'], '25.00')
  const pending = waiting['pending_update'] as Json
  assert.deepEqual([pending['amount'], pending['interval'], pending['effective_at']], ['200.00', 'year', end])
  const replaced = await plans.act(id, 'change-plan', { quantity: 2, proration: 'none' })
  assert.deepEqual([replaced['amount'], replaced['pending_update']], ['50.00', null])
  assert.equal((await plans.invoices(id)).length, 1)
})

test('after a new rhythm without proration, a preview and the next change begin a period of that rhythm', async () => {
  const { subscription_id: id, current_period_end: end } = await begin()
  const yearly = await newProduct(merchant, { name: 'A year', amount: '200.00', recurring: { interval: 'year' } })
  const unbooked = await plans.act(id, 'change-plan', { product_id: yearly, proration: 'none' })
  assert.deepEqual([unbooked.current_period_end, (await plans.invoices(id)).length], [end, 1])
  const preview = await plans.ok<Preview>('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  assert.deepEqual(
    preview.lines.map(({ kind }) => kind),
    ['unused', 'plan'],
  )
  await plans.act(id, 'change-plan', { quantity: 2 })
  const changed = await settled(id)
  const year = 365 * 86_400_000
  assert.ok(Date.parse(changed.current_period_end) - Date.parse(changed.current_period_start) >= year)
  const kinds = (await plans.invoices(id)).at(-1)?.line_items.map(({ kind, line_total: total }) => [kind, total])
  assert.deepEqual(kinds?.at(-1), ['plan', '400.00'])
})

test('VALIDATION_ERROR: a plan is recurring, in the same currency, at a price within its limits', async () => {
  const { subscription_id: id } = await begin()
  const product = (over: Json) => newProduct(merchant, { amount: '25.00', recurring: monthly, ...over })
  const custom = { price_type: 'custom', amount: undefined, minimum_amount: '5.00' }
  for (const [body, errors] of [
    [{ product_id: await product({ recurring: null }) }, { product_id: 'value_error' }],
    [{ product_id: await product({ currency: 'NGN', amount: '500.00' }) }, { product_id: 'value_error' }],
    [{ product_id: await product({ active: false }) }, { product_id: 'value_error' }],
    [{ product_id: await product(custom) }, { amount: 'value_error.missing' }],
    [{ product_id: await product(custom), amount: '4.00' }, { amount: 'value_error.range' }],
    [{ amount: '4.00' }, { amount: 'value_error' }],
    [{ product_id: await product({ amount: '9999999999999.99' }), quantity: 2 }, { quantity: 'value_error.range' }],
    [{}, { product_id: 'value_error.missing' }],
    [{ proration: 'none' }, { product_id: 'value_error.missing' }],
  ] as const)
    for (const action of ['change-plan', 'preview-change']) assertFieldErrors(await post(id, action, body), errors)
  for (const body of [{ quantity: 0 }, { quantity: 1000 }, { proration: 'later' }])
    assertError(await post(id, 'change-plan', body), 400, 'VALIDATION_ERROR')
})

test('CONFLICT: a payment is not tried again where nothing is owed, or there is no card', async () => {
  const { subscription_id: id, latest_invoice_id: invoice } = await begin()
  assertError(await post(id, 'retry-payment'), 409, 'CONFLICT')
  assertError(await call('POST', `/v1/invoices/${invoice}/retry-payment`, {}), 409, 'CONFLICT')
  assertError(await call('POST', `/v1/invoices/${invoice}/void`, {}), 409, 'CONFLICT')
  const free = await plans.createSession(
    (await plans.createProduct({ price_type: 'free', amount: undefined })).product_id,
  )
  await merchant.pay(free, {})
  const { recurring } = (await merchant.getCheckout(free.checkout_id)) as { recurring: Json }
  const [error] = [(await post(String(recurring['subscription_id']), 'retry-payment')).body]
  assert.match(String(error['detail']), /no card/)
})

test('one idempotency key is one change, however often and however fast it is sent', async () => {
  const { subscription_id: id } = await begin()
  const headers = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all([1, 2, 3].map(() => post(id, 'change-plan', { quantity: 2 }, headers)))
  assert.ok(replies.some(({ status }) => status === 200))
  assert.ok(replies.every(({ status }) => status === 200 || status === 409))
  await settled(id)
  const last = await post(id, 'change-plan', { quantity: 2 }, headers)
  assert.deepEqual([last.status, last.headers.get('idempotent-replayed')], [200, 'true'])
  assert.equal((await plans.invoices(id)).length, 2)
  assertError(await post(id, 'change-plan', { quantity: 3 }, headers), 409, 'CONFLICT')
})

test('a change that was cut off goes on under its key, when its moment is over or its product archived', async () => {
  const later = await newProduct(merchant, { recurring: monthly, amount: '30.00' })
  const [paused, tried, changed] = [await begin(), await begin({ product: trial }), await begin()]
  const soon = inDays(1 / 24)
  const changes = [
    [paused, 'POST', '/pause', { at_period_end: false, resumes_at: soon }, ['resumes_at', soon]],
    [tried, 'PATCH', '', { trial_end: soon }, ['trial_end', soon]],
    [changed, 'POST', '/change-plan', { product_id: later }, ['amount', '30.00']],
  ] as const
  for (const [{ subscription_id: id }, method, action, body, [field, value]] of changes) {
    let passedMs = 0
    const cut = await cutOffAt(stack, api, 'after', { clock: { now: () => Date.now() + passedMs } })
    const ask = () => call(method, `/v1/subscriptions/${id}${action}`, body, { 'idempotency-key': id }, cut)
    assertError(await ask(), 503, 'SERVICE_UNAVAILABLE')
    passedMs = dayMs / 12
    if (action === '/change-plan') await plans.ok('DELETE', `/v1/products/${later}`)
    const repeated = await ask()
    assert.deepEqual([repeated.status, repeated.body[field]], [200, value], repeated.text)
  }
  assert.equal((await plans.invoices(changed.subscription_id)).length, 2)
})

type State = Record<'subscriptions' | 'open_invoices' | 'payment_methods', Json[]> & { customer: Json }

test('the state of a customer names subscriptions, open invoices and cards, and nobody else’s', async () => {
  const { subscription_id: id, customer, payment_method_id: method } = await begin()
  await begin()
  const state = await plans.ok<State>('GET', `/v1/customers/${customer.id}/state`)
  assert.deepEqual(
    state['subscriptions']?.map((each) => each['subscription_id']),
    [id],
  )
  assert.deepEqual([state['open_invoices'], state.customer['customer_id']], [[], customer.id])
  assert.deepEqual(
    state['payment_methods']?.map((each) => each['payment_method_id']),
    [method],
  )
})

test('FORBIDDEN: the state of a customer needs the scopes of all that it shows', async () => {
  for (const missing of ['subscriptions:read', 'invoices:read'] as const) {
    const given = scopes.filter((scope) => scope !== missing)
    const { merchant: weak } = await api.addKey({ accountId: await api.addAccount(), scopes: given })
    const customer = await weak.call('POST', '/v1/customers', { email: 'ada@example.com' })
    const reply = await weak.call('GET', `/v1/customers/${String(customer.body['customer_id'])}/state`)
    assertError(reply, 403, 'FORBIDDEN')
    assert.match(String(reply.body['detail']), new RegExp(missing))
  }
})
