import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutStaffActivities } from '../../activities/payout/staff.ts'
import { assertError } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { endPayout, sendRailNews } from '../support/rail-books.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A mark that the rail contradicts is refused, and the payout ends as the rail says: with its process, in real time.
const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)
const ada = await addStaff(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '100000.00', 'NGN')
const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })

const order = { reason: 'The bank has told us', proof_ref: 'STATEMENT-7' }
const rows = [
  { mark: 'mark-failed', end: 'completed', isHeld: false },
  { mark: 'mark-settled', end: 'failed', isHeld: false },
  { mark: 'mark-failed', end: 'completed', isHeld: true },
  { mark: 'mark-settled', end: 'returned', isHeld: false },
] as const

for (const { mark, end, isHeld } of rows) {
  const which = `of a payout ${isHeld ? 'on hold ' : ''}that its rail says has ${end}`
  test(`${mark} ${which} is refused, and its process ends at once`, async () => {
    const { id } = await stack.merchant.payOut(silent, { amount: '1000.00' })
    await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'the rail has it')
    const handle = stack.client.workflow.getHandle(`payout/${id}`)
    if (isHeld) assert.equal((await ada.onPayout(id, 'hold', order)).status, 200)
    await endPayout(stack, id, end)
    assertError(await ada.onPayout(id, mark, order), 409, 'CONFLICT')
    await until(async () => (await handle.describe()).status.name === 'COMPLETED', 'the process has ended')
    const { status, returned_at: returnedAt } = await stack.merchant.getPayout(id)
    // What has come back had arrived before.
    assert.equal(status, end === 'returned' ? 'completed' : end)
    assert.equal(returnedAt !== null, end === 'returned')
    assert.equal(await handle.result(), end)
  })
}

test('a hold whose answer is lost stays carried out, though the payout has ended before it is made again', async () => {
  const { id } = await stack.merchant.payOut(silent, { amount: '1000.00' })
  await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'the rail has it')
  assert.equal((await ada.onPayout(id, 'hold', order)).status, 200)
  const actions = () =>
    stack.sql<{ id: string; state: string }>('select id, state from operator_actions where payout_id = ?', [id])
  const [held] = await actions()
  await endPayout(stack, id, 'completed')
  await sendRailNews(stack, 'payout', id)
  await until(async () => (await stack.merchant.getPayout(id)).status === 'completed', 'the payout has arrived')
  const again = await payoutStaffActivities(stack.deps).carryOutAction(held?.id ?? '', Date.now())
  assert.deepEqual([again.status, again.isOrderDue], ['completed', false])
  assert.deepEqual(await actions(), [{ id: held?.id, state: 'executed' }])
})

test('a retry whose answer is lost stays carried out, though a hold comes before its second try', async () => {
  const { id } = await stack.merchant.payOut(silent, { amount: '1000.00' })
  await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'the rail has it')
  for (const action of ['retry', 'hold']) assert.equal((await ada.onPayout(id, action, order)).status, 200, action)
  const actions = () =>
    stack.sql<{ id: string; state: string }>(
      'select id, state from operator_actions where payout_id = ? order by created_at, id',
      [id],
    )
  const [retried, held] = await actions()
  const again = await payoutStaffActivities(stack.deps).carryOutAction(retried?.id ?? '', Date.now())
  assert.equal(again.status, 'processing')
  assert.deepEqual(await actions(), [retried, held])
  assert.deepEqual([retried?.state, held?.state], ['executed', 'executed'])
})
