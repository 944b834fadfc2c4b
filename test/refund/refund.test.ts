import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { isLess } from '../../domain/money.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { cards, type Merchant, type Reply, sale, transferSale } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const stack = await useStack()
const api = await useApi(stack)
const live = (await api.addKey({ environment: 'live' })).merchant
// of 1000.00 USD, of which 970.70 have settled
const charge = await stack.merchant.chargeByCard({ ...sale, amount: '1000.00', reference: 'order-7' })
afterEach(async () => {
  await stack.dispatched()
  const open = `select count(*) from refunds where status in ('pending', 'processing')
    and reference <> 'sandbox_no_answer'`
  await until(async () => Number((await stack.sql<{ count: string }>(open))[0]?.count) === 0, 'all refunds have ended')
  await assertInvariants(stack)
})

const path = '/api/v1/payments/refunds'
const create = (body: unknown, headers: Record<string, string> = {}, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', path, body, headers)
const refund = (more: Record<string, unknown> = {}) => create({ charge_id: charge, reference: 'return-1', ...more })
/** A body with an amount exactly as written. */
const withAmount = (amount: string) => `{"charge_id": "${charge}", "reference": "return-1", "amount": ${amount}}`

async function refundsOf(chargeId: string): Promise<number> {
  const [row] = await stack.sql<{ count: string }>('select count(*) from refunds where charge_id = ?', [chargeId])
  return Number(row?.count)
}

test('a refund is accepted with 201, and then completed in the background', async () => {
  const created = await refund({ amount: 10, reason: 'Too small' })
  assert.equal(created.status, 201)
  const { refund_id, created_at, updated_at, ...rest } = created.body as Record<string, unknown>
  assert.match(String(refund_id), /^ref_[0-9a-z]{34}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    charge_id: charge,
    reference: 'return-1',
    status: 'pending',
    requested_amount: '10.00',
    refunded_amount: null,
    refund_fee_amount: '0.30',
    fee_bearer: 'ORG',
    currency: 'USD',
    reason: 'Too small',
    completed_at: null,
  })
  const isDone = async () => (await stack.merchant.getRefund(String(refund_id)))['status'] === 'succeeded'
  await until(isDone, 'the refund has succeeded')
  assert.equal((await stack.merchant.getRefund(String(refund_id)))['refunded_amount'], '10.00')
})

test('a refund without an amount refunds all that is left', async () => {
  const id = await stack.merchant.chargeByCard()
  assert.equal((await stack.merchant.refund(id, { amount: 3.97 }))['requested_amount'], '3.97')
  assert.equal((await stack.merchant.refund(id))['requested_amount'], '20.00')
})

test('the call may name who bears the fee; otherwise the account’s setting decides', async () => {
  const byCustomer = await refund({ amount: 10, fee_bearer: 'CUSTOMER' })
  assert.equal(byCustomer.body['fee_bearer'], 'CUSTOMER')
  await changeAccount(stack, stack.organizationId, { refundFeeBearer: 'CUSTOMER' })
  const { refund_id, fee_bearer } = await stack.merchant.refund(charge, { amount: 10 })
  assert.equal(fee_bearer, 'CUSTOMER')
  assert.equal((await refund({ amount: 10, fee_bearer: 'ORG' })).body['fee_bearer'], 'ORG')
  await changeAccount(stack, stack.organizationId, { refundFeeBearer: 'ORG' })
  await until(async () => (await stack.merchant.getRefund(refund_id))['status'] === 'succeeded', 'it has succeeded')
  assert.equal((await stack.merchant.getRefund(refund_id))['refunded_amount'], '9.70')
})

