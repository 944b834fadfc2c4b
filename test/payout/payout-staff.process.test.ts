import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { payoutMoves, type PayoutStatus } from '../../domain/payout/payout.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import type { Reply } from '../support/merchant.ts'
import { isRefusal, withPayments } from '../support/payment-actions.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const hour = 3_600_000

const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)
const ada = await addStaff(stack)
const ben = await addStaff(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '1000000000.00', 'NGN')
const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
const good = await addDestination(stack, owner, { ends: lastFour.completes })

const small = '1000.00' // about 60 US cents
const large = '2000000.00' // 1,250 US dollars: two people decide

/** A payout whose rail has not answered for some hours. */
async function stuck(amount = small, afterMs = 2 * hour): Promise<string> {
  const { id } = await stack.merchant.payOut(silent, { amount })
  await waits(id)
  if (afterMs) await stack.skip(afterMs)
  await waits(id)
  return id
}
async function held(): Promise<string> {
  const { id } = await stack.merchant.payOut(good, { reference: 'sandbox_hold' })
  await waits(id)
  return id
}
async function waits(id: string): Promise<void> {
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
}
const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('payout', id)
}
const statusOf = async (id: string) => (await stack.merchant.getPayout(id)).status
const attributesOf = async (id: string) =>
  JSON.stringify((await stack.client.workflow.getHandle(`payout/${id}`).describe()).typedSearchAttributes.getAll())
const stateOf = ({ status, body, text }: Reply) => {
  assert.equal(status, 200, text)
  return String(body['state'])
}
const audited = async (id: string) =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [id])).map(
    ({ action }) => action,
  )

test('a held payout waits for a reviewer, is overdue after a day, escalated after three, and still sent', async () => {
  const id = await held()
  assert.equal((await stack.merchant.getPayout(id))['hold_reason'], 'test reference `sandbox_hold`')
  assert.match(await attributesOf(id), /"pending".*"reviewer"/)
  await stack.skip(25 * hour)
  await waits(id)
  assert.match(await attributesOf(id), /"overdue"/)
  await stack.skip(48 * hour)
  await waits(id)
  assert.match(await attributesOf(id), /"escalated"/)
  const [review] = await stack.sql<{ reminded_at: Date; escalated_at: Date }>(
    'select reminded_at, escalated_at from reviews where resource_id = ?',
    [id],
  )
  assert.ok(review?.reminded_at && review.escalated_at)
  assert.equal((await ada.onPayout(id, 'review', { decision: 'approve' })).status, 200)
  assert.equal(await finished(id), 'completed')
  const length = await stack.historyLength('payout', id)
  assert.ok(length <= 45, `${length} events`)
})

test('CONFLICT: the opposite decision is refused, and the same one again is 200 and changes nothing', async () => {
  const id = await held()
  const reject = { decision: 'reject', reason: 'Nobody has ordered this' }
  const { body } = await ada.onPayout(id, 'review', reject)
  assert.deepEqual([body['status'], body['status_reason']], ['rejected', 'Nobody has ordered this'])
  assert.equal(body['failure_reason'], null, 'as it has not failed')
  assert.equal(await finished(id), 'rejected')
  for (const who of [ada, ben]) {
    assert.equal((await who.onPayout(id, 'review', reject)).status, 200)
    await waits(id)
    assertError(await who.onPayout(id, 'review', { decision: 'approve' }), 409, 'CONFLICT')
    await waits(id)
  }
  assert.equal(await statusOf(id), 'rejected')
  assert.deepEqual(await audited(id), ['payout.rejected'])
  const events = await stack.sql('select type from events where resource_id = ? order by sequence', [id])
  assert.deepEqual(events, [{ type: 'payout.created' }, { type: 'payout.failed' }])
})

test('of the opposite decisions of two reviewers at once, one counts', async () => {
  const id = await held()
  const replies = await Promise.all([
    ada.onPayout(id, 'review', { decision: 'approve' }),
    ben.onPayout(id, 'review', { decision: 'reject', reason: 'No' }),
  ])
  const winners = replies.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1, replies.map(({ text }) => text).join())
  const decided = winners[0] === replies[0] ? 'completed' : 'rejected'
  assert.equal(await finished(id), decided)
})

