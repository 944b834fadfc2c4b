import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { endow } from '../support/conversion.ts'
import { change, leftOpen, register } from '../support/destination.ts'
import { destinations } from '../support/destination-examples.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The steps of a payout whose destination the merchant changes before it is sent. No process runs here.
const stack = await useStack({ workers: false, invariants: 'at the end' })
await useApi(stack)
const ada = await addStaff(stack)
const { main } = createActivities(stack.deps)
await endow(stack, stack.organizationId, '2000000.00', 'NGN')

/** Approves what is in review as its process does, and returns the id of the decision. */
async function storeApproval(resourceId: string): Promise<string> {
  const [row] = await stack.sql<{ id: string }>(
    `insert into review_decisions (id, review_id, decision, user_id, address, created_at)
     select gen_random_uuid(), id, 'approve', ?, '192.0.2.1', now()
     from reviews where resource_id = ? and state = 'open' returning id`,
    [ada.id, resourceId],
  )
  assert.ok(row)
  return row.id
}
const decideDestination = async (id: string) => main.decideDestination(id, await storeApproval(id), Date.now())

/** A payout that is held for a review, with its approved destination. */
async function held() {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  await decideDestination(destination.id)
  const { id } = await stack.merchant.payOut(destination.id, { reference: 'sandbox_hold' })
  assert.equal((await main.assessPayout(id, Date.now())).status, 'pending')
  return { destination, id }
}

const another = { account_number: '0123460008' }

test('an approval is refused while the destination is in review, and the same step again too', async () => {
  const { destination, id } = await held()
  await change(stack.merchant, destination, another)
  const decision = await storeApproval(id)
  const decide = () => main.decidePayout(id, decision, Date.now())
  for (const _ of ['the first try', 'a second one']) {
    await assert.rejects(decide, { code: 'CONFLICT', message: /is in review: decide about the destination first/ })
  }
  assert.equal((await main.assessPayout(id, Date.now())).status, 'pending', 'a process that begins again waits too')
  await decideDestination(destination.id)
  assert.equal((await decide()).status, 'approved')
})

test('an approved payout whose destination is in review before it is sent is held again', async () => {
  const { destination, id } = await held()
  await main.decidePayout(id, await storeApproval(id), Date.now())
  await change(stack.merchant, destination, another)
  assert.equal((await main.submitPayout(id, Date.now())).status, 'pending')
  const reviews = await stack.sql('select revision, state from reviews where resource_id = ? order by revision', [id])
  assert.deepEqual(reviews, [
    { revision: 1, state: 'decided' },
    { revision: 2, state: 'open' },
  ])
})

test('a payout whose destination is in review in another currency can be approved, and fails', async () => {
  const { destination, id } = await held()
  await change(stack.merchant, destination, { ...destinations.GBP, account_number: '31920008' })
  assert.equal((await main.decidePayout(id, await storeApproval(id), Date.now())).status, 'approved')
  assert.equal((await main.submitPayout(id, Date.now())).status, 'failed')
})
