import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { setRateTier } from '../../commands/access/set-rate-tier.ts'
import { inTransaction } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import { bearer } from '../support/api.ts'
import { created, withKeys } from '../support/api-keys.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Operators decide how many calls a minute an organization's key may make, also the next one.
let shiftMs = 0 // how far the clock of the API is ahead
const stack = await useStack({ workers: false, clock: { now: () => Date.now() + shiftMs } })
const api = await useApi(stack)
const { create, revoke, newOwner, actions } = withKeys(stack, api)

const limitOf = async (key = '') => {
  const { headers } = await stack.merchant.call('GET', '/v1/payments', undefined, bearer(key))
  return Number(headers.get('x-ratelimit-limit'))
}

/** Runs the command as an operator does. */
const run = (...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: stack.databaseUrl }
  return promisify(execFile)(process.execPath, ['scripts/set-rate-tier.ts', ...args], { env })
}
const refused = (code: number, says: RegExp) => (error: { code?: unknown; stderr?: unknown }) => {
  assert.equal(error.code, code)
  assert.match(String(error.stderr), says)
  return true
}

test('npm run rate-tier: gives the key of an account another tier, and is in the audit log', async () => {
  const owner = await newOwner()
  const { accountId } = owner
  await assert.rejects(run(accountId, 'sandbox', 'platform'), refused(1, /^acct_\w+ has had no key in sandbox\./))
  const { key, api_key_id: id } = await created(create(owner))
  assert.equal(await limitOf(key), 100)
  assert.match((await run(accountId, 'sandbox', 'platform')).stdout, / in sandbox has the rate tier platform\.\n$/)
  await until(async () => (await limitOf(key)) === 1000, 'the key has the new limit', { withinMs: 5_000 })
  assert.match((await run(accountId, 'sandbox', 'platform')).stdout, /platform: nothing has changed\.\n$/)
  const [, ...decided] = await actions(accountId)
  assert.deepEqual(decided, [{ action: 'rate_tier.platform', user_id: null, target: id, address: 'command line' }])
  for (const wrong of [[], [accountId, 'test', 'platform'], [accountId, 'live', 'fast'], [accountId, 'live']])
    await assert.rejects(run(...wrong), refused(2, /^Usage: npm run rate-tier .*standard \(100\), .*no limit/s))
  await assert.rejects(run(accountId, 'live', 'elevated'), refused(1, /has had no key in live/))
  await assert.rejects(run(newId('acct', 0), 'live', 'elevated'), refused(1, /There is no account acct_/))
})

test('a new key has the tier of the one that it replaces, also if that has expired', async () => {
  const owner = await newOwner(true)
  const live = { key_name: 'A live key', env: 'live' }
  const place = { accountId: owner.accountId, environment: 'sandbox' } as const
  const by = { userId: null, address: 'command line' } as const
  const first = await created(create(owner, { key_name: 'First', expires_in_days: 1 }))
  await inTransaction(stack.database, (em) => setRateTier(em, place, { rateTier: 'elevated', by }, Date.now()))
  shiftMs += 86_400_000
  const second = await created(create(owner))
  assert.notEqual(second['key'], first['key'])
  assert.equal(await limitOf(second['key']), 500)
  await revoke(owner, second['api_key_id'])
  shiftMs += 60_000
  const third = await created(create(owner))
  assert.equal(await limitOf(third['key']), 500)
  shiftMs += 60_000
  assert.equal(await limitOf((await created(create(owner, live)))['key']), 100, 'the other environment has its own')
})

test('a tier that is given while a key is being replaced is that of the new key', async () => {
  const owner = await newOwner()
  const place = { accountId: owner.accountId, environment: 'sandbox' } as const
  const by = { userId: null, address: 'command line' } as const
  const old = await created(create(owner))
  await revoke(owner, old['api_key_id'])
  shiftMs += 60_000
  const [reply] = await Promise.all([
    create(owner),
    inTransaction(stack.database, (em) => setRateTier(em, place, { rateTier: 'platform', by }, Date.now())),
  ])
  const { key } = await created(reply)
  await until(async () => (await limitOf(key)) === 1000, 'the new key has the tier', { withinMs: 5_000 })
})