test('a reason is required to reject a payout, and for every operator action', async () => {
  const id = await held()
  assertFieldErrors(await ada.onPayout(id, 'review', { decision: 'reject' }), { reason: 'value_error.missing' })
  for (const what of ['retry', 'mark-failed']) {
    assertFieldErrors(await ada.onPayout(id, what, {}), { reason: 'value_error.missing' })
    assertFieldErrors(await ada.onPayout(id, what, { reason: '  ' }), { reason: 'value_error.format' })
  }
  assertFieldErrors(await ada.onPayout(id, 'mark-settled', { reason: 'r' }), { proof_ref: 'value_error.missing' })
  await ada.onPayout(id, 'review', { decision: 'reject', reason: 'No' })
  await finished(id)
})

test('a stuck payout is listed with what it waits for, the longest wait first', async () => {
  const [older, newer] = [await stuck(), await stuck(small, 0)]
  const read = async (query: string) => (await ada.call('GET', `/api/v1/admin/stuck${query}`)).body
  const idsOf = async (query: string) =>
    ((await read(query))['items'] as unknown as { id: string }[]).map(({ id }) => id)
  assert.deepEqual(await idsOf('?resource=payout'), [older])
  assert.deepEqual(await idsOf('?resource=payout&older_than=100000'), [])
  assert.deepEqual(await idsOf('?resource=refund'), [])
  const [item] = (await read(''))['items'] as unknown as Record<string, unknown>[]
  assert.deepEqual(
    [item?.['resource'], item?.['status'], item?.['amount'], item?.['process_id'], item?.['proposed_action']],
    ['payout', 'processing', '1000.00', `payout/${older}`, null],
  )
  assertFieldErrors(await ada.call('GET', '/api/v1/admin/stuck?older_than=0'), { older_than: 'value_error.range' })
  for (const id of [older, newer]) {
    assert.equal(stateOf(await ada.onPayout(id, 'mark-failed', { reason: 'The bank knows nothing' })), 'executed')
    assert.equal(await finished(id), 'failed')
  }
})

test('above the limit a second person must agree: the first one alone does not count, nor another proof', async () => {
  const id = await stuck(large)
  const settle = { reason: 'On the statement', proof_ref: 'STATEMENT-7' }
  for (const who of [ada, ada]) {
    assert.equal(stateOf(await who.onPayout(id, 'mark-settled', settle)), 'awaiting_second_approval')
    assert.equal(await statusOf(id), 'processing')
  }
  const { body } = await ben.call('GET', '/api/v1/admin/stuck?resource=payout')
  assert.equal((body['items'] as unknown as Record<string, unknown>[])[0]?.['proposed_action'], 'mark_settled')
  assertError(await ben.onPayout(id, 'mark-settled', { ...settle, proof_ref: 'OTHER' }), 409, 'CONFLICT')
  const done = await ben.onPayout(id, 'mark-settled', settle)
  assert.equal(stateOf(done), 'executed')
  assert.deepEqual([done.body['proposed_by'], done.body['approved_by']], [ada.id, ben.id])
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await audited(id), [
    'payout.mark_settled_proposed',
    'payout.mark_settled_approved',
    'payout.mark_settled_executed',
  ])
})

test('the limit for a second approval is configuration: if it is 0, a small payout needs two people too', async (t) => {
  const { config } = stack.services
  const usual = config.secondApprovalAboveUsd
  t.after(() => Object.assign(config, { secondApprovalAboveUsd: usual }))
  Object.assign(config, { secondApprovalAboveUsd: '0' })
  const id = await stuck(small)
  const settle = { reason: 'On the statement', proof_ref: 'STATEMENT-8' }
  assert.equal(stateOf(await ada.onPayout(id, 'mark-settled', settle)), 'awaiting_second_approval')
  assert.equal(stateOf(await ben.onPayout(id, 'mark-settled', settle)), 'executed')
  assert.equal(await finished(id), 'completed')
})

