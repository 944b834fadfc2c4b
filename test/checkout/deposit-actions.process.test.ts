import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { eventsAbout } from '../support/resource-rows.ts'
import { depositActivities } from '../../activities/deposit.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { loseProcess } from '../support/lose-process.ts'
import { isRefusal, order, stateOf, withPayments } from '../support/payment-actions.ts'
import { restartLost } from '../support/restart-lost.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { depositInto, openAccount } from '../support/virtual-account.ts'

const [minute, day] = [60_000, 86_400_000]

const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)
const ada = await addStaff(stack)
const ben = await addStaff(stack)
const account = await openAccount(stack.merchant, 'ada@example.com')
const { about, approve, statusOf, statesOf, audited, lastActor, posted } = withPayments(stack)
const bank = stack.deps.rails.in('sandbox').virtualAccounts
const { lookUp } = bank
beforeEach(() => void (bank.lookUp = lookUp))

const isUnavailable = () => void (bank.lookUp = () => Promise.reject(new Error('the bank is unavailable')))
const send = (session_id: string, amount = '5000.00') => depositInto(stack.merchant, account, { amount, session_id })
const confirm = (sessionId: string) =>
  stack.sql('update simulated_deposits set is_final = true where session_id = ?', [sessionId])
const finished = (id: string) => stack.finished('deposit', id)
const eventsOf = (id: string) => eventsAbout(stack, id)
const waits = async (id: string) => {
  await stack.dispatched()
  await settled(stack.client, 'deposit', id)
}
const carryOut = (id: string, update: 'retry' | 'markSettled' | 'markFailed', actionId: string, updateId = actionId) =>
  stack.services.engine.update({ process: 'deposit', resourceId: id, about }, update, [actionId], updateId)

/** A transfer that the bank does not call final yet; returns its payment once the process only waits. */
async function held(sessionId: string, amount?: string): Promise<string> {
  await stack.sql('alter table simulated_deposits alter column is_final set default false')
  const { body, text } = await send(sessionId, amount)
  await stack.sql('alter table simulated_deposits alter column is_final set default true')
  assert.equal(body['status'], 'processing', text)
  const id = String(body['payment_id'])
  await waits(id)
  return id
}

test('a deposit marked as settled is posted with its notice’s amount, and the bank’s word posts no more', async () => {
  const id = await held('S1')
  assert.equal(stateOf(await ada.onPayment(id, 'mark-settled', order)), 'executed')
  assert.equal(await finished(id), 'settled')
  const { status, amount_received, payment_method_details } = await stack.merchant.getPayment(id)
  assert.deepEqual([status, amount_received], ['succeeded', '5000.00'])
  assert.equal((payment_method_details as unknown as { session_id: string }).session_id, 'S1')
  assert.deepEqual(await lastActor(id), ['operator', ada.id])
  await confirm('S1')
  await send('S1')
  await stack.dispatched()
  assert.deepEqual([await posted(id), await eventsOf(id)], [['settlement'], ['collection.succeeded']])
  assert.deepEqual(await audited(id), ['payment.mark_settled_ordered', 'payment.mark_settled_executed'])
})

test('the bank’s word counts for more: a contrary mark is refused, and a confirmed transfer is posted', async () => {
  const id = await held('R1')
  await confirm('R1')
  const failing = await ada.onPayment(id, 'mark-failed', order)
  assertError(failing, 409, 'CONFLICT')
  assert.match(failing.text, /the rail says: succeeded/)
  assert.equal(await finished(id), 'settled')
  assert.deepEqual([await statusOf(id), await lastActor(id)], ['succeeded', ['rail', null]])
  const unknown = await held('R2')
  bank.lookUp = () => Promise.resolve(null)
  const settling = await ada.onPayment(unknown, 'mark-settled', order)
  assertError(settling, 409, 'CONFLICT')
  assert.match(settling.text, /the rail says: not_found/)
  bank.lookUp = lookUp
  const other = await held('R3')
  await stack.sql(`update simulated_deposits set amount = 4000 where session_id = 'R3'`)
  assert.match((await ada.onPayment(other, 'mark-settled', order)).text, /the rail says: 4000.00 NGN/)
  for (const [refused, sessionId] of [
    [unknown, 'R2'],
    [other, 'R3'],
  ] as const) {
    assert.deepEqual([await statusOf(refused), await statesOf(refused)], ['processing', ['refused']])
    await confirm(sessionId)
    assert.equal(await finished(refused), 'settled')
  }
})

