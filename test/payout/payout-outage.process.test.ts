import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { endow } from '../support/conversion.ts'
import { addDestination, lastFour, moveDestination } from '../support/payout.ts'
import { endPayout, forget } from '../support/rail-books.ts'
import { scriptPayouts } from '../support/scripted-payouts.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/stack.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'
import { beginAnew } from '../support/begin-anew.ts'

// What becomes of a payout whose rail is unavailable, has lost an order, or tells something as the process ends.
const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true })
await useApi(stack)
const rails = scriptPayouts(stack)
const ada = await addStaff(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '1000000.00', 'NGN')
const good = await addDestination(stack, owner, { ends: lastFour.completes })
const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
afterEach(async () => {
  rails.rail.isUnavailable = false
  rails.answers([])
  await assertInvariants(stack)
})

const handleOf = (id: string) => stack.client.workflow.getHandle(`payout/${id}`)
const attributesOf = async (id: string) =>
  JSON.stringify((await handleOf(id).describe()).typedSearchAttributes.getAll())
const shows = (id: string, pattern: RegExp) => until(async () => pattern.test(await attributesOf(id)), String(pattern))
const statusOf = async (id: string) => (await stack.merchant.getPayout(id)).status
const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('payout', id)
}
const ledgerAccountOf = async (id: string) =>
  (await stack.sql('select status, orders, executions from simulated_payouts where payout_id = ?', [id]))[0]
/** A payout whose rail throws; `afterMs` later. */
async function unanswered(afterMs: number): Promise<string> {
  rails.rail.isUnavailable = true
  const { id } = await stack.merchant.payOut(good)
  await stack.dispatched()
  await until(() => rails.asked.length > 0, 'the rail was asked')
  await stack.skip(afterMs)
  return id
}

test('a rail that throws for 30 hours stops no clock: stuck after an hour, asked meanwhile, sent once', async () => {
  const id = await unanswered(3 * minute)
  await shows(id, /"processing".*"rail"/)
  await stack.skip(hour)
  await shows(id, /"stuck".*"operator"/)
  const askedBefore = rails.asked.length
  await stack.skip(29 * hour)
  // At least every five minutes and ten seconds, by the engine's own tries, which cost the history nothing.
  assert.ok(rails.asked.length - askedBefore > 300, `asked ${rails.asked.length - askedBefore} times`)
  const { historyLength } = await handleOf(id).describe()
  assert.ok(historyLength <= 45, `${historyLength} events`)
  assert.equal(await statusOf(id), 'processing')
  rails.rail.isUnavailable = false
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await ledgerAccountOf(id), { status: 'completed', orders: 1, executions: 1 })
})

test('a decision is taken while the rail throws, and what it lets go becomes stuck after an hour', async () => {
  rails.rail.isUnavailable = true
  const { id } = await stack.merchant.payOut(good, { reference: 'sandbox_hold' })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  assert.equal((await ada.onPayout(id, 'review', { decision: 'approve' })).status, 200)
  await stack.skip(hour + 5 * minute)
  await shows(id, /"stuck".*"operator"/)
  rails.rail.isUnavailable = false
  assert.equal(await finished(id), 'completed')
})

test('staff end a payout whose rail throws, on their word; and what they have failed is not sent later', async () => {
  const lost = await unanswered(2 * hour)
  const failing = await ada.onPayout(lost, 'mark-failed', { reason: 'The bank is closed and has nothing' })
  assert.deepEqual([failing.status, failing.body['state']], [200, 'executed'])
  const arrived = await unanswered(2 * hour)
  const proof = { reason: 'On the bank’s statement', proof_ref: 'STATEMENT-7' }
  const settling = await ada.onPayout(arrived, 'mark-settled', proof)
  assert.deepEqual([settling.status, settling.body['state']], [200, 'executed'])
  rails.rail.isUnavailable = false
  assert.equal(await finished(lost), 'failed')
  assert.equal(await finished(arrived), 'completed')
  await stack.skip(hour)
  assert.deepEqual([await ledgerAccountOf(lost), await ledgerAccountOf(arrived)], [undefined, undefined])
})

