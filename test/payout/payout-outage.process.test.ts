import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { Refusal } from '../../domain/refusal.ts'
import { endow } from '../support/conversion.ts'
import { detailsOf } from '../support/details.ts'
import { addDestination, lastFour, moveDestination } from '../support/payout.ts'
import { endPayout, forget, sendRailNews } from '../support/rail-books.ts'
import { scriptPayouts } from '../support/scripted-payouts.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { loseProcess } from '../support/lose-process.ts'

// What happens to a payout whose rail is unavailable, has lost an order, or reports while the process ends.
const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true, dormant: [] })
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
const simulated = async (id: string) =>
  (await stack.sql('select status, orders, executions from simulated_payouts where payout_id = ?', [id]))[0]
/** A payout whose rail throws, `afterMs` after it was asked. */
async function unanswered(afterMs: number): Promise<string> {
  rails.rail.isUnavailable = true
  const { id } = await stack.merchant.payOut(good)
  await stack.dispatched()
  await until(() => rails.asked.length > 0, 'the rail was asked')
  await stack.skip(afterMs)
  return id
}

test('a payout whose rail throws for 30 hours is stuck after one, keeps asking, and is sent once', async () => {
  const id = await unanswered(3 * minute)
  await shows(id, /"processing".*"rail"/)
  await stack.skip(hour)
  await shows(id, /"stuck".*"operator"/)
  const askedBefore = rails.asked.length
  await stack.skip(29 * hour)
  // At least once in five minutes and ten seconds, by the engine's retries, which add nothing to the history.
  assert.ok(rails.asked.length - askedBefore > 300, `asked ${rails.asked.length - askedBefore} times`)
  const { historyLength } = await handleOf(id).describe()
  assert.ok(historyLength <= 45, `${historyLength} events`)
  assert.equal(await statusOf(id), 'processing')
  rails.rail.isUnavailable = false
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await simulated(id), { status: 'completed', orders: 1, executions: 1 })
  const { completed_at: completed, created_at: created } = await stack.merchant.getPayout(id)
  const tookMs = Date.parse(String(completed)) - Date.parse(String(created))
  assert.ok(tookMs > 30 * hour, `it arrived after ${tookMs / hour} hours`)
})

