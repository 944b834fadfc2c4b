import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { leftOpen, register } from '../support/destination.ts'
import { curlsIn, jsonIn } from '../support/guide.ts'
import type { Reply } from '../support/merchant.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { addCapability } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const stack = await useStack()
const api = await useApi(stack)
const payee = await api.addMerchant()
const { merchant } = payee
const owner = { accountId: payee.accountId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '100000.00', 'NGN')
await endow(stack, owner.accountId, '1000.00', 'USD')
const naira = await addDestination(stack, owner)
const dollars = await addDestination(stack, owner, { currency: 'USD', scheme: 'ach' })
const shillings = await addDestination(stack, owner, { type: 'mobile_money', currency: 'KES' })
afterEach(async () => {
  await stack.dispatched()
  const isOpen = `select from payouts where status in ('requested', 'approved')`
  await until(async () => (await stack.sql(isOpen)).length === 0, 'every payout is with its rail')
  await assertInvariants(stack)
})

const create = (body: object, headers: Record<string, string> = {}, by = merchant) =>
  by.call('POST', '/v1/payouts', body, headers)
const estimate = (body: object, by = merchant) => by.call('POST', '/v1/payouts/estimate', body)
const both = async (body: object, status: number, code: string) => {
  assertError(await create(body), status, code)
  assertError(await estimate(body), status, code)
}
const count = async (table: string) => (await stack.sql(`select from ${table}`)).length
const quote = (more: object = {}) => exchanging(merchant).quote({ from_amount: '10.00', ...more })

test('a payout has exactly the fields of the interface, and those that we add', async () => {
  const reply = await create({ destination: naira, amount: '1000', reference: 'rent-7', description: 'Rent' })
  assert.equal(reply.status, 201, reply.text)
  const { id, created_at, ...rest } = reply.body as Record<string, unknown>
  assert.match(String(id), /^pay_/)
  assert.match(String(created_at), /Z$/)
  assert.deepEqual(rest, {
    status: 'requested',
    amount: '1000.00',
    currency: 'NGN',
    source_currency: 'NGN',
    fee: '25.00',
    total_debited: '1025.00',
    destination: naira,
    reference: 'rent-7',
    status_reason: null,
    failure_reason: null,
    completed_at: null,
    description: 'Rent',
    metadata: {},
    quote_id: null,
    hold_reason: null,
    trace_id: null,
    returned_at: null,
  })
  const [event] = await stack.sql<{ body: string }>(`select body from events where resource_id = ? order by sequence`, [
    String(id),
  ])
  const { type, data } = JSON.parse(event?.body ?? '{}')
  assert.equal(type, 'payout.created')
  assert.deepEqual(data, {
    payout_id: id,
    payout_amount: '1000.00',
    payout_currency: 'NGN',
    status: 'created',
    created_at,
  })
})

test('the calls of the guide work exactly as printed', async () => {
  const added = await api.addMerchant()
  await endow(stack, added.accountId, '200000.00', 'NGN')
  const destination = await addDestination(stack, { accountId: added.accountId, environment: 'sandbox' })
  const [body] = jsonIn('payouts')
  assert.deepEqual(Object.keys(body), ['destination', 'amount', 'reference'])
  const estimated = await estimate({ ...body, destination }, added.merchant)
  const made = await create({ ...body, destination }, {}, added.merchant)
  assert.deepEqual([estimated.status, made.status], [200, 201], made.text)
  assert.deepEqual([made.body['amount'], made.body['fee']], [body.amount, estimated.body['fee']])

  const silent = await addDestination(
    stack,
    { accountId: added.accountId, environment: 'sandbox' },
    { ends: lastFour.neverAnswers },
  )
  const { id } = await added.merchant.payOut(silent)
  await until(async () => (await added.merchant.getPayout(id)).status === 'processing', 'it is with its rail')
  const [settle = assert.fail(), ...others] = curlsIn('payouts')
  assert.deepEqual(others, [])
  const settled = await added.merchant.call(settle.method, settle.path.replace('pay_…', id), settle.body)
  assert.deepEqual([settled.status, settled.body['status']], [200, 'completed'], settled.text)
})

