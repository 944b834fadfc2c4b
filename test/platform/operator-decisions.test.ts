import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { capabilities } from '../../domain/platform/capability.ts'
import { assertError } from '../support/api.ts'
import {
  addDocument,
  addPerson,
  changeAccount,
  company,
  completeAccount,
  readAccount,
  representative,
  stated,
} from '../support/connected-account.ts'
import { decideCapabilities, goLive } from '../support/live.ts'
import type { Merchant } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { addImage } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What operators decide by the command line about accounts that are reviewed.
const stack = await useStack({ invariants: 'after each test' })
const api = await useApi(stack)
const staff = await addStaff(stack)

/** What the events of a type say about an account's capability or status, the oldest first. */
const told = async (type: string, accountId: string) =>
  (
    await stack.sql<{ body: string }>('select body from events where type = ? and resource_id = ? order by sequence', [
      type,
      accountId,
    ])
  ).map(({ body }) => (JSON.parse(body) as { data: Record<string, unknown> }).data)

async function active() {
  const { account_id: id } = await completeAccount(stack.merchant)
  await until(async () => (await readAccount(stack.merchant, id)).status === 'active', 'the account is active')
  return id
}

test('what operators take away stays away whatever the account states, until they decide anew', async () => {
  const id = await active()
  const tenant = { accountId: id, environment: 'sandbox' as const }
  const destination = await addDestination(stack, tenant)
  const payOut = () =>
    stack.merchant.call('POST', '/v1/payouts', { destination, amount: '100.00' }, { 'x-account-id': id })
  await decideCapabilities(stack, tenant, { payouts: 'restricted' })
  await changeAccount(stack.merchant, id, { metadata: { seller: '7' } })
  await changeAccount(stack.merchant, id, { capabilities: { payouts: { requested: false } } })
  const asked = await changeAccount(stack.merchant, id, { capabilities: { payouts: { requested: true } } })
  assert.deepEqual([asked.status, asked.capabilities.payouts, asked.payouts_enabled], ['active', 'restricted', false])
  assertError(await payOut(), 403, 'CAPABILITY_NOT_ACTIVE')
  await decideCapabilities(stack, tenant, { payouts: 'active' })
  assertError(await payOut(), 400, 'INSUFFICIENT_BALANCE')
  const after = await changeAccount(stack.merchant, id, { metadata: { seller: '8' } })
  assert.deepEqual([after.capabilities.payouts, after.payouts_enabled], ['active', true])
})

test('the platform of an account hears what operators decide about it', async () => {
  const id = await active()
  const before = (await told('account.updated', id)).length
  await decideCapabilities(stack, { accountId: id, environment: 'sandbox' }, { transfers: 'restricted' })
  assert.deepEqual(
    (await told('capability.updated', id)).at(-1),
    (await stack.merchant.call('GET', `/v1/accounts/${id}/capabilities/transfers`)).body,
  )
  const news = (await told('account.updated', id)).slice(before)
  assert.deepEqual(
    news.map((data) => (data['capabilities'] as Record<string, string>)['transfers']),
    ['restricted'],
  )
})

test('of an account that is not approved operators only take away: nothing becomes active before', async () => {
  const { account_id: id } = await completeAccount(stack.merchant, { company: { registration_number: 'RC120008' } })
  const tenant = { accountId: id, environment: 'sandbox' as const }
  await decideCapabilities(stack, tenant, { payouts: 'active', transfers: 'restricted' })
  const { capabilities: now } = await readAccount(stack.merchant, id)
  assert.deepEqual([now.payouts, now.transfers], ['pending', 'restricted'])
  const path = `/api/v1/admin/accounts/${id}/review`
  assert.equal((await staff.call('POST', path, { decision: 'approve' })).status, 200)
  const { capabilities: then } = await readAccount(stack.merchant, id)
  assert.deepEqual([then.payouts, then.transfers], ['active', 'restricted'])
})

/** An organization that has provided everything for live, or only a part of it. */
async function onboarding(isComplete: boolean) {
  const { merchant, accountId: id } = await api.addMerchant('live')
  await changeAccount(merchant, id, { country: 'NG', business_type: 'company', ...stated, company })
  if (isComplete) {
    await addPerson(merchant, id, { ...representative, id_document: await addImage(merchant) })
    await addDocument(merchant, id, 'company.certificate_of_incorporation')
  }
  return { merchant, id }
}

const allActive = Object.fromEntries(capabilities.map((each) => [each, 'active']))
async function assertLive(merchant: Merchant, id: string): Promise<void> {
  const { status, capabilities: now, charges_enabled, payouts_enabled, requirements } = await readAccount(merchant, id)
  assert.deepEqual([status, charges_enabled, payouts_enabled], ['active', true, true])
  assert.deepEqual(now, allActive)
  assert.deepEqual([requirements.currently_due, requirements.disabled_reason], [[], null])
}

for (const [when, isComplete] of [
  ['during', true],
  ['before', false],
] as const)
  test(`an organization that goes live ${when} its review is not reviewed any more`, async () => {
    const { merchant, id } = await onboarding(isComplete)
    const before = await readAccount(merchant, id)
    assert.equal(before.status, isComplete ? 'under_review' : 'onboarding')
    assert.deepEqual([await goLive(stack, id), await goLive(stack, id)], [true, false])
    await assertLive(merchant, id)
    assert.equal((await told('account.updated', id)).at(-1)?.['status'], 'active')
    const path = `/api/v1/admin/accounts/${id}/review`
    assertError(await staff.call('POST', path, { decision: 'approve' }), 409, 'CONFLICT')
    await changeAccount(merchant, id, { business_profile: { name: 'Another name' } })
    await assertLive(merchant, id)
  })

test('CONFLICT: an organization that staff have rejected gets nothing back, and nothing of it changes', async () => {
  const { merchant, id } = await onboarding(true)
  const decision = { decision: 'reject', reason: 'Sells what is forbidden' }
  assert.equal((await staff.call('POST', `/api/v1/admin/accounts/${id}/review`, decision)).status, 200)
  const stored = async () => [
    await readAccount(merchant, id),
    await stack.sql('select payments_enabled from accounts where id = ?', [id]),
    await stack.sql('select action from audit_entries where account_id = ? order by id', [id]),
  ]
  const before = await stored()
  await assert.rejects(goLive(stack, id), { code: 'CONFLICT' })
  const env = { ...process.env, DATABASE_URL: stack.databaseUrl }
  const decide = ['decide-capability', id, 'live', 'payouts', 'active']
  for (const [script, ...args] of [['activate-account', id], decide]) {
    await assert.rejects(promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], { env }), {
      code: 1,
      stdout: '',
      stderr: `${id} was rejected by staff, and that decision is final. Nothing has changed.\n`,
    })
  }
  assert.deepEqual(await stored(), before)
})

test('the approval of a review that an older release has left open takes nothing away', async () => {
  const { merchant, id } = await onboarding(true)
  await stack.sql('update accounts set payments_enabled = true where id = ?', [id])
  await stack.sql(`update account_capabilities set status = 'active' where account_id = ? and environment = 'live'`, [
    id,
  ])
  const reply = await staff.call('POST', `/api/v1/admin/accounts/${id}/review`, { decision: 'approve' })
  assert.equal(reply.status, 200, reply.text)
  await assertLive(merchant, id)
})
