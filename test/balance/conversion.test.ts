import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { type ConversionStatus, conversionStatuses, moveConversion } from '../../domain/balance/conversion.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { jsonIn } from '../support/guide.ts'
import { whileBodyArrives } from '../support/late-body.ts'
import type { Merchant, Reply } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

let late = 0
const stack = await useStack({ clock: { now: () => Promise.resolve(Date.now() + late) } })
const api = await useApi(stack)
await endow(stack, stack.organizationId, '100000.00')
afterEach(async () => {
  late = 0
  await stack.dispatched()
  const open = `select count(*) from conversions where status in ('pending', 'processing')
    and reference is distinct from 'sandbox_no_answer'`
  const isQuiet = async () => Number((await stack.sql<{ count: string }>(open))[0]?.count) === 0
  await until(isQuiet, 'all conversions have ended')
  await assertInvariants(stack)
})

const path = '/v1/conversions'
const own = () => exchanging(stack.merchant)
const create = (body: unknown, headers: Record<string, string> = {}, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', path, body, headers)

/** A merchant who has this much USD and nothing else. */
async function newMerchant(amount: string) {
  const { merchant, accountId } = await api.addMerchant()
  await endow(stack, accountId, amount)
  const ledger = async () =>
    Object.fromEntries(
      (
        await stack.sql<{ book: string; amount: string }>(
          `select book || ' ' || currency as book, sum(amount)::numeric(20, 2) as amount from ledger_entries
           where account_id = ? group by 1 having sum(amount) <> 0`,
          [accountId],
        )
      ).map((row) => [row.book, row.amount]),
    )
  return { merchant, accountId, ledger, ...exchanging(merchant) }
}

test('a conversion is accepted with 201, and completes by itself', async () => {
  const quote = await own().quote()
  const created = await create({ quote_id: quote.quote_id, reference: 'treasury-7', metadata: { desk: 'lagos' } })
  assert.equal(created.status, 201)
  const { conversion_id, created_at, updated_at, ...rest } = created.body as Record<string, unknown>
  assert.match(String(conversion_id), /^cnv_[0-9a-z]{34}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    status: 'pending',
    quote_id: quote.quote_id,
    reference: 'treasury-7',
    metadata: { desk: 'lagos' },
    from_amount: '100.00',
    from_currency: 'USD',
    to_amount: '158400.00',
    to_currency: 'NGN',
    rate: '1600',
    fee: '1.00',
    failure_reason: null,
    completed_at: null,
  })
  assert.equal((await own().readQuote(quote.quote_id)).status, 'used')
  const isDone = async () => (await own().read(String(conversion_id)))['status'] === 'completed'
  await until(isDone, 'the conversion is completed')
})

test('the calls of the guide work as printed, and answer what it shows', async () => {
  const [request, shown, execution] = jsonIn('conversions')
  const quoted = await stack.merchant.call('POST', `${path}/quotes`, request)
  assert.equal(quoted.status, 201)
  const { quote_id, expires_at, created_at } = quoted.body
  assert.deepEqual(Object.keys(quoted.body), Object.keys(shown))
  assert.deepEqual(quoted.body, { ...shown, quote_id, expires_at, created_at })
  const executed = await create({ ...execution, quote_id })
  assert.equal(executed.status, 201, executed.text)
  assert.deepEqual(executed.body['metadata'], execution.metadata)
})

test('50 executions of one quote at the same moment: one works, and the others answer that it is used', async () => {
  const { merchant, ledger, quote } = await newMerchant('5000.00')
  const { quote_id } = await quote()
  const patiently = async (): Promise<Reply> => {
    const headers = { 'idempotency-key': randomUUID() }
    for (let tries = 0; ; tries++) {
      const reply = await create({ quote_id }, headers, merchant)
      if (reply.status !== 503 || tries === 20) return reply
    }
  }
  const replies = await Promise.all(Array.from({ length: 50 }, patiently))
  const [accepted, ...more] = replies.filter(({ status }) => status === 201)
  assert.deepEqual(more, [])
  for (const reply of replies) if (reply !== accepted) assertError(reply, 409, 'QUOTE_ALREADY_USED')
  const id = String(accepted?.body['conversion_id'])
  await until(async () => (await exchanging(merchant).read(id))['status'] === 'completed', 'it is completed')
  assert.deepEqual(await ledger(), {
    'merchant USD': '4900.00',
    'rail USD': '-4901.00',
    'fees USD': '1.00',
    'merchant NGN': '158400.00',
    'rail NGN': '-158400.00',
  })
})