test('a decision is accepted while the rail throws, and the released payout is stuck after an hour', async () => {
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

test('staff can end a payout whose rail throws, and one that they marked as failed is not sent later', async () => {
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
  assert.deepEqual([await simulated(lost), await simulated(arrived)], [undefined, undefined])
})

test('a retry while the rail throws is accepted, and the order is sent again once the rail is back', async () => {
  const { id } = await stack.merchant.payOut(silent)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await stack.skip(2 * hour)
  rails.rail.isUnavailable = true
  const reply = await ada.onPayout(id, 'retry', { reason: 'It may be lost' })
  assert.deepEqual([reply.status, reply.body['state']], [200, 'executed'])
  await stack.skip(30 * minute)
  assert.deepEqual(await simulated(id), { status: 'processing', orders: 1, executions: 0 })
  rails.rail.isUnavailable = false
  await stack.skip(10 * minute)
  await until(async () => (await simulated(id))?.['orders' as never] === 2, 'the order is repeated')
  await stack.merchant.settlePayout(id)
  assert.equal(await finished(id), 'completed')
})

const order = async (id: string, what: 'hold' | 'release') =>
  assert.equal((await ada.onPayout(id, what, { reason: 'A test' })).status, 200)
/** A payout that its rail has taken, and about which it has news that it does not tell while it is unavailable. */
async function untold(isHeldFirst: boolean): Promise<string> {
  const { id } = await stack.merchant.payOut(silent)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  if (isHeldFirst) await order(id, 'hold')
  await endPayout(stack, id, 'completed')
  rails.answers([])
  rails.rail.isUnavailable = true
  await handleOf(id).signal('railAnswered')
  await until(() => rails.asked.length > 0, 'the rail was asked')
  await haveBegun(id, 'submit lookUp lookUp') // the question at once, and in the background
  return id
}

/** Skips time until exactly these orders (`submit`) and questions (`lookUp`) have begun, in this order. */
async function haveBegun(id: string, steps: string): Promise<void> {
  const namesOf = async () => {
    const { events = [] } = await handleOf(id).fetchHistory()
    const names = (events ?? []).map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? '')
    return names.flatMap((name) => /^(submit|lookUp)Payout$/.exec(name)?.[1] ?? []).join(' ')
  }
  await soon(async () => (await namesOf()) === steps, `${steps} have begun`)
}

/** Waits for 20 seconds at most, while time is skipped minute by minute, for tries that come after a pause. */
async function soon(holds: () => Promise<boolean>, what: string): Promise<void> {
  const isOrBecomes = async () => {
    if (await holds()) return true
    await stack.skip(minute)
    return holds()
  }
  await until(isOrBecomes, what, { withinMs: 20_000 })
}

for (const when of ['before', 'during'] as const) {
  test(`news ${when} a hold is asked for until the rail is back, and nothing is sent meanwhile`, async () => {
    const id = await untold(when === 'during')
    if (when === 'before') await order(id, 'hold')
    await stack.skip(12 * hour)
    const { historyLength } = await handleOf(id).describe()
    assert.ok(historyLength <= 45, `${historyLength} events`)
    rails.rail.isUnavailable = false
    await soon(async () => (await statusOf(id)) === 'completed', 'the answer is recorded')
    assert.equal((await simulated(id))?.['orders' as never], 1)
    assert.equal(await finished(id), 'completed')
  })
}

test('a payout marked as failed while its rail is asked about news is shown as contradicted by it', async () => {
  const id = await untold(false)
  const marked = await ada.onPayout(id, 'mark-failed', { reason: 'The rail is away' })
  assert.deepEqual([marked.status, marked.body['state']], [200, 'executed'])
  rails.rail.isUnavailable = false
  await stack.skip(6 * minute)
  assert.equal(await finished(id), 'contradicted')
  await endPayout(stack, id, 'failed') // as after our support has spoken with the provider’s
})

test('news that is not answered for is kept by a retry that a mark stops while it is tried at once', async () => {
  const id = await untold(false)
  assert.equal((await ada.onPayout(id, 'retry', { reason: 'It may be lost' })).status, 200)
  await haveBegun(id, 'submit lookUp lookUp submit')
  const marked = await ada.onPayout(id, 'mark-failed', { reason: 'The rail is away' })
  assert.deepEqual([marked.status, marked.body['state']], [200, 'executed'])
  await haveBegun(id, 'submit lookUp lookUp submit lookUp')
  rails.rail.isUnavailable = false
  assert.equal(await finished(id), 'contradicted')
  await endPayout(stack, id, 'failed')
})

for (const [tried, again] of [
  ['at once', 'submit'],
  ['in the background', 'submit submit'],
]) {
  test(`news that is not answered for is kept by a retry that a hold stops while it is tried ${tried}`, async () => {
    const id = await untold(false)
    const { status } = await ada.onPayout(id, 'retry', { reason: 'It may be lost' })
    assert.equal(status, 200)
    await haveBegun(id, `submit lookUp lookUp ${again}`)
    await order(id, 'hold')
    await haveBegun(id, `submit lookUp lookUp ${again} lookUp lookUp`)
    rails.rail.isUnavailable = false
    await soon(async () => (await statusOf(id)) === 'completed', 'the answer is recorded')
    assert.equal(await finished(id), 'completed')
  })
}

test('a question on hold that fails for good is asked again', async () => {
  const { id } = await stack.merchant.payOut(silent)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await order(id, 'hold')
  await endPayout(stack, id, 'completed')
  const sandbox = stack.deps.rails.in('sandbox')
  const { paying } = sandbox
  let failures = 0
  sandbox.paying = () => {
    failures += 1
    throw new Refusal('NOT_FOUND', 'an error of our own')
  }
  await handleOf(id).signal('railAnswered')
  await until(() => failures === 2, 'the question has failed at once and in the background')
  sandbox.paying = paying
  await soon(async () => (await statusOf(id)) === 'completed', 'the answer is recorded')
  assert.equal(await finished(id), 'completed')
})

test('an order that its rail has not answered is stopped by a hold, and given again after the release', async () => {
  const id = await unanswered(3 * minute)
  await haveBegun(id, 'submit submit') // at once, and in the background
  await order(id, 'hold')
  const isStopped = async () =>
    (await handleOf(id).fetchHistory()).events?.some((event) => event.activityTaskCancelRequestedEventAttributes) ===
    true
  await until(isStopped, 'the order is stopped', { withinMs: 20_000 })
  rails.rail.isUnavailable = false
  await order(id, 'release')
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await simulated(id), { status: 'completed', orders: 1, executions: 1 })
})

test('a release while a question goes on is kept, and the order is given again', async () => {
  const id = await untold(true)
  await order(id, 'release')
  await haveBegun(id, 'submit lookUp lookUp submit')
  rails.rail.isUnavailable = false
  assert.equal(await finished(id), 'completed')
})

/** Starts the process again, as after a loss of the engine's data. */
const restartProcess = (id: string) => beginAnew(stack, 'payout', 'payouts', id)

