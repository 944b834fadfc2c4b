import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { type Reply, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false, invariants: 'at the end' })
const api = await useApi(stack)
const { merchant, accountId } = await api.addMerchant()
const live = await api.addKey({ accountId, environment: 'live' })

type Json = Record<string, unknown>
let counter = 0
const freshEmail = () => `buyer-${++counter}@example.com`
const post = (body: unknown, headers: Record<string, string> = {}) =>
  merchant.call('POST', '/v1/customers', body, headers)
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  merchant.call('PATCH', `/v1/customers/${id}`, body, headers)
const get = async (id: string) => read(await merchant.call('GET', `/v1/customers/${id}`), 200)

function read({ status, text, body }: Reply, expected: number): Json & { customer_id: string } {
  assert.equal(status, expected, text)
  return body as unknown as Json & { customer_id: string }
}

const create = async (body: Json = {}) => read(await post({ email: freshEmail(), ...body }), 201)
const change = async (id: string, body: unknown) => read(await patch(id, body), 200)

/** The events of a customer in their order: type and object. */
async function eventsOf(id: string): Promise<{ type: string; data: Json }[]> {
  const rows = await stack.sql<{ body: string }>(`select body from events where resource_id = ? order by sequence`, [
    id,
  ])
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Json })
}

const address = { line1: '12 Marina Road', line2: 'Flat 2', city: 'Lagos', state: 'LA', postal_code: '101241' }
const whole = { ...address, country: 'NG' }
const none = { line2: null, city: null, state: null, postal_code: null }

test('a customer is created with one event, and read again', async () => {
  const given = {
    name: 'Ada Buyer',
    phone_number: '+2348012345678',
    metadata: { tier: 'gold' },
    billing_address: whole,
    locale: 'fr-CI',
  }
  const made = await create({ ...given, email: 'Ada.New@Example.COM' })
  const { customer_id, created_at, updated_at, ...rest } = made
  assert.match(customer_id, /^cust_/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, { ...given, email: 'ada.new@example.com' })
  assert.deepEqual(await get(customer_id), made)
  const [event, ...more] = await eventsOf(customer_id)
  assert.deepEqual([event?.type, event?.data, more], ['customer.created', made, []])
})

test('only the email is needed; unknown fields are ignored', async () => {
  const { name, phone_number, metadata, billing_address, locale, ...rest } = await create({
    first_name: 'A',
    line1: 'x',
  })
  assert.deepEqual({ name, phone_number, metadata, billing_address, locale }, { ...blank, locale: null, metadata: {} })
  assert.deepEqual(Object.keys(rest).toSorted(), ['created_at', 'customer_id', 'email', 'updated_at'])
})
const blank = { name: null, phone_number: null, billing_address: null }

test('VALIDATION_ERROR: all errors are answered at once', async () => {
  const errors = {
    name: 'value_error.format',
    phone_number: 'value_error.format',
    'metadata.color': 'value_error.type',
    'billing_address.line1': 'value_error.missing',
    'billing_address.city': 'value_error.type',
    'billing_address.country': 'value_error.format',
  }
  const body = {
    name: ' ',
    phone_number: '0801',
    metadata: { color: 1 },
    billing_address: { city: 5, country: 'XX' },
  }
  assertFieldErrors(await post({ email: 'nobody', ...body }), { email: 'value_error.format', ...errors })
  assertFieldErrors(await post(body), { email: 'value_error.missing', ...errors })
  const { customer_id } = await create()
  assertFieldErrors(await patch(customer_id, body), errors)
  assert.equal((await eventsOf(customer_id)).length, 1)
})