test('QUOTE_ALREADY_USED: a quote works once, whatever became of the conversion, and however late', async () => {
  const { quote_id } = await own().quote()
  const { conversion_id } = await own().execute(quote_id, { simulated_outcome: 'failed' })
  assertError(await create({ quote_id }), 409, 'QUOTE_ALREADY_USED')
  await until(async () => (await own().read(conversion_id))['status'] === 'failed', 'it has failed')
  late = 24 * 3_600_000
  assertError(await create({ quote_id }), 409, 'QUOTE_ALREADY_USED')
})

test('QUOTE_EXPIRED: a quote is refused once it has expired, and not before', async () => {
  const [early, tooLate] = [await own().quote(), await own().quote()]
  late = Date.parse(early.expires_at) - Date.now() - 20_000
  assert.equal((await create({ quote_id: early.quote_id })).status, 201)
  late = Date.parse(tooLate.expires_at) - Date.now() + 1
  assertError(await create({ quote_id: tooLate.quote_id }), 400, 'QUOTE_EXPIRED')
  assert.equal((await own().readQuote(tooLate.quote_id)).status, 'expired')
})

test('QUOTE_EXPIRED: a quote that expires while the body of the call arrives is not used', async () => {
  const { quote_id, expires_at } = await own().quote()
  const call = { path, secret: stack.merchant.apiKey, body: { quote_id } }
  const reply = await whileBodyArrives(stack, call, async () => {
    late = Date.parse(expires_at) - Date.now() + 1
  })
  assertError(reply, 400, 'QUOTE_EXPIRED')
})