/** A payout whose order never reached the rail, and whose process is lost. */
async function forgotten(destination: string): Promise<string> {
  rails.rail.isUnavailable = true
  const { id } = await stack.merchant.payOut(destination)
  await stack.dispatched()
  await until(() => rails.asked.length > 0, 'the rail was asked')
  await loseProcess(stack.client, 'payout', id)
  rails.rail.isUnavailable = false
  return id
}

test('a process that starts with a payout under way repeats its order at once', async () => {
  const id = await forgotten(good)
  await restartProcess(id)
  await stack.dispatched()
  await until(async () => (await statusOf(id)) === 'completed', 'it is sent without a wait')
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await simulated(id), { status: 'completed', orders: 1, executions: 1 })
})

test('a restarted process does not repeat an order to a destination that was restated since', async () => {
  const destination = await addDestination(stack, owner, { ends: '5678' })
  const id = await forgotten(destination)
  await moveDestination(stack, owner, destination, '9128340001')
  await restartProcess(id)
  assert.equal(await finished(id), 'failed')
  assert.deepEqual(await simulated(id), { status: 'cancelled', orders: 0, executions: 0 })
})

test('a process that starts with a payout whose review was escalated shows the lead reviewer', async () => {
  const { id } = await stack.merchant.payOut(good, { reference: 'sandbox_hold' })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await stack.skip(73 * hour)
  await shows(id, /"escalated".*"lead reviewer"/)
  await loseProcess(stack.client, 'payout', id)
  await restartProcess(id)
  await settled(stack.client, 'payout', id)
  assert.match(await attributesOf(id), /"escalated".*"lead reviewer"/)
  assert.equal((await ada.onPayout(id, 'review', { decision: 'approve' })).status, 200)
  assert.equal(await finished(id), 'completed')
})

test('while a rail with news about a payout that has ended is away, staff read what is awaited', async () => {
  const { id } = await stack.merchant.payOut(good)
  assert.equal(await finished(id), 'completed')
  await endPayout(stack, id, 'returned')
  rails.answers([])
  rails.rail.isUnavailable = true
  await sendRailNews(stack, 'payout', id)
  await stack.dispatched()
  await until(() => rails.asked.length > 0, 'the rail was asked')
  assert.match(await detailsOf(stack.client, 'payout', id), /^The order has ended.* asked again at least every/)
  rails.rail.isUnavailable = false
  await stack.skip(6 * minute)
  assert.equal(await finished(id), 'returned')
})

test('a rail that does not know the order gets it again', async () => {
  rails.answers(['unknown'])
  const { id } = await stack.merchant.payOut(good)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await forget.payout(stack, id)
  await stack.skip(5 * minute + 5_000)
  await until(async () => (await statusOf(id)) === 'completed', 'the order is given again')
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await simulated(id), { status: 'completed', orders: 1, executions: 1 })
})

test('staff cannot mark as arrived a payout that the rail does not know: it is sent', async () => {
  rails.answers(['unknown'])
  const { id } = await stack.merchant.payOut(good)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await forget.payout(stack, id)
  const reply = await ada.onPayout(id, 'mark-settled', { reason: 'It must have arrived', proof_ref: 'P-1' })
  assert.equal(reply.status, 409)
  assert.equal(await finished(id), 'completed')
})

test('a bank’s return that arrives while an operator action is running is credited', async () => {
  const sandbox = stack.deps.rails.in('sandbox')
  const { paying } = sandbox
  const { id } = await stack.merchant.payOut(silent)
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  let release = () => undefined as void
  const gate = new Promise<void>((resolve) => (release = resolve))
  let questions = 0
  sandbox.paying = (type, currency) => ({
    ...paying(type, currency),
    async lookUpPayout(payoutId, at) {
      const answer = await paying(type, currency).lookUpPayout(payoutId, at)
      if (++questions === 1) await gate
      return answer
    },
  })
  const settling = ada.onPayout(id, 'mark-settled', { reason: 'On the statement', proof_ref: 'P-2' })
  await until(() => questions === 1, 'the rail is asked for the staff')
  await endPayout(stack, id, 'completed')
  await handleOf(id).signal('railAnswered')
  await until(async () => (await statusOf(id)) === 'completed', 'the rail’s own result is recorded')
  await endPayout(stack, id, 'returned')
  await handleOf(id).signal('railAnswered')
  release()
  assert.equal((await settling).status, 409)
  sandbox.paying = paying
  assert.equal(await finished(id), 'returned')
  assert.ok((await stack.merchant.getPayout(id))['returned_at'])
})
