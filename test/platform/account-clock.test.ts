import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDocument, completeAccount, createAccount, readAccount } from '../support/connected-account.ts'
import { beginOnClock, day, minute } from '../support/test-clock.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Accounts that live by a test clock: a month of waiting takes a call.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const later = 'company.proof_of_address'
const after = (time: string, ms: number) => ({ to: new Date(Date.parse(time) + ms).toISOString() })

test('an account of a platform on a clock is approved, restricted and active again by the clock', async () => {
  const { merchant, accountId, clock, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const { account_id: id } = await completeAccount(merchant)
  assert.equal((await readAccount(merchant, id)).status, 'under_review')
  const start = clock.frozen_time
  const approved = await advance(after(start, minute))
  assert.ok(approved.happened.some(({ resource_id, step }) => resource_id === id && step === 'active'))
  await advance(after(start, 31 * day))
  assert.deepEqual((await readAccount(merchant, id)).requirements.currently_due, [later])
  await advance(after(start, 46 * day))
  const restricted = await readAccount(merchant, id)
  assert.deepEqual([restricted.status, restricted.requirements.past_due], ['restricted', [later]])
  await addDocument(merchant, id, later)
  await advance(after(start, 46 * day + minute))
  assert.equal((await readAccount(merchant, id)).status, 'active')
})

test('an account that is attached later goes by the clock from then on, whoever calls for it', async () => {
  const { merchant, clock, attach, advance } = await beginOnClock(api)
  const { account_id: id } = await createAccount(merchant)
  await attach({ account_id: id })
  await advance(after(clock.frozen_time, 40 * day))
  await addDocument(merchant, id, 'company.memorandum')
  const { updated_at: at } = await readAccount(merchant, id)
  assert.ok(Date.parse(String(at)) <= Date.parse(clock.frozen_time) + 41 * day)
  const [row] = await stack.sql<{ clock_id: string | null }>('select clock_id from account_profiles where id = ?', [id])
  assert.equal(row?.clock_id, clock.clock_id)
})