test('each field refuses a value beyond its limit, and accepts one that just fits', async () => {
  const { customer_id: id } = await create()
  const long = (length: number) => 'x'.repeat(length)
  const keys = (count: number, value = 'v') =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
  const cases: [body: Json, field: string, kind: string][] = [
    [{ name: long(256) }, 'name', 'range'],
    [{ name: '' }, 'name', 'format'],
    [{ name: 5 }, 'name', 'type'],
    [{ metadata: keys(51) }, 'metadata', 'range'],
    [{ metadata: { [long(41)]: 'v' } }, `metadata.${long(41)}`, 'format'],
    [{ metadata: { k: long(501) } }, 'metadata.k', 'range'],
    [{ metadata: 'text' }, 'metadata', 'type'],
    [{ billing_address: 'text' }, 'billing_address', 'type'],
    [{ billing_address: { ...whole, line1: ' ' } }, 'billing_address.line1', 'format'],
    [{ billing_address: { ...whole, line1: null } }, 'billing_address.line1', 'type'],
    [{ billing_address: { ...whole, country: null } }, 'billing_address.country', 'type'],
    ...(['line1', 'line2', 'city', 'state', 'postal_code'] as const).map((part): [Json, string, string] => [
      { billing_address: { ...whole, [part]: long(256) } },
      `billing_address.${part}`,
      'range',
    ]),
  ]
  for (const [body, field, kind] of cases) {
    const [first] = assertError(await patch(id, body), 400, 'VALIDATION_ERROR')
    assert.deepEqual([first?.field.split('.k0')[0], first?.type], [field, `value_error.${kind}`], JSON.stringify(body))
    assertError(await post({ email: freshEmail(), ...body }), 400, 'VALIDATION_ERROR')
  }
  const full = { name: long(255), metadata: { ...keys(49, long(500)), [long(40)]: 'v' } }
  const { name, metadata } = await create(full)
  assert.deepEqual({ name, metadata }, full)
  assertFieldErrors(await post({ email: `${long(309)}@example.com` }), { email: 'value_error.range' })
  assert.equal((await post({ email: `${long(308)}@example.com` })).status, 201)
  assertFieldErrors(await post({ email: `${'İ'.repeat(300)}@example.com` }), { email: 'value_error.format' })
  // What separates addresses in a list of them: a mail would go to another one than the email that is kept.
  for (const mark of ',;:"()[]\\')
    for (const email of [`a${mark}b@example.com`, `ab@exa${mark}mple.com`, `ab@example.c${mark}om`])
      assertFieldErrors(await post({ email }), { email: 'value_error.format' })
})

test('a country is an assigned ISO 3166-1 alpha-2 code, a phone number E.164 of an existing country', async () => {
  const { customer_id: id } = await create()
  for (const country of ['XK', 'UK', 'EU', 'AA', 'ZZ', 'ng', 'Ng', 'NGA', 'N', '', '566', 'toString', '__proto__']) {
    const reply = await patch(id, { billing_address: { line1: 'x', country } })
    assertFieldErrors(reply, { 'billing_address.country': 'value_error.format' })
  }
  for (const country of ['NG', 'GH', 'GB', 'US', 'SS', 'AX']) {
    const { billing_address } = await change(id, { billing_address: { line1: 'x', country } })
    assert.deepEqual(billing_address, { line1: 'x', ...none, country })
  }
  const notNumbers = ['08012345678', '2348012345678', '+999123456789', '+1201555012', '+4402079460000', '+234']
  for (const phone_number of [...notNumbers, '+234 801 234 5678', '+12015550123;ext=5', '+', '', '+2348012345678901']) {
    assertFieldErrors(await patch(id, { phone_number }), { phone_number: 'value_error.format' })
    const customer = { email: 'phone@example.com', phone_number }
    assertFieldErrors(await merchant.call('POST', '/v1/checkout-sessions', { ...sale, customer }), {
      'customer.phone_number': 'value_error.format',
    })
  }
  for (const phone_number of ['+2348012345678', '+233241234567', '+12015550123', '+442079460000', '+390612345678']) {
    assert.equal((await change(id, { phone_number }))['phone_number'], phone_number)
  }
})