test('an estimate gives the cost and the time of arrival of a payout, and takes and uses up nothing', async () => {
  const body = { destination: naira, amount: '60000.00' }
  const { status, body: estimated } = await estimate(body)
  assert.equal(status, 200)
  const { arrives_from, arrives_by, ...amounts } = estimated as Record<string, unknown>
  assert.ok(String(arrives_from) < String(arrives_by))
  assert.deepEqual(amounts, {
    amount: '60000.00',
    currency: 'NGN',
    source_currency: 'NGN',
    fee: '50.00',
    total_debited: '60050.00',
  })
  const { quote_id, to_amount } = await quote()
  const byQuote = { destination: naira, quote_id }
  const priced = await estimate(byQuote)
  assert.deepEqual([priced.body['amount'], priced.body['total_debited']], [to_amount, '15.00'])
  const made = await create(byQuote)
  assert.equal(made.status, 201, made.text)
  for (const field of ['amount', 'currency', 'source_currency', 'fee', 'total_debited']) {
    assert.equal(made.body[field], priced.body[field], field)
  }
})

test('all errors of the input are listed at once', async () => {
  assertFieldErrors(await create({}), { destination: 'value_error.missing', amount: 'value_error' })
  assertFieldErrors(await create({ destination: naira, amount: '1.00', quote_id: 'quo_x' }), { amount: 'value_error' })
  const wrong = { destination: naira, amount: '-1', reference: 'x'.repeat(129), simulated_outcome: 'returned' }
  assertFieldErrors(await create(wrong), {
    amount: 'value_error.format',
    reference: 'value_error.range',
    simulated_outcome: 'value_error.enum',
  })
  for (const amount of ['1e3', '10.001', '', '1,000', '9'.repeat(16)]) {
    assertError(await create({ destination: naira, amount }), 400, 'VALIDATION_ERROR')
  }
  assertFieldErrors(await create({ destination: naira, amount: 1000 }), { amount: 'value_error.type' })
})

test('NOT_FOUND: a destination or quote that is unknown, another account’s or of the other environment', async () => {
  const other = await api.addMerchant()
  const foreign = await addDestination(stack, { accountId: other.accountId, environment: 'sandbox' })
  const live = await addDestination(stack, { accountId: owner.accountId, environment: 'live' })
  for (const destination of [foreign, live, newId('pd', 0), 'x']) {
    await both({ destination, amount: '1000.00' }, 404, 'NOT_FOUND')
  }
  await both({ destination: naira, quote_id: newId('quo', 0) }, 404, 'NOT_FOUND')
  assertError(await merchant.call('GET', `/v1/payouts/${newId('pay', 0)}`), 404, 'NOT_FOUND')
})

test('DESTINATION_NOT_USABLE: a destination that is not approved yet, rejected or deactivated', async () => {
  const off = await addDestination(stack, owner)
  await merchant.call('DELETE', `/v1/payouts/destinations/${off}`)
  const { id: waiting } = await register(merchant, 'NGN', leftOpen)
  const rejected = await addDestination(stack, owner, { status: 'rejected' })
  for (const destination of [off, waiting, rejected]) {
    await both({ destination, amount: '1000.00' }, 400, 'DESTINATION_NOT_USABLE')
  }
})

test('QUOTE_REQUIRED and CURRENCY_NOT_SUPPORTED: which balance pays which destination', async () => {
  await both({ destination: shillings, amount: '100.00' }, 400, 'QUOTE_REQUIRED')
  await both({ destination: naira, amount: '1000.00', source_currency: 'USD' }, 400, 'QUOTE_REQUIRED')
  await both({ destination: dollars, amount: '10.00', source_currency: 'NGN' }, 400, 'CURRENCY_NOT_SUPPORTED')
  const { quote_id } = await quote({ to_currency: 'KES' })
  await both({ destination: naira, quote_id }, 400, 'VALIDATION_ERROR')
})

test('QUOTE_EXPIRED: a quote is older than five minutes', async () => {
  const { quote_id } = await quote()
  await stack.sql(`update conversion_quotes set expires_at = now() - interval '1 second' where id = ?`, [quote_id])
  await both({ destination: naira, quote_id }, 400, 'QUOTE_EXPIRED')
})

