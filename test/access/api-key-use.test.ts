import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '../../domain/access/scope.ts'
import { created, keysPath, withKeys } from '../support/api-keys.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

// The use of a key, from its creation to its end. How keys are managed is in test/access/api-key.test.ts.
let shiftMs = 0 // how far the clock of the API is ahead
const stack = await useStack({ workers: false, clock: { now: () => Date.now() + shiftMs } })
const api = await useApi(stack)
const { call, create, revoke, list, newOwner, reads, actions } = withKeys(stack, api)

test('a revoked key is refused at once in every process; revoking it again changes nothing', async () => {
  const user = await newOwner()
  const { api_key_id: id, key = '' } = await created(create(user))
  await api.lift()
  const bases = [stack.baseUrl, await api.addProcess(), await api.addProcess()]
  for (const base of bases) assert.equal(await reads(key, base), 200) // which each process keeps for half a second
  const revoked = await revoke(user, id)
  assert.deepEqual([revoked.status, revoked.body], [200, { status: 'revoked', api_key_id: id }])
  for (const base of bases) assert.equal(await reads(key, base), 401, 'from the answer on')
  assert.deepEqual((await revoke(user, id)).body, { status: 'revoked', api_key_id: id })
  const entries = await actions(user.accountId)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['api_key.created', 'api_key.revoked'],
  )
})

test('an expired key is refused at once in every process', async () => {
  const user = await newOwner()
  const { key = '' } = await created(create(user, { key_name: 'A day', expires_in_days: 1 }))
  const bases = [stack.baseUrl, await api.addProcess()]
  for (const base of bases) assert.equal(await reads(key, base), 200)
  shiftMs += dayMs
  for (const base of bases) assert.equal(await reads(key, base), 401)
})

test('FORBIDDEN: a key that was created before a scope existed lacks that scope until it is added', async () => {
  const user = await newOwner()
  const earlier = scopes.filter((scope) => !scope.startsWith('virtual_accounts:') && scope !== 'payments:read')
  const { api_key_id: id, key = '' } = await created(create(user, { key_name: 'Earlier', scopes: earlier }))
  await api.lift()
  assert.equal(await reads(key), 403)
  const wanted = [...earlier, 'payments:read', 'payments:read']
  const changed = await call(user, 'PATCH', `${keysPath}/${id}`, { scopes: wanted })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body['scopes'], [...earlier, 'payments:read'])
  assert.equal(changed.body['api_key_id'], id)
  await until(async () => (await reads(key)) === 200, 'the added scope works', { withinMs: 1_000 })
  await call(user, 'PATCH', `${keysPath}/${id}`, { scopes: ['webhooks:read'] })
  await until(async () => (await reads(key)) === 403, 'the removed scope is refused', { withinMs: 1_000 })
})

test('last_used_at is written at most once a minute, and no call waits for that write', async () => {
  const user = await newOwner()
  const { key = '' } = await created(create(user))
  const used = async () => (await list(user)).keys[0]?.['last_used_at'] as string | null
  assert.equal(await used(), null)
  const usedAt = Date.now() + shiftMs
  await reads(key)
  await until(async () => (await used()) !== null, 'the use is recorded')
  const first = await used()
  assert.ok(Math.abs(Date.parse(first ?? '') - usedAt) < 5_000)
  await reads(key)
  await sleep(100)
  assert.equal(await used(), first)
  shiftMs += minuteMs
  await reads(key)
  await until(async () => (await used()) !== first, 'the later use is recorded')
  // Another transaction locks the row: a call is answered all the same.
  shiftMs += minuteMs
  const em = stack.database.orm.em.fork()
  await em.transactional(async (held) => {
    await held.execute('select id from api_keys where account_id = ? for update', [user.accountId])
    assert.equal(await reads(key), 200)
  })
})

test('no table holds a key in clear text, and every stored answer is encrypted', async () => {
  const user = await newOwner()
  const { key = '' } = await created(create(user, { key_name: 'A key', idempotency_key: randomUUID() }))
  const tables = await stack.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  assert.ok(tables.length > 20)
  for (const { name } of tables) {
    const [{ dump } = { dump: null }] = await stack.sql<{ dump: string | null }>(
      `select string_agg(t::text, ' ') as dump from "${name}" t`,
    )
    assert.ok(!dump?.includes(key.slice(11, 54)), name)
  }
})
