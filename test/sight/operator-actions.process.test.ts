import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { conversionActivities } from '../../activities/conversion.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { detailsOf } from '../support/details.ts'
import { sendRailNews } from '../support/rail-books.ts'
import type { Reply } from '../support/merchant.ts'
import { done, ends, kinds, scriptedKinds, why, withOrdersAtRails } from '../support/orders-at-rails.ts'
import { isRefusal, withPayments } from '../support/payment-actions.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// What staff do about orders that a rail does not answer, for every kind of order.
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const stack = await useStack({ skipping: true })
await useApi(stack)
const [ada, ben] = [await addStaff(stack), await addStaff(stack)]
await endow(stack, stack.organizationId, '1000000.00')
await endow(stack, stack.organizationId, '1000000000.00', 'NGN')
const atRails = await withOrdersAtRails(stack)
const { scripted, open, stuck, waits, finished, processOf, attributesOf, endAtRail } = atRails
const { about } = withPayments(stack)
afterEach(async () => {
  for (const kind of scriptedKinds) scripted[kind].answers([])
  await assertInvariants(stack)
})

type Kind = (typeof kinds)[number]
const proof = { ...why, proof_ref: 'STATEMENT-7' }

const orders = (kind: Kind, id: string) =>
  stack.sql<Record<string, unknown>>(`select * from simulated_${kind}s where ${kind}_id = ?`, [id])
const timelineOf = async (kind: Kind, id: string) =>
  (await stack.merchant.call('GET', `/v1/${kind}s/${id}/timeline`)).body as unknown as Record<string, unknown> & {
    items: Record<string, unknown>[]
  }
/** Sends an update straight to a process, as whoever has access to the engine could. */
const tell = (kind: Kind, resourceId: string, update: 'retry' | 'markSettled' | 'markFailed', actionId: string) =>
  stack.services.engine.update({ process: kind, resourceId, about }, update, [actionId], newId('call', 0))
const audited = async (id: string) =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [id])).map(
    ({ action }) => action,
  )