test('QUOTE_ALREADY_USED: one of many payouts with one quote is accepted; a refused one leaves it unused', async () => {
  const { quote_id } = await quote()
  const unusable = await addDestination(stack, owner, { status: 'rejected' })
  assertError(await create({ destination: unusable, quote_id }), 400, 'DESTINATION_NOT_USABLE')
  const replies = await Promise.all(Array.from({ length: 12 }, () => create({ destination: naira, quote_id })))
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  for (const reply of replies) if (reply.status !== 201) assertError(reply, 409, 'QUOTE_ALREADY_USED')
  assertError(await estimate({ destination: naira, quote_id }), 409, 'QUOTE_ALREADY_USED')
  assertError(await merchant.call('POST', '/v1/conversions', { quote_id }), 409, 'QUOTE_ALREADY_USED')
})

test('AMOUNT_BELOW_MINIMUM: the least that a payout may be', async () => {
  await both({ destination: naira, amount: '99.99' }, 400, 'AMOUNT_BELOW_MINIMUM')
  await both({ destination: dollars, amount: '0.00' }, 400, 'AMOUNT_BELOW_MINIMUM')
})

test('INSUFFICIENT_BALANCE: less is available than the amount and the fee; a refusal writes nothing', async () => {
  const poor = await api.addMerchant()
  const tenant = { accountId: poor.accountId, environment: 'sandbox' as const }
  const destination = await addDestination(stack, tenant)
  await endow(stack, poor.accountId, '1024.99', 'NGN')
  const rows = async () => [await count('payouts'), await count('ledger_transactions'), await count('events')]
  const rowsBefore = await rows()
  const body = { destination, amount: '1000.00' }
  const refused = await create(body, {}, poor.merchant)
  assertError(refused, 400, 'INSUFFICIENT_BALANCE')
  assert.equal(refused.body['detail'], 'the balance is too low: 1024.99 NGN available, 1025.00 NGN needed')
  assert.deepEqual(await rows(), rowsBefore)
  // Money of a card payment is pending for two days.
  await poor.merchant.chargeByCard()
  const inDollars = await addDestination(stack, tenant, { currency: 'USD', scheme: 'ach' })
  assertError(await create({ destination: inDollars, amount: '1.00' }, {}, poor.merchant), 400, 'INSUFFICIENT_BALANCE')
  await endow(stack, poor.accountId, '0.01', 'NGN')
  assert.equal((await create(body, {}, poor.merchant)).status, 201)
})

test('CAPABILITY_NOT_ACTIVE: an account that may not pay out', async () => {
  const other = await api.addMerchant()
  const destination = await addDestination(stack, { accountId: other.accountId, environment: 'sandbox' })
  await addCapability(stack, { accountId: other.accountId, environment: 'sandbox' }, 'payouts', 'restricted')
  assertError(await create({ destination, amount: '1000.00' }, {}, other.merchant), 403, 'CAPABILITY_NOT_ACTIVE')
})

test('SIMULATION_NOT_ALLOWED, ACCOUNT_NOT_ACTIVATED: a live account, whose rails are not connected', async () => {
  const { merchant: live, accountId } = await api.addMerchant('live')
  const destination = await addDestination(stack, { accountId, environment: 'live' })
  const body = { destination, amount: '1000.00' }
  assertError(await create({ ...body, simulated_outcome: 'success' }, {}, live), 400, 'SIMULATION_NOT_ALLOWED')
  assertError(await create(body, {}, live), 403, 'CAPABILITY_NOT_ACTIVE')
  await addCapability(stack, { accountId, environment: 'live' }, 'payouts', 'active')
  assertError(await create(body, {}, live), 400, 'ACCOUNT_NOT_ACTIVATED')
  assertError(await live.settlePayout(newId('pay', 0)), 400, 'SIMULATION_NOT_ALLOWED')
})

test('calls with equal keys make one payout, and a developer or viewer may make none', async () => {
  const body = { destination: naira, amount: '100.00' }
  const headers = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(Array.from({ length: 10 }, () => create(body, headers)))
  const made = new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text))
  assert.equal(made.size, 1)
  for (const reply of replies) if (reply.status !== 201) assertError(reply, 409, 'CONFLICT')
  for (const role of ['developer', 'viewer'] as const) {
    const user = await addUser(stack, { accountId: owner.accountId, role })
    assertError(await create(body, { ...fromAnywhere(), ...bearer(await user.token()) }), 403, 'FORBIDDEN')
  }
})