test('a retry asks the bank at once, and its answer is there when staff are answered', async () => {
  const id = await held('Q1')
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  assert.equal(await statusOf(id), 'processing')
  await waits(id)
  await confirm('Q1')
  const done = await ada.onPayment(id, 'retry', order)
  assert.deepEqual([stateOf(done), done.body['resource_status']], ['executed', 'succeeded'])
  assert.equal(await finished(id), 'settled')
})

test('an unavailable bank is asked beside the wait after a retry, and its answer ends the deposit', async () => {
  const id = await held('Q2')
  isUnavailable()
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  const at = await stack.clock.now()
  await confirm('Q2')
  bank.lookUp = lookUp
  assert.equal(await finished(id), 'settled')
  assert.ok((await stack.clock.now()) - at < 4 * minute, 'before its next poll')
})

test('an unavailable bank stops nobody: a deposit is marked as settled on the word of staff', async () => {
  const id = await held('U1')
  isUnavailable()
  await stack.skip(day) // a question is under way, between two tries
  assert.equal(stateOf(await ada.onPayment(id, 'mark-settled', order)), 'executed')
  assert.equal(await finished(id), 'settled')
  assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
})

test('a deposit is completed when the bank has answered, not when its process began to ask', async () => {
  const id = await held('U6')
  isUnavailable()
  await stack.skip(day) // the same question is tried all the time
  await confirm('U6')
  bank.lookUp = lookUp
  assert.equal(await finished(id), 'settled')
  const { completed_at: completed, created_at: created } = await stack.merchant.getPayment(id)
  const tookMs = Date.parse(String(completed)) - Date.parse(String(created))
  assert.ok(tookMs >= day, `it was completed after ${tookMs / minute} minutes`)
  const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [id])
  assert.equal(JSON.parse(event?.body ?? '').data.completed_at, completed)
})

test('a transfer that the bank has on another account stops nobody from marking the deposit as failed', async () => {
  const id = await held('A1')
  await confirm('A1')
  bank.lookUp = async (...question) => {
    const found = await lookUp(...question)
    return found && { ...found, accountNumber: '0000000000' }
  }
  assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
  assert.equal(await finished(id), 'failed')
  assert.deepEqual([await statusOf(id), await posted(id)], ['failed', []])
})

test('what an unavailable bank confirms of a deposit marked as failed is found without a notice', async () => {
  const id = await held('U2')
  isUnavailable()
  assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
  assert.equal(await statusOf(id), 'failed')
  await confirm('U2')
  bank.lookUp = lookUp
  assert.equal(await finished(id), 'settled')
  assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
})

test('what a bank that was away confirms of a failed deposit is found though its process is lost', async () => {
  const marked = await held('U4')
  isUnavailable()
  assert.equal(stateOf(await ada.onPayment(marked, 'mark-failed', order)), 'executed')
  bank.lookUp = lookUp
  const told = await held('U5')
  assert.equal(stateOf(await ada.onPayment(told, 'mark-failed', order)), 'executed')
  assert.equal(await finished(told), 'failed')
  isUnavailable()
  for (const sessionId of ['U4', 'U5']) {
    await confirm(sessionId)
    await send(sessionId)
  }
  await stack.dispatched()
  for (const id of [marked, told]) await loseProcess(stack.client, 'deposit', id)
  bank.lookUp = lookUp
  const lost = await restartLost(stack, 'deposit')
  assert.ok([marked, told].every((id) => lost.includes(id)))
  for (const id of [marked, told]) {
    assert.equal(await finished(id), 'settled')
    assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
  }
  assert.deepEqual(await restartLost(stack, 'deposit'), [])
})