test('a retry gives the rail the same order, and a payout marked as failed is never sent later', async () => {
  const id = await stuck(large)
  assert.equal(stateOf(await ada.onPayout(id, 'retry', { reason: 'It may be lost' })), 'executed')
  await waits(id)
  const simulated = async () =>
    (await stack.sql('select status, orders, executions from simulated_payouts where payout_id = ?', [id]))[0]
  assert.deepEqual(await simulated(), { status: 'processing', orders: 2, executions: 0 })
  assert.equal(await statusOf(id), 'processing')
  await ada.onPayout(id, 'mark-failed', { reason: 'The bank knows nothing' })
  assert.equal(stateOf(await ben.onPayout(id, 'mark-failed', { reason: 'I have asked too' })), 'executed')
  assert.equal(await finished(id), 'failed')
  assertError(await ada.onPayout(id, 'retry', { reason: 'r' }), 409, 'CONFLICT')
  // Like a worker that was frozen before it gave the order to the rail, and continues only now.
  const target = { type: 'bank_account', accountNumber: '9128340001' } as never
  const order = {
    environment: 'sandbox' as const,
    payoutId: id,
    target,
    amount: large,
    currency: 'NGN' as const,
    reference: null,
    simulatedOutcome: null,
  }
  await stack.deps.rails
    .in('sandbox')
    .paying('bank_account', 'NGN')
    .payOut(order, await stack.clock.now())
  assert.deepEqual(await simulated(), { status: 'cancelled', orders: 3, executions: 0 })
})

test('staff can change a payout only as its status allows: every other pair is refused', async () => {
  const inState: Record<PayoutStatus, () => Promise<string>> = {
    requested: () => ended({}, 'requested'),
    pending: held,
    approved: () => ended({}, 'approved'),
    processing: () => stuck(),
    rejected: async () => {
      const id = await held()
      await ada.onPayout(id, 'review', { decision: 'reject', reason: 'No' })
      await finished(id)
      return id
    },
    completed: () => ended({}),
    failed: () => ended({ simulated_outcome: 'failed' }),
  }
  async function ended(body: object, shownAs?: PayoutStatus): Promise<string> {
    const { id } = await stack.merchant.payOut(good, { ...body })
    await finished(id)
    // A status that lasts only a moment is written by hand; the row is restored below.
    if (shownAs) await stack.sql('update payouts set status = ?, completed_at = null where id = ?', [shownAs, id])
    return id
  }
  const acts = { 'mark-settled': 'completed', 'mark-failed': 'failed', retry: 'processing' } as const
  for (const [status, make] of Object.entries(inState) as [PayoutStatus, () => Promise<string>][]) {
    const id = await make()
    for (const [what, to] of Object.entries(acts) as [string, PayoutStatus][]) {
      const mayHappen = status === 'processing' && (to === 'processing' || payoutMoves[status].includes(to))
      if (mayHappen) continue // tested above
      assertError(await ada.onPayout(id, what, { reason: 'r', proof_ref: 'p' }), 409, 'CONFLICT')
      assert.equal(await statusOf(id), status, `${what} of ${status}`)
    }
    if (status !== 'pending') {
      const decision = { decision: status === 'rejected' ? 'approve' : 'reject', reason: 'r' }
      assertError(await ada.onPayout(id, 'review', decision), 409, 'CONFLICT')
    } else await ada.onPayout(id, 'review', { decision: 'reject', reason: 'No' })
    if (status === 'processing') await ada.onPayout(id, 'mark-failed', { reason: 'The bank knows nothing' })
    if (status === 'requested' || status === 'approved') {
      await stack.sql(`update payouts set status = 'completed', completed_at = updated_at where id = ?`, [id])
    }
    await finished(id)
  }
})

test('a decision that does not exist is refused, and the payout is decided all the same', async () => {
  const id = await held()
  const { about } = withPayments(stack)
  const order = { process: 'payout', resourceId: id, about } as const
  const unknown = stack.services.engine.update(order, 'decide', [newId('rvd', 0)], 'unknown')
  await assert.rejects(unknown, isRefusal('NOT_FOUND'))
  await ada.onPayout(id, 'review', { decision: 'reject', reason: 'No' })
  assert.equal(await finished(id), 'rejected')
})

test('an update whose argument is not an id is refused before it is in the history', async () => {
  const id = await held()
  const handle = stack.client.workflow.getHandle(`payout/${id}`)
  for (const [update, arg] of [
    ['decide', 'approve'],
    ['markFailed', 'because Ada said so'],
    ['markSettled', newId('pay', 0)],
    ['retry', 7],
  ] as const) {
    await assert.rejects(handle.executeUpdate(update, { args: [arg] }))
  }
  await settled(stack.client, 'payout', id)
  const { events } = await handle.fetchHistory()
  const accepted = events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes) ?? []
  assert.deepEqual(accepted, [])
  await ada.onPayout(id, 'review', { decision: 'reject', reason: 'No' })
  await finished(id)
})