test('the list is newest first, counts all that match, and takes limit, offset and status', async () => {
  const other = await api.addMerchant()
  const tenant = { accountId: other.accountId, environment: 'sandbox' as const }
  const destination = await addDestination(stack, tenant)
  await endow(stack, other.accountId, '10000.00', 'NGN')
  const read = async (query = '') => {
    const reply = await other.merchant.call('GET', `/v1/payouts${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body as unknown as { total: number; items: { id: string }[] }
  }
  assert.deepEqual(await read(), { total: 0, items: [] })
  const made: string[] = []
  for (const amount of ['100.00', '200.00', '300.00'])
    made.unshift((await other.merchant.payOut(destination, { amount, reference: `rent ${amount}` })).id)
  const isDone = async () => (await read('?status=completed')).total === 3
  await until(isDone, 'all have arrived')
  const ids = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ id }) => id)
  const all = await read()
  assert.deepEqual([all.total, ids(all)], [3, made])
  assert.deepEqual(all.items[0], await other.merchant.getPayout(made[0] ?? ''))
  const second = await read('?limit=1&offset=1')
  assert.deepEqual([second.total, ids(second)], [3, made.slice(1, 2)])
  assert.deepEqual(await read('?status=pending'), { total: 0, items: [] })
  const found = await read('?reference=rent%20200.00')
  assert.deepEqual([found.total, ids(found)], [1, made.slice(1, 2)])
  for (const query of ['?reference=rent', '?reference=', '?reference=rent%20200.00&status=failed'])
    assert.deepEqual(await read(query), { total: 0, items: [] }, query)
  for (const [query, type] of Object.entries({
    'limit=0': 'range',
    'limit=101': 'range',
    'offset=-1': 'range',
    'status=paid': 'enum',
  })) {
    const [field = ''] = query.split('=')
    assertFieldErrors(await other.merchant.call('GET', `/v1/payouts?${query}`), { [field]: `value_error.${type}` })
  }
})

test('CONFLICT: the test helper settles a payout only as its rail can; the same again changes nothing', async () => {
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const { id } = await merchant.payOut(silent)
  const isSent = async () => (await merchant.getPayout(id)).status === 'processing'
  await until(isSent, 'the rail has the order')
  const conflict = (reply: Reply) => assertError(reply, 409, 'CONFLICT')
  await until(
    async () => (await stack.sql('select from simulated_payouts where payout_id = ?', [id])).length > 0,
    'the simulator has it',
  )
  conflict(await merchant.settlePayout(id, 'returned'))
  assert.equal((await merchant.settlePayout(id)).body['status'], 'completed')
  assert.equal((await merchant.settlePayout(id)).status, 200)
  conflict(await merchant.settlePayout(id, 'failed'))
  assert.ok((await merchant.settlePayout(id, 'returned')).body['returned_at'])
})

test('a large first payout to a destination is held, also after a return, but not after an arrival', async () => {
  const rich = await api.addMerchant()
  const tenant = { accountId: rich.accountId, environment: 'sandbox' as const }
  await endow(stack, rich.accountId, '3000000.00', 'USD')
  const destination = await addDestination(stack, tenant, { currency: 'USD', scheme: 'ach' })
  const ends = (id: string, status: string) =>
    until(async () => (await rich.merchant.getPayout(id)).status === status, `${id} is ${status}`)
  const large = await rich.merchant.payOut(destination, { amount: '250000.01' })
  await ends(large.id, 'pending')
  assert.match(String((await rich.merchant.getPayout(large.id))['hold_reason']), /first payout/)
  const returned = await rich.merchant.payOut(destination, { amount: '10.00' })
  await ends(returned.id, 'completed')
  assert.ok((await rich.merchant.settlePayout(returned.id, 'returned')).body['returned_at'])
  const afterReturn = await rich.merchant.payOut(destination, { amount: '250000.01' })
  await ends(afterReturn.id, 'pending')
  assert.match(String((await rich.merchant.getPayout(afterReturn.id))['hold_reason']), /first payout/)
  await ends((await rich.merchant.payOut(destination, { amount: '250000.00' })).id, 'completed')
  await ends((await rich.merchant.payOut(destination, { amount: '250000.01' })).id, 'completed')
  const huge = await rich.merchant.payOut(destination, { amount: '1000000.01' })
  await ends(huge.id, 'pending')
  assert.match(String((await rich.merchant.getPayout(huge.id))['hold_reason']), /worth more than 1000000 USD/)
})