test('a retry while the rail throws is taken, and the order goes out as soon as the rail is back', async () => {
  const { id } = await stack.merchant.payOut(silent)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await stack.skip(2 * hour)
  rails.rail.isUnavailable = true
  const reply = await ada.onPayout(id, 'retry', { reason: 'It may be lost' })
  assert.deepEqual([reply.status, reply.body['state']], [200, 'executed'])
  await stack.skip(30 * minute)
  assert.deepEqual(await ledgerAccountOf(id), { status: 'processing', orders: 1, executions: 0 })
  rails.rail.isUnavailable = false
  await stack.skip(10 * minute)
  await until(async () => (await ledgerAccountOf(id))?.['orders' as never] === 2, 'the order is repeated')
  await stack.merchant.settlePayout(id)
  assert.equal(await finished(id), 'completed')
})

/** Starts the process anew, as after the loss of the engine's data. */
const restartProcess = (id: string) => beginAnew(stack, 'payout', 'payouts', id)

/** A payout whose order was lost on its way, and the engine's data with it. */
async function forgotten(destination: string): Promise<string> {
  rails.rail.isUnavailable = true
  const { id } = await stack.merchant.payOut(destination)
  await stack.dispatched()
  await until(() => rails.asked.length > 0, 'the rail was asked')
  await handleOf(id).terminate()
  rails.rail.isUnavailable = false
  return id
}

test('a process that begins with what is under way repeats the order at once', async () => {
  const id = await forgotten(good)
  await restartProcess(id)
  await stack.dispatched()
  await until(async () => (await statusOf(id)) === 'completed', 'it is sent without a wait')
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await ledgerAccountOf(id), { status: 'completed', orders: 1, executions: 1 })
})

test('begun anew, an order is not repeated to a destination that was restated since', async () => {
  const destination = await addDestination(stack, owner, { ends: '5678' })
  const id = await forgotten(destination)
  await moveDestination(stack, owner, destination, '9128340001')
  await restartProcess(id)
  assert.equal(await finished(id), 'failed')
  assert.deepEqual(await ledgerAccountOf(id), { status: 'cancelled', orders: 0, executions: 0 })
})

test('a rail that says that it has never had the order is given it again', async () => {
  rails.answers(['unknown'])
  const { id } = await stack.merchant.payOut(good)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await forget.payout(stack, id)
  await stack.skip(5 * minute + 5_000)
  await until(async () => (await statusOf(id)) === 'completed', 'the order is given again')
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await ledgerAccountOf(id), { status: 'completed', orders: 1, executions: 1 })
})

test('what a rail has never had is not settled by staff, but sent', async () => {
  rails.answers(['unknown'])
  const { id } = await stack.merchant.payOut(good)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await forget.payout(stack, id)
  const reply = await ada.onPayout(id, 'mark-settled', { reason: 'It must have arrived', proof_ref: 'P-1' })
  assert.equal(reply.status, 409)
  assert.equal(await finished(id), 'completed')
})

test('a bank’s return that is told while staff are still being answered is credited', async () => {
  const sandbox = stack.deps.rails.in('sandbox')
  const { paying } = sandbox
  const { id } = await stack.merchant.payOut(silent)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  let release = () => undefined as void
  const gate = new Promise<void>((resolve) => (release = resolve))
  let questions = 0
  sandbox.paying = (type) => ({
    ...paying(type),
    async lookUpPayout(payoutId, at) {
      const answer = await paying(type).lookUpPayout(payoutId, at)
      if (++questions === 1) await gate
      return answer
    },
  })
  const settling = ada.onPayout(id, 'mark-settled', { reason: 'On the statement', proof_ref: 'P-2' })
  await until(() => questions === 1, 'the rail is asked for the staff')
  await endPayout(stack, id, 'completed')
  await handleOf(id).signal('railAnswered')
  await until(async () => (await statusOf(id)) === 'completed', 'the rail’s own end is booked')
  await endPayout(stack, id, 'returned')
  await handleOf(id).signal('railAnswered')
  release()
  assert.equal((await settling).status, 409)
  sandbox.paying = paying
  assert.equal(await finished(id), 'returned')
  assert.ok((await stack.merchant.getPayout(id))['returned_at'])
})
