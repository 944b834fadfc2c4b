import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { tsToMs } from '@temporalio/common/lib/time.js'
import { disputeActivities } from '../../activities/dispute/dispute.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { disputing } from '../support/dispute.ts'
import { type Reply, sale } from '../support/merchant.ts'
import { isRefusal, withPayments } from '../support/payment-actions.ts'
import { inActivity, keepWarnings } from '../support/in-activity.ts'
import { failingNetwork } from '../support/scripted-disputes.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// What staff do about disputes that a network does not decide.
const [hour, day] = [3_600_000, 86_400_000]
const stack = await useStack({ skipping: true, dormant: [] })
await useApi(stack)
const network = failingNetwork(stack)
const [ada, ben] = [await addStaff(stack), await addStaff(stack)]
const { merchant } = stack
const disputes = disputing(merchant)
const { about } = withPayments(stack)
await merchant.chargeByCard({ ...sale, amount: '30000.00' })
afterEach(async () => {
  network.heal()
  await assertInvariants(stack)
})

/** The network is unavailable, until it heals. */
function fail(): void {
  network.calls.length = 0
  Object.assign(network.faults, { submit: 'throws', accept: 'throws', lookUp: 'throws' })
}

const why = { reason: 'The network’s support says so' }
const proof = { ...why, proof_ref: 'LETTER-7' }

/** A dispute whose evidence the network has and does not decide about; its process only waits. */
async function undecided(amount = '25.00'): Promise<string> {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard({ ...sale, amount }))
  await disputes.change(id, { uncategorized_text: 'The customer has it.', submit: true })
  await until(async () => (await entryOf(id))?.['submissions'] === 1, 'the network has the evidence')
  await waits(id)
  return id
}
async function waits(id: string): Promise<void> {
  await stack.dispatched()
  await settled(stack.client, 'dispute', id)
}
const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('dispute', id)
}
const done = (reply: Reply) => {
  assert.equal(reply.status, 200, reply.text)
  return [reply.body['state'], reply.body['resource_status']].join(' ')
}
const act = (by: typeof ada, id: string, action: string, body: object = why) => by.on('disputes', id, action, body)
const attributesOf = async (id: string) =>
  JSON.stringify((await stack.client.workflow.getHandle(`dispute/${id}`).describe()).typedSearchAttributes.getAll())
const entryOf = async (id: string) =>
  (
    await stack.sql<Record<string, unknown>>(
      'select s.* from simulated_disputes s join disputes d on d.network_id = s.network_id where d.id = ?',
      [id],
    )
  )[0]
const decide = (id: string, status: string) =>
  stack.sql(
    'update simulated_disputes set status = ? where network_id = (select network_id from disputes where id = ?)',
    [status, id],
  )
/** As the network’s notice does, also to a process that has ended. */
async function sendNews(id: string): Promise<void> {
  await stack.sql(
    `insert into outbox (process, resource_id, signal, about)
     select 'dispute', id, '{"name":"networkAnswered","args":[]}',
       jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
         'waitingOn', 'rail', 'summary', 'news') from disputes where id = ?`,
    [id],
  )
  await stack.dispatched()
}
const kindsOf = async (id: string) =>
  (
    await stack.sql<{ kind: string }>('select kind from ledger_transactions where source_id = ? order by kind', [id])
  ).map(({ kind }) => kind)
const audited = async (id: string) =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [id])).map(
    ({ action }) => action,
  )
const timelineOf = async (id: string) =>
  (await merchant.call('GET', `/v1/disputes/${id}/timeline`)).body as unknown as { items: Record<string, unknown>[] }

