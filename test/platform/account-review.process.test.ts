import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeAccount, readAccount } from '../support/connected-account.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)

test('an account that has provided everything is reviewed, and the sandbox approves it after 5 s', async () => {
  const made = await completeAccount(stack.merchant)
  assert.equal(made.status, 'under_review', JSON.stringify(made.requirements))
  await stack.dispatched()
  await stack.skip(60_000)
  const { status, charges_enabled, payouts_enabled } = await readAccount(stack.merchant, made.account_id)
  assert.deepEqual([status, charges_enabled, payouts_enabled], ['active', true, true])
})
