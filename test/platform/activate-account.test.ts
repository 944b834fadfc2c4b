import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newId } from '../../domain/id.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { created, withKeys } from '../support/api-keys.ts'
import { decideCapabilities, goLive } from '../support/live.ts'
import { createMerchant, sale } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

let shiftMs = 0 // how far the clock of the API is ahead
const stack = await useStack({ clock: { now: () => Date.now() + shiftMs } })
const api = await useApi(stack)
const { create, newOwner, actions } = withKeys(stack, api)

const capabilitiesOf = async (accountId: string) => {
  const rows = await stack.sql<{ capability: string; status: string }>(
    `select capability, status from account_capabilities where account_id = ? and environment = 'live'`,
    [accountId],
  )
  return Object.fromEntries(rows.map(({ capability, status }) => [capability, status]))
}
const allActive = Object.fromEntries(capabilities.map((each) => [each, 'active']))
const live = (accountId: string) => ({ accountId, environment: 'live' as const })

/** Creates a key more than a minute after the last one. */
async function newKey(...[user, body]: Parameters<typeof create>) {
  shiftMs += 61_000
  const { key = '' } = await created(create(user, { key_name: 'A key', ...(body as object) }))
  return key
}

test('before its activation an account gets test keys whatever it asks for; afterwards live ones', async () => {
  const owner = await newOwner()
  const seen = async () => {
    const reply = await stack.merchant.call('POST', '/v1/checkout-sessions', sale, bearer(await owner.token()))
    return reply.status === 201 ? 'sandbox' : String(reply.body['error_code'])
  }
  const first = await newKey(owner, { env: 'live' })
  assert.match(first, /^sk_sandbox_/)
  assert.equal(await seen(), 'sandbox')
  await goLive(stack, owner.accountId)
  const key = await newKey(owner, { env: 'live' })
  assert.match(key, /^sk_live_/)
  shiftMs += 61_000
  assertError(await create(owner, { key_name: 'A test key', env: 'test' }), 400, 'ACTIVE_KEY_EXISTS')
  // No live rail is connected: that is the operator's to change, and the code says so.
  const merchant = createMerchant(stack.baseUrl, key)
  assertError(await merchant.call('POST', '/v1/checkout-sessions', sale), 400, 'CHECKOUT_HAS_NO_PAYMENT_METHOD')
  await until(async () => (await seen()) === 'CHECKOUT_HAS_NO_PAYMENT_METHOD', 'people see live data')
  // The sandbox key still works in the sandbox.
  assert.equal((await createMerchant(stack.baseUrl, first).call('POST', '/v1/checkout-sessions', sale)).status, 201)
})

test('a restriction takes neither the live keys nor the sight of live data; its codes say what is wrong', async () => {
  const owner = await newOwner()
  await goLive(stack, owner.accountId)
  await decideCapabilities(
    stack,
    live(owner.accountId),
    Object.fromEntries(capabilities.map((each) => [each, 'restricted'])),
  )
  const key = await newKey(owner, { env: 'live' })
  assert.match(key, /^sk_live_/)
  const merchant = createMerchant(stack.baseUrl, key)
  assertError(await merchant.call('POST', '/v1/checkout-sessions', sale), 400, 'ACCOUNT_PAYMENT_METHODS_RESTRICTED')
  assert.equal((await merchant.call('GET', '/v1/payments')).status, 200)
})

test('activating again changes nothing, gives back nothing taken away, and adds what is granted later', async () => {
  const accountId = await api.addAccount()
  assert.equal(await goLive(stack, accountId, ['card_payments']), true)
  assert.deepEqual(await capabilitiesOf(accountId), { card_payments: 'active' })
  assert.equal(await goLive(stack, accountId, ['card_payments']), false)
  const taken = { payouts: 'restricted', transfers: 'pending', virtual_accounts: 'inactive' } as const
  await decideCapabilities(stack, live(accountId), taken)
  assert.equal(await goLive(stack, accountId), true)
  assert.deepEqual(await capabilitiesOf(accountId), { ...allActive, ...taken })
  assert.equal(await goLive(stack, accountId), false)
  const by = { user_id: null, target: accountId, address: '192.0.2.1' }
  assert.deepEqual(
    await actions(accountId),
    [
      'account.activated',
      'payouts.restricted',
      'transfers.pending',
      'virtual_accounts.inactive',
      'account.activated',
    ].map((action) => ({ action, ...by })),
  )
})