test('billing_address: left out it stays, null clears it, an object replaces all of it, {} is refused', async () => {
  const { customer_id: id } = await create({ billing_address: whole })
  const seen = async (body: Json) => {
    assert.deepEqual(await change(id, body), await get(id))
    return (await get(id))['billing_address']
  }
  assert.deepEqual(await seen({ name: 'Else' }), whole)
  assert.deepEqual(await seen({}), whole)
  const missing = { 'billing_address.line1': 'value_error.missing', 'billing_address.country': 'value_error.missing' }
  assertFieldErrors(await patch(id, { billing_address: {} }), missing)
  assertFieldErrors(await post({ email: freshEmail(), billing_address: {} }), missing)
  assertFieldErrors(await patch(id, { billing_address: { line1: 'x' } }), {
    'billing_address.country': 'value_error.missing',
  })
  assertFieldErrors(await patch(id, { billing_address: { country: 'GH' } }), {
    'billing_address.line1': 'value_error.missing',
  })
  assert.deepEqual((await get(id))['billing_address'], whole)
  assert.deepEqual(await seen({ billing_address: { line1: '1 High St', country: 'GH' } }), {
    line1: '1 High St',
    ...none,
    country: 'GH',
  })
  const blanks = { line1: '1 High St', line2: '', city: ' ', state: null, postal_code: '00233', country: 'GH' }
  assert.deepEqual(await seen({ billing_address: blanks }), { ...blanks, line2: null, city: null })
  assert.equal(await seen({ billing_address: null }), null)
  assert.equal(await seen({ name: 'Third' }), null)
})

test('name and phone_number update only themselves, and a new email is ignored', async () => {
  const made = await create({
    name: 'Ada',
    phone_number: '+2348012345678',
    metadata: { a: '1' },
    billing_address: whole,
  })
  const id = made.customer_id
  const { updated_at: _, ...rest } = made
  const seen = async (body: Json) => {
    const { updated_at, ...now } = await change(id, body)
    assert.ok(updated_at)
    return now
  }
  assert.deepEqual(await seen({ name: 'Ada B', email: 'other@example.com', line1: 'x' }), { ...rest, name: 'Ada B' })
  assert.deepEqual(await seen({ phone_number: '+233241234561' }), {
    ...rest,
    name: 'Ada B',
    phone_number: '+233241234561',
  })
})

test('metadata is merged: an empty text as a value removes the key, and as the whole it removes all keys', async () => {
  const { customer_id: id, metadata } = await create({ metadata: { a: '1', b: '2', gone: '' } })
  assert.deepEqual(metadata, { a: '1', b: '2' })
  const seen = async (sent: unknown) => (await change(id, { metadata: sent }))['metadata']
  assert.deepEqual(await seen({ b: '3', c: '4' }), { a: '1', b: '3', c: '4' })
  assert.deepEqual(await seen({ a: '', never: '' }), { b: '3', c: '4' })
  assert.deepEqual(await seen({}), { b: '3', c: '4' })
  const more = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'v']))
  assertFieldErrors(await patch(id, { metadata: more }), { metadata: 'value_error.range' })
  assert.equal(Object.keys((await seen({ ...more, b: '' })) as Json).length, 50)
  assert.deepEqual(await seen(''), {})
})

test('an update that changes nothing makes no event; the event of any other has the whole object', async () => {
  const given = { name: 'Ada', phone_number: '+2348012345678', metadata: { b: '1', aa: '2' }, billing_address: whole }
  const made = await create(given)
  const id = made.customer_id
  const swapped = { metadata: { aa: '2', b: '1' }, billing_address: { country: 'NG', ...address } }
  for (const body of [{}, given, swapped, { metadata: {} }, { metadata: { x: '' } }, { email: 'x@example.com' }]) {
    assert.deepEqual(await change(id, body), made)
  }
  assert.deepEqual(
    (await eventsOf(id)).map(({ type }) => type),
    ['customer.created'],
  )
  const changes: Json[] = [
    { name: 'B' },
    { phone_number: '+233241234561' },
    { metadata: { b: '' } },
    { billing_address: null },
  ]
  for (const [index, body] of changes.entries()) {
    const changed = await change(id, body)
    const events = await eventsOf(id)
    assert.equal(events.length, index + 2)
    assert.deepEqual([events.at(-1)?.type, events.at(-1)?.data], ['customer.updated', changed])
  }
})