test('marked as settled, with proof, a dispute is won: the amount comes back and the fee does not', async () => {
  const id = await undecided()
  assertFieldErrors(await act(ada, id, 'mark-settled'), { proof_ref: 'value_error.missing' })
  assert.equal(done(await act(ada, id, 'mark-settled', proof)), 'executed won')
  assert.equal(await finished(id), 'won')
  const { resolution } = await disputes.read(id)
  assert.equal(resolution, 'evidence')
  assert.deepEqual(await kindsOf(id), ['dispute_fee_hold', 'dispute_fee_paid', 'dispute_hold', 'dispute_released'])
  const last = (await timelineOf(id)).items.at(-1)
  assert.deepEqual([last?.['step'], last?.['actor']], ['won', 'operator'])
  assert.ok(!JSON.stringify(last).includes(ada.id), 'merchants see no staff')
  // Again, also by another person, it changes nothing; the opposite is refused.
  assert.equal(done(await act(ben, id, 'mark-settled', proof)), 'executed won')
  for (const action of ['mark-failed', 'retry']) assertError(await act(ada, id, action), 409, 'CONFLICT')
  assert.deepEqual(await audited(id), ['dispute.mark_settled_ordered', 'dispute.mark_settled_executed'])
  const length = await stack.historyLength('dispute', id)
  assert.ok(length <= 50, `${length} events`)
})

test('marked as failed by two people at once, a dispute is lost, and its amount leaves once', async () => {
  const id = await undecided()
  const both = await Promise.all([ada, ben].map((who) => act(who, id, 'mark-failed')))
  assert.deepEqual(both.map(done), ['executed lost', 'executed lost'])
  assert.equal(await finished(id), 'lost')
  assert.deepEqual(await kindsOf(id), ['dispute_fee_hold', 'dispute_fee_paid', 'dispute_hold', 'dispute_paid'])
})

test('the network’s word counts for more than a mark, and is recorded', async () => {
  const [lost, won, withdrawn] = [await undecided(), await undecided(), await undecided()]
  await decide(lost, 'lost')
  assertError(await act(ada, lost, 'mark-settled', proof), 409, 'CONFLICT')
  assert.equal(await finished(lost), 'lost')
  await decide(won, 'won')
  assertError(await act(ada, won, 'mark-failed'), 409, 'CONFLICT')
  assert.equal(await finished(won), 'won')
  assert.equal((await timelineOf(won)).items.at(-1)?.['actor'], 'rail')
  assert.deepEqual((await audited(won)).at(-1), 'dispute.mark_failed_refused')
  await decide(withdrawn, 'withdrawn')
  assert.equal(done(await act(ada, withdrawn, 'mark-settled', proof)), 'executed won')
  assert.equal((await disputes.read(withdrawn))['resolution'], 'withdrawn')
})

test('a retry asks the network now', async () => {
  const id = await undecided()
  assert.equal(done(await act(ada, id, 'retry')), 'executed under_review')
  await decide(id, 'won')
  assert.equal(done(await act(ben, id, 'retry')), 'executed won')
  assert.equal(await finished(id), 'won')
})

test('only a dispute under review can be marked; before, its network can be asked', async () => {
  const warned = (await disputes.raise(await merchant.chargeByCard(), { early_warning: true })).dispute_id
  const open = (await disputes.raise(await merchant.chargeByCard())).dispute_id
  for (const id of [warned, open]) {
    await waits(id)
    assertError(await act(ada, id, 'mark-settled', proof), 409, 'CONFLICT')
    assertError(await act(ada, id, 'mark-failed'), 409, 'CONFLICT')
    assert.match(done(await act(ada, id, 'retry')), /^executed (early_warning|needs_response)$/)
    assert.match(String((await disputes.read(id)).status), /^(early_warning|needs_response)$/)
    await decide(id, 'withdrawn')
    assert.equal(done(await act(ada, id, 'retry')), 'executed won')
    assert.equal(await finished(id), 'won')
    assert.equal((await disputes.read(id))['resolution'], 'withdrawn')
  }
})