test('the amount is read as text, never as a float', async () => {
  const rows: Record<string, string> = { '10.10': '10.10', '0.07': '0.07', '10.1': '10.10', '3': '3.00' }
  for (const [written, read] of Object.entries(rows)) {
    const { status, body, text } = await create(withAmount(written))
    assert.equal(status, 201, text)
    assert.equal(body['requested_amount'], read)
  }
  // The nearest float is 970.7, so a parser of floats would read an amount with one decimal.
  assertFieldErrors(await create(withAmount('970.70000000000000001')), { amount: 'value_error.range' })
  const formats = ['1e2', '1E2', '10.100', '10.000', '-5', '-0', '0.001', '1.5e1', '10.10e0']
  for (const written of formats) assertFieldErrors(await create(withAmount(written)), { amount: 'value_error.format' })
  for (const written of ['0', '0.00', '1234567890123456']) {
    assertFieldErrors(await create(withAmount(written)), { amount: 'value_error.range' })
  }
  for (const written of ['"10.00"', 'true', '[10]', '{"a": 1}']) {
    assertFieldErrors(await create(withAmount(written)), { amount: 'value_error.type' })
  }
  for (const written of ['01', '1.', '.5', '+1', 'NaN', '0x10', '1_000']) {
    assertFieldErrors(await create(withAmount(written)), { body: 'value_error.format' })
  }
  // Of two fields with one name the last one counts, for the digits as for the value.
  const twice = withAmount('999999').replace('}', ', "amount": 1.10}')
  assert.equal((await create(twice)).body['requested_amount'], '1.10')
})

test('a byte order mark, or another amount in a nested object, changes nothing', async () => {
  const deeper = `\ufeff{"a": {"amount": 5}, "charge_id": "${charge}", "reference": "r", "amount": 2.50}`
  assert.equal((await create(deeper)).body['requested_amount'], '2.50')
})

test('VALIDATION_ERROR: all errors of a refund are listed at once', async () => {
  const invalid = {
    reference: 'x'.repeat(129),
    fee_bearer: 'BANK',
    reason: 'x'.repeat(501),
    refund_address: '',
    idempotency_key: 'x'.repeat(256),
    simulated_outcome: 'maybe',
    amount: -1,
  }
  assertFieldErrors(await create(invalid), {
    charge_id: 'value_error.missing',
    reference: 'value_error.range',
    amount: 'value_error.format',
    fee_bearer: 'value_error.enum',
    reason: 'value_error.range',
    refund_address: 'value_error.range',
    idempotency_key: 'value_error.range',
    simulated_outcome: 'value_error.enum',
  })
  assertFieldErrors(await create({ charge_id: charge }), { reference: 'value_error.missing' })
  assertFieldErrors(await refund({ idempotency_key: '' }), { idempotency_key: 'value_error.range' }) // protects nothing
  assertFieldErrors(await refund({ refund_address: 'x'.repeat(256) }), { refund_address: 'value_error.range' })
  assert.equal((await refund({ reference: 'x'.repeat(128), reason: 'x'.repeat(500), amount: 1 })).status, 201)
})

test('FORBIDDEN: the charge of another organization, the only foreign resource that is not 404', async () => {
  const other = await api.addMerchant()
  const theirs = await other.merchant.chargeByCard()
  assertError(await create({ charge_id: theirs, reference: 'r' }), 403, 'FORBIDDEN')
  assert.equal(await refundsOf(theirs), 0)
  const { refund_id } = await other.merchant.refund(theirs)
  for (const address of [`${path}/${refund_id}`, `/api/v1/payments/payins/${theirs}/refund`]) {
    assertError(await stack.merchant.call('GET', address), 404, 'NOT_FOUND')
  }
})

test('NOT_FOUND: a charge that does not exist, or is of the other environment', async () => {
  const missing = { charge_id: newId('pay', Date.now()), reference: 'r' }
  const [unknown, hidden] = [await create(missing), await create({ ...missing, charge_id: charge }, {}, live)]
  assertError(unknown, 404, 'NOT_FOUND')
  assert.equal(hidden.text, unknown.text)
  for (const address of [`${path}/${newId('ref', Date.now())}`, `/api/v1/payments/payins/${charge}x/refund`]) {
    assertError(await stack.merchant.call('GET', address), 404, 'NOT_FOUND')
  }
})