test('INSUFFICIENT_BALANCE: more than is available is refused, and the quote can still be used', async () => {
  const { merchant, accountId, ledger, quote, read } = await newMerchant('99.99')
  const { quote_id } = await quote()
  assertError(await create({ quote_id }, {}, merchant), 400, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(await ledger(), { 'merchant USD': '99.99', 'rail USD': '-99.99' })
  await endow(stack, accountId, '0.01')
  const { status, body } = await create({ quote_id }, {}, merchant)
  assert.equal(status, 201)
  await until(async () => (await read(String(body['conversion_id'])))['status'] === 'completed', 'it is completed')
  assert.deepEqual(await ledger(), {
    'rail USD': '-1.00',
    'fees USD': '1.00',
    'merchant NGN': '158400.00',
    'rail NGN': '-158400.00',
  })
})

test('NOT_FOUND: the quote of another organization is answered like a missing one; so is its conversion', async () => {
  const other = await newMerchant('100.00')
  const { quote_id } = await other.quote()
  const missing = await create({ quote_id: newId('quo', Date.now()) })
  assertError(missing, 404, 'NOT_FOUND')
  assert.equal((await create({ quote_id })).text, missing.text)
  const { conversion_id } = await other.execute(quote_id) // the quote is still unused
  assertError(await stack.merchant.call('GET', `${path}/${conversion_id}`), 404, 'NOT_FOUND')
})

test('SIMULATION_NOT_ALLOWED: an outcome can be chosen in the sandbox only', async () => {
  const live = (await api.addKey({ environment: 'live' })).merchant
  const body = { quote_id: newId('quo', Date.now()), simulated_outcome: 'success' }
  assertError(await create(body, {}, live), 400, 'SIMULATION_NOT_ALLOWED')
})

test('VALIDATION_ERROR: all errors of an execution are answered at once', async () => {
  const invalid = { reference: 'x'.repeat(129), metadata: { a: 1 }, simulated_outcome: 'maybe' }
  assertFieldErrors(await create(invalid), {
    quote_id: 'value_error.missing',
    reference: 'value_error.range',
    'metadata.a': 'value_error.type',
    simulated_outcome: 'value_error.enum',
  })
  assertFieldErrors(await create({ quote_id: '' }), { quote_id: 'value_error.range' })
  const { quote_id } = await own().quote()
  assert.equal((await create({ quote_id, reference: 'x'.repeat(128) })).status, 201)
})

test('a repeated call with its idempotency key answers the same conversion, byte for byte', async () => {
  const { quote_id } = await own().quote()
  const headers = { 'idempotency-key': randomUUID() }
  const [first, again] = [await create({ quote_id }, headers), await create({ quote_id }, headers)]
  assert.equal(first.status, 201)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('the list is newest first, and is filtered by status, reference and time', async () => {
  const { merchant, execute, quote, read } = await newMerchant('1000.00')
  const made: Record<string, unknown>[] = []
  for (const body of [{ reference: 'a' }, { reference: 'b', simulated_outcome: 'failed' }, { reference: null }]) {
    const { conversion_id } = await execute((await quote({ from_amount: '10.00' })).quote_id, body)
    const hasEnded = async () => ['completed', 'failed'].includes(String((await read(conversion_id))['status']))
    await until(hasEnded, 'it has ended')
    made.unshift(await read(conversion_id))
  }
  const find = async (query: Record<string, string> = {}) => {
    const reply = await merchant.call('GET', `${path}?${new URLSearchParams(query)}`)
    return pageOf(reply).items
  }
  const [third, second, first] = made
  assert.deepEqual(await find(), made)
  assert.deepEqual(await find({ status: 'failed' }), [second])
  assert.deepEqual(await find({ reference: 'a' }), [first])
  assert.deepEqual(await find({ created_after: String(second?.['created_at']) }), [third])
  assert.deepEqual(await find({ created_before: String(second?.['created_at']), status: 'completed' }), [first])
  const { pagination, items } = pageOf(await merchant.call('GET', `${path}?limit=2`))
  assert.deepEqual([items, pagination.total, pagination.has_more], [[third, second], 3, true])
  assert.deepEqual(await find({ cursor: String(pagination.next_cursor), limit: '2' }), [first])
  assertFieldErrors(await merchant.call('GET', `${path}?status=lost`), { status: 'value_error.enum' })
})

test('a person may do what the role allows, and a key only with the scope', async () => {
  const viewer = await addUser(stack, { accountId: stack.organizationId, role: 'viewer' })
  const as = async () => ({ ...fromAnywhere(), ...bearer(await viewer.token()) })
  assert.equal((await stack.merchant.call('GET', path, undefined, await as())).status, 200)
  assertError(await create({ quote_id: 'quo_x' }, await as()), 403, 'FORBIDDEN')
  const { merchant } = await api.addKey({ accountId: await api.addAccount(), scopes: ['conversions:read'] })
  assertError(await create({ quote_id: 'quo_x' }, {}, merchant), 403, 'FORBIDDEN')
})

test('a connected account converts its own money, and its platform’s balance is not touched', async () => {
  const { accountId } = await newMerchant('100.00')
  await changeAccount(stack, accountId, { ownerId: stack.organizationId })
  const as = { 'x-account-id': accountId }
  const terms = { from_currency: 'USD', to_currency: 'KES', from_amount: '60.00' }
  const { body: quote } = await stack.merchant.call('POST', `${path}/quotes`, terms, as)
  assertError(await create({ quote_id: quote['quote_id'] }), 404, 'NOT_FOUND')
  assert.equal((await create({ quote_id: quote['quote_id'] }, as)).status, 201)
  const { body: next } = await stack.merchant.call('POST', `${path}/quotes`, terms, as)
  assertError(await create({ quote_id: next['quote_id'] }, as), 400, 'INSUFFICIENT_BALANCE') // 40.00 are left
})

test('the database itself refuses the late use of a quote, and a second conversion from it', async () => {
  const { quote_id } = await own().quote()
  const used = 'update conversion_quotes set used_at = expires_at where id = ?'
  await assert.rejects(stack.sql(used, [quote_id]), /conversion_quotes_used_in_time/)
  await own().execute(quote_id)
  const again = `insert into conversions select id || 'x', account_id, environment, quote_id, reference, 'pending',
    from_amount, from_currency, to_amount, to_currency, rate, fee, null, null, metadata, created_at, updated_at
    from conversions where quote_id = ?`
  await assert.rejects(stack.sql(again, [quote_id]), /conversions_quote_id_unique/)
})

test('a conversion changes status as the contract says, and never back', () => {
  const legal = ['pending processing', 'pending failed', 'processing completed', 'processing failed']
  const moves = (from: ConversionStatus, to: ConversionStatus) => {
    const row = { status: from }
    moveConversion(row, to)
    assert.equal(row.status, to)
  }
  for (const from of conversionStatuses) {
    for (const to of conversionStatuses) {
      if (legal.includes(`${from} ${to}`)) moves(from, to)
      else assert.throws(() => moves(from, to), Refusal)
    }
  }
})