test('above the limit a mark needs a second person, with the same proof', async () => {
  const id = await undecided('2000.00')
  assert.equal(done(await act(ada, id, 'mark-settled', proof)), 'awaiting_second_approval under_review')
  assert.equal(done(await act(ada, id, 'mark-settled', proof)), 'awaiting_second_approval under_review')
  assertError(await act(ben, id, 'mark-settled', { ...proof, proof_ref: 'ANOTHER' }), 409, 'CONFLICT')
  const [proposed] = await stack.sql<{ id: string }>(`select id from operator_actions where state = 'proposed'`)
  const tell = (update: 'retry' | 'markSettled', action: string) =>
    stack.services.engine.update({ process: 'dispute', resourceId: id, about }, update, [action], newId('call', 0))
  await assert.rejects(tell('markSettled', proposed?.id ?? ''), isRefusal('CONFLICT'))
  await assert.rejects(tell('retry', newId('opa', 0)), isRefusal('NOT_FOUND'))
  const { body } = await ada.call('GET', `/api/v1/admin/timelines/${id}`)
  assert.partialDeepStrictEqual(body, { actions: ['retry', 'mark_settled', 'mark_failed'], amount: '2000.00' })
  assert.equal(done(await act(ben, id, 'mark-settled', proof)), 'executed won')
  assert.equal(await finished(id), 'won')
  assert.deepEqual(await audited(id), [
    'dispute.mark_settled_proposed',
    'dispute.mark_settled_approved',
    'dispute.mark_settled_executed',
  ])
})

test('of a payment that waits for its dispute staff read what helps with the dispute', async () => {
  const id = await undecided()
  await stack.skip(2 * hour)
  const { payment_id: payment } = (await disputes.read(id)) as unknown as { payment_id: string }
  const { body } = await ada.call('GET', `/api/v1/admin/timelines/${payment}`)
  assert.match(String(body['helps']), /^Nothing to do: the network is asked again every day/)
  assert.equal(done(await act(ada, id, 'mark-failed')), 'executed lost')
})

test('a silent network stops nobody: a retry is taken up later, and a mark counts', async () => {
  fail()
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(id, { uncategorized_text: 'The customer has it.', submit: true })
  await until(() => network.calls.length > 0, 'the evidence is sent')
  const { body } = await ada.call('GET', '/api/v1/admin/stuck?resource=dispute&older_than=1&overdue_by=0')
  const item = (body['items'] as unknown as Record<string, unknown>[]).find((each) => each['id'] === id)
  assert.deepEqual([item?.['reason'], item?.['waiting_on']], ['network_notice', 'rail'])
  assert.match(String(item?.['helps']), /You can send it now \(retry\)/)
  assert.equal(done(await act(ada, id, 'retry')), 'executed under_review')
  network.heal()
  assert.equal(done(await act(ada, id, 'retry')), 'executed under_review')
  assert.equal((await entryOf(id))?.['submissions'], 1)
  fail()
  assert.equal(done(await act(ada, id, 'mark-failed')), 'executed lost')
  network.heal()
  assert.equal(await finished(id), 'lost')
})

test('evidence that takes long is sent once by a retry, and no try of its process overlaps another', async () => {
  fail()
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(id, { uncategorized_text: 'The customer has it.', submit: true })
  await until(() => network.calls.length > 0, 'the evidence is sent')
  await stack.skip(hour) // the next try comes after minutes
  network.heal()
  network.faults.submit = 'takes 4 s'
  assert.equal(done(await act(ada, id, 'retry')), 'executed under_review')
  assert.deepEqual([network.calls, (await entryOf(id))?.['submissions']], [['submit'], 1])
  const { events } = await stack.client.workflow.getHandle(`dispute/${id}`).fetchHistory()
  const steps = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: step }) => step ?? [])
  const limit = steps.find(({ activityType }) => activityType?.name === 'tellNetwork')?.startToCloseTimeout
  assert.ok(tsToMs(limit) > 2 * 60_000, 'longer than an upload may take')
  assert.equal(done(await act(ada, id, 'mark-failed')), 'executed lost')
  assert.equal(await finished(id), 'lost')
})