test('CHARGE_NOT_REFUNDABLE: a charge that failed, is awaited, is underpaid, or of which nothing settled', async () => {
  const { merchant } = stack
  const declined = await merchant.payByCard(await merchant.createCheckout(), cards.declined)
  const awaited = await merchant.payByTransfer(await merchant.createCheckout(transferSale))
  const short = await merchant.payByTransfer(await merchant.createCheckout(transferSale))
  await merchant.deposit(short.payment_id, { amount: '100.00' })
  const eaten = await merchant.chargeByCard({ ...sale, amount: '0.20' }) // the sale's fee takes all of it
  for (const id of [declined['payment_id'], awaited.payment_id, short.payment_id, eaten]) {
    assertError(await create({ charge_id: id, reference: 'r' }), 400, 'CHARGE_NOT_REFUNDABLE')
  }
})

test('REFUND_EXCEEDS_REMAINING: more than is left after refunds under way; failed refunds do not count', async () => {
  const { merchant } = stack
  const id = await merchant.chargeByCard()
  const exceeds = async (body: Record<string, unknown>) =>
    assertError(await create({ charge_id: id, reference: 'r', ...body }), 400, 'REFUND_EXCEEDS_REMAINING')
  await exceeds({ amount: 23.98 })
  await exceeds({ amount: 25 }) // the amount paid, before the sale's fee
  const failing = await merchant.refund(id, { amount: 20, simulated_outcome: 'failed' })
  const hasFailed = async () => (await merchant.getRefund(failing.refund_id))['status'] === 'failed'
  await until(hasFailed, 'the refund has failed')
  await merchant.refund(id, { amount: 20, reference: 'sandbox_no_answer' })
  await exceeds({ amount: 3.98 })
  await merchant.refund(id, { amount: 3.97 })
  await exceeds({ amount: 0.01 })
  await exceeds({})
})

test('AMOUNT_BELOW_MINIMUM: a refund whose fee would leave the customer nothing', async () => {
  assertError(await refund({ amount: 0.3, fee_bearer: 'CUSTOMER' }), 400, 'AMOUNT_BELOW_MINIMUM')
  assert.equal((await refund({ amount: 0.31, fee_bearer: 'CUSTOMER' })).status, 201)
  assert.equal((await refund({ amount: 0.01, fee_bearer: 'ORG' })).status, 201)
})

test('REFUND_ADDRESS_REQUIRED: a crypto payment is refunded to the address that the merchant names', async () => {
  const { merchant } = stack
  const { payment_id } = await merchant.payByCrypto(await merchant.createCheckout({ ...sale, amount: '100.00' }))
  await merchant.deposit(payment_id)
  const isPaid = async () => (await merchant.getPayment(payment_id))['status'] === 'succeeded'
  await until(isPaid, 'two confirmations have followed')
  const refundTo = (more: object) => create({ charge_id: payment_id, reference: 'r', amount: 10, ...more })
  assertError(await refundTo({}), 400, 'REFUND_ADDRESS_REQUIRED')
  const { status, body } = await refundTo({ refund_address: 'a-wallet-of-the-buyer' })
  assert.equal(status, 201)
  assert.equal(body['refund_fee_amount'], '1.00')
})

test('SIMULATION_NOT_ALLOWED: an outcome can be simulated in the sandbox only', async () => {
  const body = { charge_id: charge, reference: 'r', simulated_outcome: 'success' }
  assertError(await create(body, {}, live), 400, 'SIMULATION_NOT_ALLOWED')
})

test('a refusal has written nothing', async () => {
  const rows = await stack.sql(
    `select r.id from refunds r where not exists (select from ledger_transactions where source_id = r.id)
     union all select source_id from ledger_transactions t where kind = 'refund_hold'
       and not exists (select from refunds r where r.id = t.source_id)`,
  )
  assert.deepEqual(rows, [])
})