test('a bank that was unavailable and has confirmed nothing ends a deposit marked as failed', async () => {
  const id = await held('U3')
  isUnavailable()
  assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
  bank.lookUp = lookUp
  assert.equal(await finished(id), 'failed')
  assert.deepEqual([await statusOf(id), await eventsOf(id)], ['failed', ['collection.failed']])
})

test('an action that a worker has carried out before it died is carried out once', async () => {
  const { carryOutOnDeposit } = depositActivities(stack.deps)
  const at = await stack.clock.now()
  const id = await held('W1')
  const action = await approve(id, 'mark_settled', ada.id)
  await carryOutOnDeposit(id, action, at) // its answer never arrives
  await carryOut(id, 'markSettled', action)
  assert.equal(await finished(id), 'settled')
  assert.deepEqual([await posted(id), await eventsOf(id)], [['settlement'], ['collection.succeeded']])
  const lost = await held('W2')
  const failing = await approve(lost, 'mark_failed', ada.id)
  await confirm('W2')
  await assert.rejects(carryOutOnDeposit(lost, failing, at), { code: 'CONFLICT' })
  await assert.rejects(carryOut(lost, 'markFailed', failing), isRefusal('CONFLICT'))
  assert.equal(await finished(lost), 'settled')
  assert.deepEqual(await statesOf(lost), ['refused'])
})

test('of opposite marks by two people at once, one counts; the same one again changes nothing', async () => {
  const id = await held('B1')
  const replies = await Promise.all([ada.onPayment(id, 'mark-settled', order), ben.onPayment(id, 'mark-failed', order)])
  const [isSettled, isFailed] = replies.map(({ status }) => status === 200)
  assert.notEqual(isSettled, isFailed, replies.map(({ text }) => text).join())
  const [same, other] = isSettled ? ['mark-settled', 'mark-failed'] : ['mark-failed', 'mark-settled']
  assert.equal(await finished(id), isSettled ? 'settled' : 'failed')
  for (const who of [ada, ben]) assert.equal(stateOf(await who.onPayment(id, String(same), order)), 'executed')
  assertError(await ben.onPayment(id, String(other), order), 409, 'CONFLICT')
  assert.deepEqual(await posted(id), isSettled ? ['settlement'] : [])
})

test('above the limit a second person must agree; every action needs a reason and a deposit that waits', async () => {
  const id = await held('L1', '2000000.00') // 1,250 US dollars
  const proposed = await ada.onPayment(id, 'mark-failed', order)
  assert.equal(stateOf(proposed), 'awaiting_second_approval')
  await assert.rejects(carryOut(id, 'markFailed', String(proposed.body['operator_action_id'])), isRefusal('CONFLICT'))
  await waits(id) // the process asks the bank after each refusal
  await assert.rejects(carryOut(id, 'retry', newId('opa', 0)), isRefusal('NOT_FOUND'))
  await waits(id)
  assert.equal(await statusOf(id), 'processing')
  assertFieldErrors(await ada.onPayment(id, 'retry', {}), { reason: 'value_error.missing' })
  const other = await held('L2')
  await assert.rejects(carryOut(id, 'retry', await approve(other, 'retry', ada.id)), isRefusal('NOT_FOUND'))
  assert.equal(stateOf(await ben.onPayment(id, 'mark-failed', order)), 'executed')
  assert.equal(await finished(id), 'failed')
  for (const what of ['retry', 'mark-settled']) assertError(await ada.onPayment(id, what, order), 409, 'CONFLICT')
  await confirm('L2')
  await until(async () => (await send('L2')).body['status'] === 'succeeded', 'the bank’s notice takes effect')
})