test('staff read in the engine what the network has not been told yet', async () => {
  fail()
  const { dispute_id: submitted } = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(submitted, { uncategorized_text: 'The customer has it.', submit: true })
  const { dispute_id: accepted } = await disputes.raise(await merchant.chargeByCard())
  await disputes.accept(accepted)
  const says = async (id: string, words: RegExp) => {
    const read = () => stack.client.workflow.getHandle(`dispute/${id}`).query('__temporal_workflow_metadata')
    await until(async () => words.test(JSON.stringify(await read())), `staff read: ${words.source}`)
  }
  await says(submitted, /has not reached the network yet.* Waiting for the rail/)
  await says(accepted, /is accepted, which the network does not know yet.* Waiting for the rail/)
  assert.match(await attributesOf(accepted), /"lost".*"rail"/)
  network.heal()
  assert.equal(await finished(accepted), 'lost')
  assert.match(await attributesOf(accepted), /"lost".*"nobody"/)
  await until(async () => (await entryOf(submitted))?.['submissions'] === 1, 'the network has the evidence')
  await says(submitted, /The evidence is with the network, which decides/)
  assert.equal(done(await act(ada, submitted, 'mark-failed')), 'executed lost')
  assert.equal(await finished(submitted), 'lost')
})

test('evidence that never reached the network is not sent after a mark', async () => {
  fail()
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(id, { uncategorized_text: 'winning_evidence', submit: true })
  await until(() => network.calls.length > 0, 'the evidence is sent')
  assert.equal(done(await act(ada, id, 'mark-settled', proof)), 'executed won')
  network.heal()
  assert.equal(await finished(id), 'won')
  assert.equal((await entryOf(id))?.['submissions'], 0)
  await decide(id, 'won') // as the network’s support has said
})

test('evidence that the network refuses while it waits for it stays due, and is received once', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  network.faults.submit = 'refuses'
  await disputes.change(id, { uncategorized_text: 'winning_evidence', submit: true })
  await until(() => network.orders.length > 1, 'the evidence is sent again')
  assert.deepEqual(await stack.sql('select status, rail_due from disputes where id = ?', [id]), [
    { status: 'under_review', rail_due: 'evidence' },
  ])
  network.heal()
  assert.equal(await finished(id), 'won')
  assert.equal((await entryOf(id))?.['submissions'], 1)
})

test('evidence that the network refuses until its deadline is due no more, and the network is asked', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await stack.skip(13 * day)
  network.faults.submit = 'refuses'
  await disputes.change(id, { uncategorized_text: 'winning_evidence', submit: true })
  await stack.skip(2 * day)
  assert.deepEqual(await stack.sql('select status, rail_due from disputes where id = ?', [id]), [
    { status: 'under_review', rail_due: null },
  ])
  const { warned, logger } = keepWarnings()
  await stack.sql(`update disputes set rail_due = 'evidence' where id = ?`, [id])
  await inActivity(disputeActivities(stack.deps), logger).tellNetwork(id, 0)
  assert.deepEqual(warned, ['the network has refused evidence until its deadline, and has none'])
  await decide(id, 'withdrawn')
  await sendNews(id)
  assert.equal(await finished(id), 'won')
})

test('an acceptance that the network has not taken is sent by a retry, after the end too', async () => {
  fail()
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await disputes.accept(id)
  await until(() => network.calls.length > 0, 'the network is told')
  assertError(await act(ada, id, 'mark-settled', proof), 409, 'CONFLICT')
  const calls = network.calls.length
  await until(() => network.calls.length > calls, 'a try has failed, and the next one waits for its pause')
  network.heal()
  assert.equal(done(await act(ada, id, 'retry')), 'executed lost')
  assert.equal((await entryOf(id))?.['status'], 'closed')
  assert.equal(await finished(id), 'lost')
  assertError(await act(ada, id, 'retry'), 409, 'CONFLICT')
})