for (const kind of kinds) {
  test(`a ${kind} marked as settled, with proof, ends as if its rail had said so, by an operator`, async () => {
    const id = await stuck(kind)
    const said = await detailsOf(stack.client, kind, id)
    assert.match(said, /retry, hold or mark it.* Waiting for the rail, until \S+Z, then the rail is asked again\.$/)
    assertFieldErrors(await ada.on(`${kind}s`, id, 'mark-settled', why), { proof_ref: 'value_error.missing' })
    assert.equal(done(await ada.on(`${kind}s`, id, 'mark-settled', proof)), `executed ${ends[kind]}`)
    assert.equal(await finished(kind, id), ends[kind])
    assert.equal(await detailsOf(stack.client, kind, id), `Closed: ${ends[kind]}. No action needed.`)
    const last = (await timelineOf(kind, id)).items.at(-1)
    assert.deepEqual([last?.['step'], last?.['actor']], [ends[kind], 'operator'])
    assert.ok(!JSON.stringify(last).includes(ada.id), 'merchants see no staff')
    // Again, also by another person, it changes nothing; the opposite is refused.
    assert.equal(done(await ben.on(`${kind}s`, id, 'mark-settled', proof)), `executed ${ends[kind]}`)
    for (const action of ['mark-failed', 'retry', 'hold', 'release'])
      assertError(await ada.on(`${kind}s`, id, action, why), 409, 'CONFLICT')
    assert.deepEqual(await audited(id), [`${kind}.mark_settled_ordered`, `${kind}.mark_settled_executed`])
  })

  test(`a ${kind} marked as failed gives the money back, once`, async () => {
    const id = await stuck(kind)
    const both = await Promise.all([ada, ben].map((who) => who.on(`${kind}s`, id, 'mark-failed', why)))
    assert.deepEqual(both.map(done), ['executed failed', 'executed failed'])
    assert.equal(await finished(kind, id), 'failed')
    const released = await stack.sql(
      `select kind from ledger_transactions where source_id = ? and kind like '%released'`,
      [id],
    )
    assert.equal(released.length, 1)
  })

  test(`a ${kind} above the limit is marked by two people, and retried or held by one`, async () => {
    const id = await stuck(kind, 1500)
    for (const who of [ada, ada])
      assert.equal(done(await who.on(`${kind}s`, id, 'mark-failed', why)), 'awaiting_second_approval processing')
    assert.equal(done(await ada.on(`${kind}s`, id, 'hold', why)), 'executed processing')
    assert.equal(done(await ada.on(`${kind}s`, id, 'release', why)), 'executed processing')
    assert.equal(done(await ada.on(`${kind}s`, id, 'retry', why)), 'executed processing')
    assert.equal(done(await ben.on(`${kind}s`, id, 'mark-failed', why)), 'executed failed')
    assert.equal(await finished(kind, id), 'failed')
  })

  test(`a ${kind}: a message about no action, or about a proposal, changes nothing and blocks nothing`, async () => {
    const id = await stuck(kind, 1500)
    const proposed = await ada.on(`${kind}s`, id, 'mark-failed', why)
    const proposal = String(proposed.body['operator_action_id'])
    await assert.rejects(tell(kind, id, 'retry', newId('opa', 0)), isRefusal('NOT_FOUND'))
    await assert.rejects(tell(kind, id, 'markFailed', proposal), isRefusal('CONFLICT'))
    assert.deepEqual(await audited(id), [`${kind}.mark_failed_proposed`])
    assert.equal(done(await ben.on(`${kind}s`, id, 'mark-failed', why)), 'executed failed')
    assert.equal(await finished(kind, id), 'failed')
  })

  test(`a ${kind}: a message about the action of another ${kind} changes nothing, and its end is its own`, async () => {
    const [id, other] = [await stuck(kind), await stuck(kind)]
    const marked = await ada.on(`${kind}s`, other, 'mark-settled', proof)
    assert.equal(done(marked), `executed ${ends[kind]}`)
    const action = String(marked.body['operator_action_id'])
    await assert.rejects(tell(kind, id, 'markSettled', action), isRefusal('NOT_FOUND'))
    assert.deepEqual(await audited(id), [])
    assert.equal(done(await ada.on(`${kind}s`, id, 'mark-failed', why)), 'executed failed')
    assert.deepEqual([await finished(kind, id), await finished(kind, other)], ['failed', ends[kind]])
  })

  test(`a ${kind} on hold is neither sent nor asked about, however long, and says for whom it waits`, async () => {
    const id = await stuck(kind)
    const [before] = await orders(kind, id)
    assert.equal(done(await ada.on(`${kind}s`, id, 'hold', why)), 'executed processing')
    assert.equal(done(await ben.on(`${kind}s`, id, 'hold', why)), 'executed processing') // it is on hold already
    assertError(await ada.on(`${kind}s`, id, 'retry', why), 409, 'CONFLICT')
    await waits(kind, id)
    assert.match(await attributesOf(kind, id), /"on_hold".*"operator"/)
    await stack.skip(10 * day)
    await waits(kind, id)
    assert.deepEqual(await orders(kind, id), [before])
    const { waiting_on, wakes_at, wake_reason } = await timelineOf(kind, id)
    assert.deepEqual([waiting_on, wakes_at, wake_reason], ['operator', null, 'release'])
    const { body } = await ada.call('GET', `/api/v1/admin/stuck?resource=${kind}`)
    const item = (body['items'] as unknown as Record<string, unknown>[]).find((one) => one['id'] === id)
    assert.deepEqual([item?.['waiting_on'], item?.['reason']], ['operator', 'release'])
    assert.equal(done(await ben.on(`${kind}s`, id, 'release', why)), 'executed processing')
    assert.equal(done(await ada.on(`${kind}s`, id, 'release', why)), 'executed processing') // it is released already
    await waits(kind, id)
    const after = (await orders(kind, id))[0]
    if (kind === 'payout') assert.equal(after?.['orders'], Number(before?.['orders']) + 1)
    assert.equal((await timelineOf(kind, id))['waiting_on'], 'rail')
    await endAtRail(kind, id)
    await sendRailNews(stack, kind, id)
    assert.equal(await finished(kind, id), ends[kind])
  })

  test(`a ${kind} on hold takes what its rail says by itself, and one marked as failed on hold ends`, async () => {
    const [told, failed] = [await stuck(kind), await stuck(kind)]
    for (const id of [told, failed]) await ada.on(`${kind}s`, id, 'hold', why)
    await endAtRail(kind, told)
    await sendRailNews(stack, kind, told)
    assert.equal(await finished(kind, told), ends[kind])
    assert.equal(done(await ada.on(`${kind}s`, failed, 'mark-failed', why)), 'executed failed')
    assert.equal(await finished(kind, failed), 'failed')
  })

  test(`a ${kind}: nobody but staff, no wrong id and no blank reason is listened to`, async () => {
    const id = await stuck(kind)
    const none = newId(kind === 'refund' ? 'ref' : kind === 'payout' ? 'pay' : 'cnv', 0)
    for (const action of ['retry', 'hold', 'release', 'mark-settled', 'mark-failed']) {
      const path = `/api/v1/admin/${kind}s/${id}/${action}`
      assert.equal((await stack.merchant.call('POST', path, proof)).status, 401)
      assertError(await ada.on(`${kind}s`, none, action, proof), 404, 'NOT_FOUND')
      assertFieldErrors(await ada.on(`${kind}s`, id, action, { ...proof, reason: ' ' }), {
        reason: 'value_error.format',
      })
    }
    assertError(await ada.on(`${kind}s`, id, 'release', why), 409, 'CONFLICT') // it is not on hold
    assert.deepEqual(await audited(id), [])
    await ada.on(`${kind}s`, id, 'mark-failed', why)
    assert.equal(await finished(kind, id), 'failed')
  })
}