test('two activations and two decisions at once are one each', async () => {
  const accountId = await api.addAccount()
  const changed = await Promise.all([1, 2, 3, 4].map(() => goLive(stack, accountId)))
  assert.deepEqual(changed.toSorted(), [false, false, false, true])
  assert.equal((await actions(accountId)).length, 1)
  const other = await api.addAccount()
  await Promise.all([1, 2, 3].map(() => decideCapabilities(stack, live(other), { payouts: 'active' })))
  assert.deepEqual(await capabilitiesOf(other), { payouts: 'active' })
  assert.equal((await actions(other)).length, 1)
})

test('NOT_FOUND: nobody can be activated who does not exist', async () => {
  const missing = newId('acct', Date.now())
  await assert.rejects(goLive(stack, missing), { code: 'NOT_FOUND' })
  await assert.rejects(decideCapabilities(stack, live(missing), { payouts: 'active' }), { code: 'NOT_FOUND' })
})

test('an activation in live changes nothing in the sandbox, and one account’s nothing for its platform', async () => {
  const platform = await api.addMerchant()
  const connected = await api.addConnected(platform.accountId)
  await goLive(stack, connected)
  const rows = await stack.sql(
    `select from account_capabilities where account_id = ? or (account_id = ? and environment = 'sandbox')`,
    [platform.accountId, connected],
  )
  assert.equal(rows.length, 0)
  const [row] = await stack.sql('select payments_enabled from accounts where id = ?', [platform.accountId])
  assert.deepEqual(row, { payments_enabled: false })
  const key = await api.addKey({ accountId: platform.accountId, environment: 'live' })
  const own = await key.merchant.call('POST', '/v1/checkout-sessions', sale, fromAnywhere())
  assertError(own, 400, 'ACCOUNT_NOT_ACTIVATED')
})

/** Runs a script as an operator does. */
const run = (script: string, ...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: stack.databaseUrl }
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], { env })
}
const refused = (code: number, says: RegExp) => (error: { code?: unknown; stderr?: unknown }) => {
  assert.equal(error.code, code)
  assert.match(String(error.stderr), says)
  return true
}

test('npm run capability: decides one capability, says so, and refuses what it does not know', async () => {
  const accountId = await api.addAccount()
  const decided = (...args: string[]) => run('decide-capability', ...args)
  for (const wrong of [
    [],
    [accountId, 'live', 'payout', 'active'],
    [accountId, 'test', 'payouts', 'active'],
    [accountId, 'live', 'payouts'],
  ]) {
    await assert.rejects(decided(...wrong), refused(2, /Usage: npm run capability/))
  }
  await assert.rejects(decided(newId('acct', 0), 'live', 'payouts', 'active'), refused(1, /There is no account acct_/))
  assert.match((await decided(accountId, 'live', 'payouts', 'restricted')).stdout, /is restricted in live\./)
  assert.deepEqual(await capabilitiesOf(accountId), { payouts: 'restricted' })
  assert.match((await decided(accountId, 'live', 'payouts', 'restricted')).stdout, /nothing has changed/)
})

test('npm run activate: activates an account, says so, and refuses what it does not know', async () => {
  const accountId = await api.addAccount()
  await assert.rejects(run('activate-account'), refused(2, /Usage: npm run activate/))
  await assert.rejects(
    run('activate-account', accountId, 'card_payment'),
    refused(2, /Usage: npm run activate.*card_payments/s),
  )
  await assert.rejects(run('activate-account', newId('acct', Date.now())), refused(1, /There is no account acct_/))
  assert.deepEqual(await capabilitiesOf(accountId), {})
  assert.match((await run('activate-account', accountId, 'payouts')).stdout, /is live\./)
  assert.deepEqual(await capabilitiesOf(accountId), { payouts: 'active' })
  assert.match((await run('activate-account', accountId, 'payouts')).stdout, /live already: nothing has changed\.\n$/)
  await decideCapabilities(stack, live(accountId), { payouts: 'restricted', transfers: 'inactive' })
  const { stdout } = await run('activate-account', accountId, 'payouts', 'transfers', 'card_payments')
  assert.match(stdout, /is live\. Still taken away: payouts, transfers\. .*`npm run capability -- acct_…/)
})
