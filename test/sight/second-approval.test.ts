import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { assertError } from '../support/api.ts'
import { type Reply, sale } from '../support/merchant.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What two people decide: whose proposal counts, and how the first one corrects it.
const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)
const ben = await addStaff(stack)

/** A refund above the limit that its provider never answers. */
async function unanswered(): Promise<string> {
  const charge = await stack.merchant.chargeByCard({ ...sale, amount: '2000.00' })
  const { refund_id: id } = await stack.merchant.refund(charge, { reference: unansweredReference })
  await until(async () => (await stack.merchant.getRefund(id))['status'] === 'processing', 'its provider has it')
  return id
}
type Staff = Awaited<ReturnType<typeof addStaff>>
const settle = (who: Staff, id: string, proof_ref: string, reason = 'On the statement') =>
  who.on('refunds', id, 'mark-settled', { reason, proof_ref })
const told = ({ status, body, text }: Reply) => {
  assert.equal(status, 200, text)
  return [body['state'], body['resource_status'], body['proof_ref']]
}
const audited = async (id: string) =>
  (
    await stack.sql<Record<'action' | 'user_id' | 'reason', string>>(
      'select action, user_id, reason from audit_entries where target = ? order by id',
      [id],
    )
  ).map(({ action, user_id, reason }) => [action, user_id, reason])
const proposalsOf = async (who: Staff, id: string) => {
  const { body } = await who.call('GET', `/api/v1/admin/timelines/${id}`)
  return (body['proposals'] as unknown as Record<string, unknown>[]).map(({ proof_ref, is_own }) => [proof_ref, is_own])
}
const waiting = ['awaiting_second_approval', 'processing']

test('whoever has proposed a mark corrects its proof and its reason, and the second person approves that', async () => {
  const ada = await addStaff(stack)
  const id = await unanswered()
  for (const proof of ['TYPO-1', 'TYPO-1', 'TRUE-1', 'TRUE-1']) {
    assert.deepEqual(told(await settle(ada, id, proof)), [...waiting, proof])
    assert.deepEqual(await proposalsOf(ben, id), [[proof, false]])
  }
  assertError(await settle(ben, id, 'TYPO-1'), 409, 'CONFLICT')
  assert.equal((await settle(ada, id, 'TRUE-1', 'On page 2')).body['reason'], 'On page 2')
  assert.deepEqual(told(await settle(ben, id, 'TRUE-1', 'Seen')), ['executed', 'succeeded', 'TRUE-1'])
  assert.deepEqual(await audited(id), [
    ['refund.mark_settled_proposed', ada.id, 'On the statement'],
    ['refund.mark_settled_proposed', ada.id, 'On the statement'],
    ['refund.mark_settled_proposed', ada.id, 'On page 2'],
    ['refund.mark_settled_approved', ben.id, 'Seen'],
    ['refund.mark_settled_executed', ben.id, 'Seen'],
  ])
})