test('an acceptance of a dispute that its buyer has withdrawn is lost, and shown to staff', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await settled(stack.client, 'dispute', id) // its network was asked when it was opened, and is not asked again
  await decide(id, 'withdrawn')
  assert.equal((await disputes.accept(id)).status, 'lost')
  assert.equal(await finished(id), 'contradicted')
  await decide(id, 'closed') // as after our support has spoken with the network’s
})

test('a retry of an acceptance shows staff that the network says the buyer has withdrawn', async () => {
  fail()
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  await disputes.accept(id)
  await until(() => network.calls.length > 0, 'the network is told')
  await decide(id, 'withdrawn')
  network.heal()
  const { status } = await act(ada, id, 'retry')
  assert.ok([200, 409].includes(status), 'the process may have been first')
  assert.equal(await finished(id), 'contradicted')
  await decide(id, 'closed') // as after our support has spoken with the network’s
})

test('what the network says against our books after a mark is shown, and moves nothing', async () => {
  const id = await undecided()
  assert.equal(done(await act(ada, id, 'mark-failed')), 'executed lost')
  assert.equal(await finished(id), 'lost')
  const before = await kindsOf(id)
  await decide(id, 'won')
  await sendNews(id)
  await until(async () => (await finished(id)) === 'contradicted', 'the process says so')
  assert.match(await attributesOf(id), /"contradicted".*"operator"/)
  assert.deepEqual(await kindsOf(id), before)
  assert.equal((await disputes.read(id)).status, 'lost')
  await decide(id, 'lost') // as after our support has spoken with the network’s
})

test('an action that a worker makes again after its death is carried out once', async () => {
  const id = await undecided()
  const again = async (ordered: Reply) =>
    disputeActivities(stack.deps).carryOutOnDispute(
      id,
      String(ordered.body['operator_action_id']),
      await stack.clock.now(),
    )
  const retried = await act(ada, id, 'retry')
  await stack.skip(hour)
  assert.equal((await again(retried)).snapshot.status, 'under_review')
  const failed = await act(ada, id, 'mark-failed')
  assert.equal(await finished(id), 'lost')
  assert.equal((await again(failed)).snapshot.status, 'lost')
  assert.equal((await again(retried)).snapshot.status, 'lost')
  assert.deepEqual(
    (await audited(id)).filter((action) => action.endsWith('executed')),
    ['dispute.retry_executed', 'dispute.mark_failed_executed'],
  )
})

test('a mark waits for a merchant who answers at the same moment, and nothing happens twice', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  const evidence = { uncategorized_text: 'The customer has it.', submit: true }
  const [submitted, marked] = await Promise.all([disputes.tryToChange(id, evidence), act(ada, id, 'mark-failed')])
  assert.equal(submitted.status, 200, submitted.text)
  assert.ok([200, 409].includes(marked.status), marked.text)
  if (marked.status === 409) await act(ada, id, 'mark-failed')
  assert.equal(await finished(id), 'lost')
})

test('nobody but staff, no wrong id and no blank reason is listened to', async () => {
  const id = await undecided()
  for (const action of ['retry', 'mark-settled', 'mark-failed']) {
    assert.equal((await merchant.call('POST', `/api/v1/admin/disputes/${id}/${action}`, proof)).status, 401)
    assertError(await act(ada, newId('dsp', 0), action, proof), 404, 'NOT_FOUND')
    const blank = await act(ada, id, action, { ...proof, reason: ' ' })
    assertFieldErrors(blank, { reason: 'value_error.format' })
  }
  for (const action of ['hold', 'release']) assert.equal((await act(ada, id, action)).status, 404)
  assert.deepEqual(await audited(id), [])
  await stack.skip(2 * day)
  await act(ada, id, 'mark-failed')
  assert.equal(await finished(id), 'lost')
})
