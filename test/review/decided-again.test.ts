import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import type { Outcome } from '../../domain/review.ts'
import { changeAccount, company, completeAccount, forStaff, readAccount } from '../support/connected-account.ts'
import { change, leftOpen, read, register } from '../support/destination.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The answer of a step that has applied a decision is lost, what it was about changes, and the step is made again.
const stack = await useStack({ workers: false, invariants: 'after each test' })
await useApi(stack)
const { id: ada } = await addStaff(stack)
const { id: bob } = await addStaff(stack)
const { main } = createActivities(stack.deps)

/** Stores a decision about the open review of a resource, as the API does, and returns its id. */
async function store(resourceId: string, decision: Outcome, { by = ada, errors = [] as object[] } = {}) {
  const [row] = await stack.sql<{ id: string }>(
    `insert into review_decisions (id, review_id, decision, reason, errors, user_id, address, created_at)
     select gen_random_uuid(), id, ?, 'A reason', ?, ?, '192.0.2.1', now()
     from reviews where resource_id = ? and state = 'open' returning id`,
    [decision, JSON.stringify(errors), by, resourceId],
  )
  assert.ok(row)
  return row.id
}

const restate = (destination: { id: string }) => change(stack.merchant, destination, { account_number: '9876540008' })
const refused = { code: 'CONFLICT', message: /has changed/ }

test('a decision that was applied to a destination is not refused once the destination is restated', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const decision = await store(destination.id, 'approve')
  await main.decideDestination(destination.id, decision, Date.now())
  await restate(destination)
  const { status, statement } = await main.decideDestination(destination.id, decision, Date.now())
  assert.deepEqual([status, statement], ['pending_review', 2])
  assert.equal((await read(stack.merchant, destination)).status, 'pending_review')
})

test('a decision that was applied to an account is not refused once the account has changed', async () => {
  const { account_id: id } = await completeAccount(stack.merchant, forStaff)
  const errors = [{ code: 'company.name', reason: 'Unclear' }]
  const decision = await store(id, 'request_information', { errors })
  await main.decideAccount(id, decision, Date.now())
  await changeAccount(stack.merchant, id, { company: { ...company, ...forStaff.company, name: 'Another Company Ltd' } })
  const { status, decided } = await main.decideAccount(id, decision, Date.now())
  assert.deepEqual([status, decided], ['under_review', null])
  assert.equal((await readAccount(stack.merchant, id)).status, 'under_review')
})

test('a request that was applied to an account is not refused once a part of it was provided', async () => {
  const { account_id: id } = await completeAccount(stack.merchant, forStaff)
  const errors = [
    { code: 'company.name', reason: 'Unclear' },
    { code: 'terms_acceptance', reason: 'Accepted by somebody else' },
  ]
  const decision = await store(id, 'request_information', { errors })
  const late = await store(id, 'request_information', { by: bob, errors })
  await main.decideAccount(id, decision, Date.now())
  await changeAccount(stack.merchant, id, { company: { ...company, ...forStaff.company, name: 'Another Company Ltd' } })
  assert.equal((await main.decideAccount(id, decision, Date.now())).status, 'onboarding')
  await assert.rejects(main.decideAccount(id, late, Date.now()), { code: 'CONFLICT', message: /another decision/ })
  assert.deepEqual((await readAccount(stack.merchant, id)).requirements.errors, errors.slice(1))
})

test('what an account is not asked for any more is not asked for again: CONFLICT, or the rest alone', async () => {
  const { account_id: id } = await completeAccount(stack.merchant, forStaff)
  const gone = { code: 'representative.id_document', reason: 'Unreadable' }
  const alone = await store(id, 'request_information', { errors: [gone] })
  const both = await store(id, 'request_information', { errors: [gone, { code: 'company.name', reason: 'Unclear' }] })
  await changeAccount(stack.merchant, id, { capabilities: { payouts: { requested: false } } })
  const nothing = { code: 'CONFLICT', message: /not asked for this/ }
  await assert.rejects(main.decideAccount(id, alone, Date.now()), nothing)
  assert.equal((await readAccount(stack.merchant, id)).status, 'under_review')
  await main.decideAccount(id, both, Date.now())
  const { status, requirements } = await readAccount(stack.merchant, id)
  assert.deepEqual([status, requirements.currently_due], ['onboarding', ['company.name']])
  await changeAccount(stack.merchant, id, { capabilities: { payouts: { requested: true } } })
  const again = await readAccount(stack.merchant, id)
  assert.deepEqual(again.requirements.currently_due, ['company.name'])
})

test('a decision that was not applied before the destination was restated is refused', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const decision = await store(destination.id, 'approve')
  await restate(destination)
  await assert.rejects(main.decideDestination(destination.id, decision, Date.now()), refused)
})

test('a decision is refused where somebody else has decided the same before the destination was restated', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const [decision, late] = [await store(destination.id, 'approve'), await store(destination.id, 'approve', { by: bob })]
  await main.decideDestination(destination.id, decision, Date.now())
  await restate(destination)
  await assert.rejects(main.decideDestination(destination.id, late, Date.now()), refused)
})