test('NOT_FOUND: an unknown id, one of another account and one of the other environment', async () => {
  const { customer_id: id } = await create()
  for (const { merchant: other } of [await api.addMerchant(), live]) {
    assertError(await other.call('GET', `/v1/customers/${id}`), 404, 'NOT_FOUND')
    assertError(await other.call('PATCH', `/v1/customers/${id}`, { name: 'Mine' }), 404, 'NOT_FOUND')
    assert.equal(pageOf(await other.call('GET', '/v1/customers?search=buyer')).pagination.total, 0)
  }
  assertError(await patch(newId('cust', 0), { name: 'x' }), 404, 'NOT_FOUND')
  assert.equal((await get(id))['name'], null)
})

test('CONFLICT: an email, in upper or lower case, has one customer per account and environment', async () => {
  const { customer_id: id, email } = await create()
  const errors = assertError(await post({ email: String(email).toUpperCase(), name: 'Else' }), 409, 'CONFLICT')
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['email'],
  )
  assert.equal((await eventsOf(id)).length, 1)
  for (const { merchant: other } of [await api.addMerchant(), live]) {
    assert.equal((await other.call('POST', '/v1/customers', { email })).status, 201)
  }
})

test('of many creations with one email at once exactly one succeeds, with one event', async () => {
  for (let round = 0; round < 5; round++) {
    const email = freshEmail()
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => post({ email, name: `N${index}` })))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, ...Array.from({ length: 7 }, () => 409)])
    for (const reply of replies.filter(({ status }) => status === 409)) assertError(reply, 409, 'CONFLICT')
    const won = replies.find(({ status }) => status === 201)?.body['customer_id'] as unknown as string
    assert.equal((await eventsOf(won)).length, 1)
  }
})

test('creations by call and by sale at once make one customer of an email', async () => {
  for (let round = 0; round < 5; round++) {
    const email = freshEmail()
    const selling = () => merchant.call('POST', '/v1/checkout-sessions', { ...sale, customer: { email } })
    const calls = [selling, () => post({ email }), selling, () => post({ email }), selling]
    const replies = await Promise.all(calls.map((call) => call()))
    assert.ok(replies.every(({ status }) => status === 201 || status === 409))
    assert.ok(replies.filter((_, index) => index % 2 === 0).every(({ status }) => status === 201))
    const rows = await stack.sql<{ id: string }>('select id from customers where email = ?', [email])
    assert.equal(rows.length, 1)
    assert.equal((await eventsOf(rows[0]?.id ?? '')).length, 1)
  }
})

test('updates at once lose nothing: every key is kept, and the last event has the final customer', async () => {
  const { customer_id: id, email } = await create()
  const customer = { email, name: 'By a sale' }
  await Promise.all([
    ...Array.from({ length: 8 }, (_, index) => change(id, { metadata: { [`k${index}`]: 'v' } })),
    merchant.createCheckout({ ...sale, customer }),
    change(id, { billing_address: whole }),
  ])
  const now = await get(id)
  assert.equal(Object.keys(now['metadata'] as Json).length, 8)
  assert.deepEqual([now['name'], now['billing_address']], ['By a sale', whole])
  const events = await eventsOf(id)
  assert.equal(events.length, 11)
  assert.deepEqual(events.at(-1)?.data, now)
})

test('a creation or update that is repeated with its idempotency key has no second effect', async () => {
  const body = { email: freshEmail(), name: 'Once' }
  const [first, again] = [await post(body, { 'idempotency-key': 'c1' }), await post(body, { 'idempotency-key': 'c1' })]
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const id = read(first, 201).customer_id
  const key = { 'idempotency-key': 'u1' }
  const updated = await patch(id, { name: 'Twice' }, key)
  await change(id, { name: 'Thrice' })
  const repeated = await patch(id, { name: 'Twice' }, key)
  assert.equal(repeated.text, updated.text)
  assert.equal((await get(id))['name'], 'Thrice')
  assert.equal((await eventsOf(id)).length, 3)
  const [error] = assertError(await patch(id, { name: 'Other' }, key), 409, 'CONFLICT')
  assert.equal(error?.code, 'idempotency_key_reused')
})