// staff-rails.process.test.ts and payout-rails.process.test.ts say the same of refunds and payouts, on several rails.
test('a conversion: the rail’s word counts for more than a mark, and is recorded', async () => {
  const kind = 'conversion'
  const [arrived, lost] = [await stuck(kind), await stuck(kind)]
  await endAtRail(kind, arrived)
  assertError(await ada.on(`${kind}s`, arrived, 'mark-failed', why), 409, 'CONFLICT')
  assert.equal(await finished(kind, arrived), ends[kind])
  await endAtRail(kind, lost, 'failed')
  assertError(await ada.on(`${kind}s`, lost, 'mark-settled', proof), 409, 'CONFLICT')
  assert.equal(await finished(kind, lost), 'failed')
  const [item] = (await timelineOf(kind, lost)).items.slice(-1)
  assert.equal(item?.['actor'], 'rail')
  assert.equal((await audited(lost)).at(-1), `${kind}.mark_settled_refused`)
})

for (const kind of scriptedKinds) {
  test(`a ${kind} whose rail throws is held, retried at once, and marked while it is still being tried`, async () => {
    scripted[kind].answers(Array.from({ length: 500 }, () => 'no answer' as const))
    const id = await open[kind](10)
    await stack.dispatched()
    await until(async () => scripted[kind].asked.length > 3, 'the rail was tried')
    assert.equal(done(await ada.on(`${kind}s`, id, 'hold', why)), 'executed processing')
    await waits(kind, id)
    const tried = scripted[kind].asked.length
    await stack.skip(2 * day)
    assert.equal(scripted[kind].asked.length, tried, 'nothing is tried on hold')
    assert.equal(done(await ada.on(`${kind}s`, id, 'release', why)), 'executed processing')
    await until(async () => scripted[kind].asked.length > tried, 'it is tried again')
    await stack.skip(2 * hour)
    const waiting = scripted[kind].asked.length
    assert.equal(done(await ada.on(`${kind}s`, id, 'retry', why)), 'executed processing')
    await until(async () => scripted[kind].asked.length > waiting, 'it is tried at once', { withinMs: 5_000 })
    assert.equal(done(await ada.on(`${kind}s`, id, 'mark-failed', why)), 'executed failed')
    assert.equal(await finished(kind, id), 'failed')
  })

  test(`a ${kind}: what its rail says against our books after a mark is shown, and moves nothing`, async () => {
    scripted[kind].answers(['unknown'])
    const id = await stuck(kind)
    await ada.on(`${kind}s`, id, 'mark-failed', why)
    assert.equal(await finished(kind, id), 'failed')
    await endAtRail(kind, id)
    scripted[kind].answers(Array.from({ length: 500 }, () => 'no answer' as const))
    await sendRailNews(stack, kind, id)
    await stack.dispatched()
    await until(() => scripted[kind].asked.length > 0, 'the rail was asked')
    assert.match(await detailsOf(stack.client, kind, id), /^The order has ended.* asked again at least every/)
    scripted[kind].answers([])
    await stack.skip(6 * minute)
    await until(async () => (await finished(kind, id)) === 'contradicted', 'the process says so')
    assert.match(await attributesOf(kind, id), /"contradicted".*"operator"/)
    const [moved] = await stack.sql<{ count: number }>(
      `select count(*)::int from ledger_transactions where source_id = ? and kind not like '%hold'`,
      [id],
    )
    assert.equal(moved?.count, 1)
    await endAtRail(kind, id, 'failed') // as after our support has spoken with the provider’s
  })

  test(`a ${kind}: news during the last answer to staff is left alone until a release takes that change`, async () => {
    assert.equal(await atRails.announceDuringTheLastAnswer(kind, ada), 0)
  })
}