/** Creates a refund, and tries again with the same key while the service is overloaded. */
async function createRetrying(body: Record<string, unknown>): Promise<Reply> {
  const headers = { 'idempotency-key': randomUUID() }
  for (let tries = 0; ; tries++) {
    const reply = await create(body, headers)
    if (reply.status !== 503 || tries === 20) return reply
  }
}

test('50 refunds of one charge at once never exceed it, and as many as fit are accepted', async () => {
  const id = await stack.merchant.chargeByCard({ ...sale, amount: '50.00' }) // 48.25 settle
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      createRetrying({ charge_id: id, reference: `r-${index}`, amount: 2, fee_bearer: index % 2 ? 'ORG' : 'CUSTOMER' }),
    ),
  )
  const accepted = replies.filter(({ status }) => status === 201)
  assert.equal(accepted.length, 24)
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    assertError(reply, 400, 'REFUND_EXCEEDS_REMAINING')
  }
  const done = `select count(*) from refunds where charge_id = ? and status = 'succeeded'`
  const isDone = async () => Number((await stack.sql<{ count: string }>(done, [id]))[0]?.count) === 24
  await until(isDone, 'all accepted refunds have succeeded')
  const payment = await stack.merchant.getPayment(id)
  assert.deepEqual([payment['refunded_amount'], payment['refund_status']], ['48.00', 'partial'])
  assert.equal((await create({ charge_id: id, reference: 'rest' })).body['requested_amount'], '0.25')
})

function assertReplay(first: Reply, again: Reply): void {
  assert.equal(first.status, 201, first.text)
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
}

test('a key in the header or in the body makes a repeated call one call, and the header wins', async () => {
  const id = await stack.merchant.chargeByCard()
  const body = { charge_id: id, reference: 'r', amount: 1 }
  const [inHeader, inBody] = [randomUUID(), randomUUID()]
  const header = { 'idempotency-key': inHeader }
  assertReplay(await create(body, header), await create(body, header))
  const keyed = { ...body, idempotency_key: inBody }
  assertReplay(await create(keyed), await create(keyed))
  assert.equal(await refundsOf(id), 2)
  const both = { ...body, idempotency_key: inBody }
  const headerOfBoth = { 'idempotency-key': randomUUID() }
  assertReplay(await create(both, headerOfBoth), await create(both, headerOfBoth))
  assert.equal(await refundsOf(id), 3)
  // The conflict names the place in which the key was given.
  const reused = async (sent: object, sentHeader = {}) =>
    assertError(await create(sent, sentHeader), 409, 'CONFLICT').map(({ code, field }) => [code, field])
  assert.deepEqual(await reused({ ...keyed, amount: 2 }), [['idempotency_key_reused', 'idempotency_key']])
  assert.deepEqual(await reused({ ...both, amount: 2 }, headerOfBoth), [['idempotency_key_reused', 'Idempotency-Key']])
})

test('30 calls at once with one key make one refund', async () => {
  const id = await stack.merchant.chargeByCard()
  const body = { charge_id: id, reference: 'r', amount: 1, idempotency_key: randomUUID() }
  const replies = await Promise.all(Array.from({ length: 30 }, () => create(body)))
  for (const reply of replies) if (reply.status !== 201) assertError(reply, 409, 'CONFLICT')
  assert.equal(new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text)).size, 1)
  assert.equal(await refundsOf(id), 1)
})

test('the charge shows its newest refund', async () => {
  const id = await stack.merchant.chargeByCard()
  const read = () => stack.merchant.call('GET', `/api/v1/payments/payins/${id}/refund`)
  assertError(await read(), 404, 'NOT_FOUND')
  await stack.merchant.refund(id, { amount: 1 })
  const newest = await stack.merchant.refund(id, { amount: 2 })
  assert.equal((await read()).body['refund_id'], newest.refund_id)
})

