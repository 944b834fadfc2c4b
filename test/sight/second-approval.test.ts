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
const fail = (who: Staff, id: string) => who.on('refunds', id, 'mark-failed')
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
const proposedInList = async (id: string) => {
  await stack.sql(`update refunds set created_at = created_at - interval '2 hours' where id = ?`, [id])
  const { body } = await ben.call('GET', '/api/v1/admin/stuck?resource=refund&limit=100')
  return (body['items'] as unknown as Record<string, unknown>[]).find((item) => item['id'] === id)?.['proposed_action']
}
const waiting = ['awaiting_second_approval', 'processing']

const departures = {
  'has been removed': 'delete from users where id = ?',
  'works for a merchant now': `update users set account_id = 'acct_other', role = 'viewer' where id = ?`,
  'is the admin of a merchant now': `update users set account_id = 'acct_other', role = 'admin' where id = ?`,
}
for (const [departure, sql] of Object.entries(departures)) {
  test(`the proposal of somebody who ${departure} counts for nothing: two others have to agree`, async () => {
    const [ada, cleo] = [await addStaff(stack), await addStaff(stack)]
    const id = await unanswered()
    assert.deepEqual(told(await settle(ada, id, 'A-1')), [...waiting, 'A-1'])
    assert.deepEqual(told(await fail(ada, id)), [...waiting, null])
    await stack.sql('delete from login_sessions where user_id = ?', [ada.id])
    await stack.sql(sql, [ada.id])
    assert.deepEqual(await proposalsOf(ben, id), [])
    // Neither the same proof nor another one approves what nobody of the staff has proposed.
    assert.deepEqual(told(await settle(ben, id, 'A-1')), [...waiting, 'A-1'])
    assert.deepEqual(told(await fail(ben, id)), [...waiting, null])
    assert.deepEqual(await proposalsOf(ben, id), [
      ['A-1', true],
      [null, true],
    ])
    const done = await settle(cleo, id, 'A-1')
    assert.deepEqual(told(done), ['executed', 'succeeded', 'A-1'])
    assert.deepEqual([done.body['proposed_by'], done.body['approved_by']], [ben.id, cleo.id])
    assert.deepEqual(
      (await audited(id)).map(([action, userId]) => [action, userId]),
      [
        ['refund.mark_settled_proposed', ada.id],
        ['refund.mark_failed_proposed', ada.id],
        ['refund.mark_settled_proposed', ben.id],
        ['refund.mark_failed_proposed', ben.id],
        ['refund.mark_settled_approved', cleo.id],
        ['refund.mark_settled_executed', cleo.id],
      ],
    )
  })
}

test('what is stuck is not listed as proposed by somebody who is not staff any more', async () => {
  const ada = await addStaff(stack)
  const id = await unanswered()
  await fail(ada, id)
  assert.equal(await proposedInList(id), 'mark_failed')
  await stack.sql(`update users set account_id = 'acct_other', role = 'viewer' where id = ?`, [ada.id])
  assert.equal(await proposedInList(id), null)
  await fail(ben, id)
  assert.equal(await proposedInList(id), 'mark_failed')
  assert.deepEqual(told(await fail(await addStaff(stack), id)), ['executed', 'failed', null])
})

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