for (const kind of kinds) {
  test(`a ${kind}: a retry that its process receives after a hold is refused, and releases nothing`, async () => {
    const id = await stuck(kind)
    const held = String((await ada.on(`${kind}s`, id, 'hold', why)).body['operator_action_id'])
    const late = held.replace(/.{4}$/, '7777')
    await stack.sql(
      `insert into operator_actions (id, account_id, environment, ${kind}_id, action, state, reason, proposed_by,
         created_at, updated_at)
       select ?, account_id, environment, ${kind}_id, 'retry', 'approved', reason, proposed_by, created_at, updated_at
       from operator_actions where id = ?`,
      [late, held],
    )
    await assert.rejects(processOf(kind, id).executeUpdate('retry', { args: [late] }))
    const [row] = await stack.sql(`select on_hold_since is not null as held from ${kind}s where id = ?`, [id])
    assert.deepEqual(row, { held: true })
    assert.deepEqual(await stack.sql('select state from operator_actions where id = ?', [late]), [{ state: 'refused' }])
    await ada.on(`${kind}s`, id, 'mark-failed', why)
    assert.equal(await finished(kind, id), 'failed')
  })
}

test('an action that a worker makes again after its death is carried out once', async () => {
  const id = await stuck('conversion')
  const carryOut = async (ordered: Reply) =>
    conversionActivities(stack.deps).carryOutOnConversion(
      String(ordered.body['operator_action_id']),
      await stack.clock.now(),
    )
  const held = await ada.on('conversions', id, 'hold', why)
  const [row] = await stack.sql('select * from conversions where id = ?', [id])
  await stack.skip(minute)
  assert.equal(await carryOut(held), 'on_hold')
  assert.deepEqual(await stack.sql('select * from conversions where id = ?', [id]), [row])
  const failed = await ada.on('conversions', id, 'mark-failed', why)
  assert.equal(await finished('conversion', id), 'failed')
  assert.equal(await carryOut(failed), 'failed')
  assert.equal(await carryOut(held), 'failed', 'a hold that is made again after the end holds nothing')
  assert.deepEqual(
    (await audited(id)).filter((action) => action.endsWith('executed')),
    ['conversion.hold_executed', 'conversion.mark_failed_executed'],
  )
})