test('the list is newest first, counts all matches, and takes limit, offset and status', async () => {
  const { merchant } = await api.addMerchant()
  const read = async (query = '') => {
    const { status, body, text } = await merchant.call('GET', path + query)
    assert.equal(status, 200, text)
    assert.deepEqual(Object.keys(body).toSorted(), ['items', 'total'])
    return body as unknown as { total: number; items: Record<string, unknown>[] }
  }
  assert.deepEqual(await read(), { total: 0, items: [] })
  const id = await merchant.chargeByCard()
  const made: string[] = []
  for (const amount of [1, 2, 3])
    made.unshift((await merchant.refund(id, { amount, reference: `return ${amount}` })).refund_id)
  const failing = await merchant.refund(id, { amount: 4, simulated_outcome: 'failed' })
  const hasFailed = async () => (await merchant.getRefund(failing.refund_id))['status'] === 'failed'
  await until(hasFailed, 'it has failed')
  const ids = ({ items }: Awaited<ReturnType<typeof read>>) => items.map((item) => item['refund_id'])
  const all = await read()
  assert.deepEqual([all.total, ids(all)], [4, [failing.refund_id, ...made]])
  assert.deepEqual(all.items[0], await merchant.getRefund(failing.refund_id))
  const second = await read('?limit=2&offset=1')
  assert.deepEqual([second.total, ids(second)], [4, made.slice(0, 2)])
  const failed = await read('?status=failed')
  assert.deepEqual([failed.total, ids(failed)], [1, [failing.refund_id]])
  const found = await read(`?reference=return%202&charge_id=${id}`)
  assert.deepEqual([found.total, ids(found)], [1, made.slice(1, 2)])
  for (const query of ['?reference=return', '?reference=', '?charge_id=', '?reference=return%202&status=failed'])
    assert.deepEqual(await read(query), { total: 0, items: [] }, query)
  assert.deepEqual(await read('?offset=4'), { total: 4, items: [] })
  for (const [query, type] of [
    ['limit=0', 'range'],
    ['limit=101', 'range'],
    ['limit=x', 'type'],
    ['offset=-1', 'range'],
    ['status=lost', 'enum'],
  ] as const) {
    const [field = ''] = query.split('=')
    assertFieldErrors(await merchant.call('GET', `${path}?${query}`), { [field]: `value_error.${type}` })
  }
})

test('the four operations accept a person’s access token too', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const id = await merchant.chargeByCard()
  const owner = await addUser(stack, { accountId, role: 'owner' })
  const viewer = await addUser(stack, { accountId, role: 'viewer' })
  const as = async (user: typeof owner) => ({ ...fromAnywhere(), ...bearer(await user.token()) })
  const created = await create({ charge_id: id, reference: 'r' }, await as(owner))
  assert.equal(created.status, 201, created.text)
  for (const address of [path, `${path}/${created.body['refund_id']}`, `/api/v1/payments/payins/${id}/refund`]) {
    assert.equal((await stack.merchant.call('GET', address, undefined, await as(viewer))).status, 200)
  }
  assertError(await create({ charge_id: id, reference: 'r' }, await as(viewer)), 403, 'FORBIDDEN')
})

test('the database itself refuses refunds beyond the settled amount', async () => {
  for (const change of ['refund_claimed = 1000000', 'refunded_amount = refund_claimed + 1', `refund_claimed = 'NaN'`]) {
    await assert.rejects(stack.sql(`update payments set ${change} where id = ?`, [charge]), /payments_refunds_fit/)
  }
})

test('the events name the payment’s reference and the requested amount', async () => {
  const rows = await stack.sql<{ body: string }>(
    `select e.body from events e join refunds r on r.id = e.resource_id
     where r.charge_id = ? and r.status = 'succeeded' order by e.sequence`,
    [charge],
  )
  assert.ok(rows.length > 4)
  for (const { body } of rows) {
    const { type, data } = JSON.parse(body)
    assert.equal(data.reference, 'order-7')
    assert.equal(data.status, type === 'refund.created' ? 'created' : 'paid')
    assert.ok(isLess('0', data.amount))
    assert.equal('completed_at' in data, type === 'refund.paid')
  }
})
