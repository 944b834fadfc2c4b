import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertError, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { actingFor, withEndpoints } from '../support/endpoints.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { addPlatform, addSeller } from '../support/platform.ts'
import { setAdvancing } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// What belongs to the account that is acted for, and what stays the caller's: decision 0047.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = await useReceiver()
const sessions = '/v1/checkout-sessions'
type Fields = Record<string, unknown>

/** A platform and its connected account, with the calls that the platform makes for it. */
async function addActing() {
  const { platform, seller } = await addPlatform(api)
  return { platform, seller, acting: actingFor(platform.merchant, seller.accountId) }
}

test('an idempotency key belongs to the account: who acts for it gets the stored answer, and nobody else', async () => {
  const { platform, seller, acting } = await addActing()
  const once = { 'idempotency-key': randomUUID() }
  const made = await acting.call('POST', sessions, sale, once)
  assert.equal(made.status, 201, made.text)
  const person = bearer(await (await addUser(stack, { accountId: platform.accountId, role: 'owner' })).token())
  for (const again of [
    await acting.call('POST', sessions, sale, once),
    await acting.call('POST', sessions, sale, { ...once, ...person }),
    await seller.merchant.call('POST', sessions, sale, once),
  ]) {
    assert.equal(again.text, made.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  const other = { ...sale, amount: '26.00' }
  assertError(await acting.call('POST', sessions, other, once), 409, 'CONFLICT')
  const own = await platform.merchant.call('POST', sessions, sale, once)
  assert.equal(own.headers.get('idempotent-replayed'), null)
  const sibling = actingFor(platform.merchant, await api.addConnected(platform.accountId))
  assert.equal((await sibling.call('POST', sessions, sale, once)).headers.get('idempotent-replayed'), null)
  assert.equal(pageOf(await acting.call('GET', sessions)).pagination.total, 1)
})

test('calls count against the limit of the caller’s own key, whoever they act for', async () => {
  const accountId = await api.addAccount()
  const key = await api.addKey({ accountId, rateTier: 'standard' })
  const targets = [{}, ...(await Promise.all([1, 2].map(() => api.addConnected(accountId)))).map(headerOf)]
  const left: number[] = []
  for (const headers of [...targets, ...targets]) {
    const { headers: answered } = await key.merchant.call('GET', '/v1/payments', undefined, headers)
    left.push(Number(answered.get('x-ratelimit-remaining')))
  }
  // A new minute may begin meanwhile, once.
  assert.ok(left.filter((count) => count === 99).length <= 2, left.join())
  assert.ok(left.every((count, index) => index === 0 || count === 99 || count === (left[index - 1] ?? 0) - 1))
})
const headerOf = (accountId: string) => ({ 'x-account-id': accountId })

test('the audit log of the account names the platform’s key or person, and the platform’s has no entry', async () => {
  const { platform, seller, acting } = await addActing()
  const person = await addUser(stack, { accountId: platform.accountId, role: 'owner' })
  await acting.call('PATCH', '/v1/account', { timezone: 'Africa/Lagos' }, fromAnywhere())
  await acting.call('PATCH', '/v1/account', { timezone: 'Africa/Accra' }, bearer(await person.token()))
  const logOf = (accountId: string) =>
    stack.sql('select action, target, user_id, key_id from audit_entries where account_id = ? order by id', [accountId])
  const entry = { action: 'account_settings.changed', target: seller.accountId }
  assert.deepEqual(await logOf(seller.accountId), [
    { ...entry, user_id: null, key_id: platform.id },
    { ...entry, user_id: person.id, key_id: null },
  ])
  assert.deepEqual(await logOf(platform.accountId), [])
})

test('a sale made for an account looks like its own: source, events, balance and deliveries', async () => {
  const { platform, seller, acting } = await addActing()
  const heard = await withEndpoints(platform.merchant).add({ url: receiver.url, account_scope: 'connected' })
  const made = await acting.call('POST', sessions, { ...sale, customer: { email: 'ada@example.com' } })
  const own = await seller.merchant.createCheckout()
  const { checkout_id: id, source_type } = made.body as Fields
  assert.equal(source_type, (own as Fields)['source_type'])
  const paid = await acting.call('POST', `/v1/test-helpers/checkout-sessions/${String(id)}/pay`, {})
  assert.equal(paid.body['status'], 'completed', paid.text)
  const events = await stack.sql<{ type: string; account_id: string }>(
    'select type, account_id from events where account_id in (?, ?) order by sequence',
    [platform.accountId, seller.accountId],
  )
  assert.ok(events.length > 0 && events.every(({ account_id }) => account_id === seller.accountId))
  const deliveries = () => withEndpoints(platform.merchant).deliveries(heard)
  const areAllDelivered = async () =>
    (await deliveries()).filter(({ status }) => status === 'succeeded').length === events.length
  await until(areAllDelivered, 'the platform has heard of every event')
  const envelopes = receiver.received.map(({ body }) => JSON.parse(body) as Fields)
  assert.ok(envelopes.length > 0 && envelopes.every(({ account_id }) => account_id === seller.accountId))
  assert.equal(pageOf(await platform.merchant.call('GET', '/v1/balances')).items.length, 0)
  const timeline = await acting.call('GET', `${sessions}/${String(id)}/timeline`)
  assert.equal(timeline.status, 200)
  assertError(await platform.merchant.call('GET', `${sessions}/${String(id)}/timeline`), 404, 'NOT_FOUND')
})

test('calls for an account go by its test clock, and the platform’s own calls do not', async () => {
  const { platform, seller, acting } = await addActing()
  const frozen_time = '2031-05-05T10:00:00.000Z'
  const clock = await platform.merchant.call('POST', '/v1/test-helpers/clocks', { name: 'A seller’s', frozen_time })
  const attach = `/v1/test-helpers/clocks/${String(clock.body['clock_id'])}/attach`
  const attached = await platform.merchant.call('POST', attach, { account_id: seller.accountId })
  assert.equal(attached.status, 200, attached.text)
  const createdAt = async (reply: Promise<{ body: Fields }>) => String((await reply).body['created_at'])
  await until(
    async () => (await createdAt(acting.call('POST', sessions, sale))) === frozen_time,
    'every process has read the clock of the account',
  )
  assert.notEqual((await createdAt(platform.merchant.call('POST', sessions, sale))).slice(0, 4), '2031')
  assert.equal(await createdAt(seller.merchant.call('POST', sessions, sale)), frozen_time)
})

test('CONFLICT: the clocks of all connected accounts of a platform count together, and with its own', async () => {
  const { platform, seller, acting } = await addActing()
  const second = await addSeller(api, platform.accountId)
  const path = '/v1/test-helpers/clocks'
  const clockBy = async ({ call }: Pick<Merchant, 'call'>) =>
    String((await call('POST', path, { name: 'A clock' })).body['clock_id'])
  const advance = ({ call }: Pick<Merchant, 'call'>, clock: string) =>
    call('POST', `${path}/${clock}/advance`, { by: 'P1D' })
  const forSecond = actingFor(platform.merchant, second.accountId)
  const underWay = [await clockBy(acting), await clockBy(seller.merchant), await clockBy(forSecond)]
  const [idle, own, other] = [await clockBy(second.merchant), await clockBy(platform.merchant), await api.addMerchant()]
  await setAdvancing(stack, underWay)
  for (const refused of [advance(forSecond, idle), advance(second.merchant, idle), advance(platform.merchant, own)])
    assertError(await refused, 409, 'CONFLICT')
  assert.equal((await advance(other.merchant, await clockBy(other.merchant))).status, 200)
  await stack.sql('update test_clocks set target = null where id in (?)', [underWay])
  assert.equal((await advance(forSecond, idle)).status, 200)
})

test('a scenario that is run for an account makes its rows there, on a clock of that account', async () => {
  const { platform, seller, acting } = await addActing()
  const steps = [{ create: { amount: '25.00', currency: 'USD' } }, { pay: {} }]
  const ran = await acting.call('POST', '/v1/test-helpers/scenarios', { steps })
  assert.equal(ran.status, 200, ran.text)
  assert.equal(pageOf(await acting.call('GET', '/v1/payments')).pagination.total, 1)
  assert.equal(pageOf(await platform.merchant.call('GET', '/v1/payments')).pagination.total, 0)
  const rows = await stack.sql('select account_id from test_clocks where id = ?', [ran.body['clock_id']])
  assert.deepEqual(rows, [{ account_id: seller.accountId }])
})

test('the reads that a platform makes for its accounts share its places, and others keep theirs', async () => {
  const { platform, acting } = await addActing()
  const second = actingFor(platform.merchant, await api.addConnected(platform.accountId))
  const other = await api.addMerchant()
  const client = new Client({ connectionString: stack.databaseUrl })
  await client.connect()
  await client.query('begin; lock table customers in access exclusive mode')
  const reads = [acting, second].flatMap(({ call }) => Array.from({ length: 8 }, () => call('GET', '/v1/customers')))
  try {
    const most = 7 // of the ten connections of a process
    await until(async () => (await countWaiting(client)) >= most, 'the reads have taken their places')
    const read = await other.merchant.call('GET', '/v1/balances')
    assert.equal(read.status, 200, read.text)
    assert.equal(await countWaiting(client), most)
  } finally {
    await client.end()
  }
  const statuses = (await Promise.all(reads)).map(({ status }) => status)
  assert.ok(
    statuses.every((status) => status === 200 || status === 503),
    statuses.join(),
  )
  assert.ok(statuses.filter((status) => status === 200).length >= 7, statuses.join())
})

/** How many statements wait for what this client has locked. A transaction sees anew what others do if it says so. */
async function countWaiting(client: Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()')
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await client.query(waiting)).rows.length
}
