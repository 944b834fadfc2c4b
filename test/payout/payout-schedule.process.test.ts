import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { payoutScheduleActivities } from '../../activities/payout/schedule.ts'
import { processId } from '../../domain/processes.ts'
import type { Currency } from '../../domain/currency.ts'
import { lastFour } from '../support/payout.ts'
import {
  addDefault,
  credit,
  getSchedule,
  idOf,
  type MadePayout,
  type Payee,
  payoutsOf,
  setSchedule,
  stopAll,
} from '../support/payout-schedule.ts'
import { changeDestination, addCapability } from '../support/rows.ts'
import { settled } from '../support/settled.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// How schedules run, by the process's clock. How they are set is tested in test/payout/payout-schedule.test.ts.
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const stack = await useStack({ skipping: true })
const api = await useApi(stack, { limited: true })
afterEach(async () => {
  await quiet()
  await stopAll(stack)
  await assertInvariants(stack)
})

const handleOf = (id: string) => stack.client.workflow.getHandle(processId('payout-schedule', id))

/** Waits until the outbox is empty and every payout whose rail answers has ended. */
async function quiet(): Promise<void> {
  const open = `select p.id from payouts p join payout_destinations d on d.id = p.destination_id
    where p.status in ('requested', 'pending', 'approved', 'processing')
      and d.account_number not like '%${lastFour.neverAnswers}'`
  await stack.dispatched()
  for (let tries = 0; (await stack.sql(open)).length > 0; tries++) {
    assert.ok(tries < 60, 'a payout does not end')
    await stack.skip(2 * second)
    await stack.dispatched()
  }
}

/** Skips to a moment, and waits until what was due then is done. */
async function reach(moment: number): Promise<void> {
  await stack.skip(Math.max(0, moment - (await stack.clock.now())))
  await quiet()
}

/** Skips to just after the next run of a schedule, and returns when it was due. */
async function reachRun(payee: Payee, currency: Currency): Promise<string> {
  const due = (await getSchedule(payee, currency))['next_run_at'] ?? ''
  await stack.dispatched()
  await settled(stack.client, 'payout-schedule', idOf(payee, currency))
  await reach(Date.parse(due) + minute)
  return due
}

const payee = async (): Promise<Payee> => api.addMerchant()
const amounts = (payouts: MadePayout[]) => payouts.map(({ amount }) => amount)
const daily = { interval: 'daily' }

test('a run pays out all that is available, less the fee, with the same events as any payout', async () => {
  const who = await payee()
  const destination = await addDefault(stack, who, 'NGN')
  await credit(stack, who, 'NGN', '60000.00', await stack.clock.now())
  await credit(stack, who, 'NGN', '500.00', (await stack.clock.now()) + 40 * day)
  await setSchedule(who, 'NGN', daily)
  const due = await reachRun(who, 'NGN')
  const [payout, ...more] = await payoutsOf(stack, who, 'NGN')
  assert.deepEqual(more, [])
  assert.deepEqual([payout?.status, payout?.amount, payout?.debited], ['completed', '59950.00', '60000.00'])
  const schedule = await getSchedule(who, 'NGN')
  assert.equal(schedule['last_withdrawal_id'], payout?.id)
  assert.equal(schedule['last_run_at'], new Date(payout?.at ?? 0).toISOString())
  assert.ok(Date.parse(schedule['last_run_at'] ?? '') >= Date.parse(due))
  assert.equal(Date.parse(schedule['next_run_at'] ?? ''), Date.parse(due) + day)
  const events = await stack.sql<{ type: string }>('select type from events where resource_id = ? order by sequence', [
    payout?.id,
  ])
  assert.deepEqual(
    events.map(({ type }) => type),
    ['payout.created', 'payout.paid'],
  )
  const [row] = await stack.sql<{ to: string }>('select destination_id as to from payouts where id = ?', [payout?.id])
  assert.equal(row?.to, destination)
})

test('nothing is paid out below the schedule’s minimum, or below the least that a payout may be', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN')
  await credit(stack, who, 'NGN', '120.00', await stack.clock.now()) // less the fee it is below the least payout
  await setSchedule(who, 'NGN', daily)
  await reachRun(who, 'NGN')
  await setSchedule(who, 'NGN', { ...daily, minimum_amount: '1000.00' })
  await credit(stack, who, 'NGN', '879.99', await stack.clock.now())
  const due = await reachRun(who, 'NGN')
  const looked = await getSchedule(who, 'NGN')
  assert.deepEqual([looked['last_withdrawal_id'], looked['disabled_reason']], [null, null])
  assert.ok(Date.parse(looked['last_run_at'] ?? '') >= Date.parse(due))
  await credit(stack, who, 'NGN', '0.01', await stack.clock.now())
  await reachRun(who, 'NGN')
  assert.deepEqual(amounts(await payoutsOf(stack, who, 'NGN')), ['975.00'])
})

test('while the last payout is under way runs pay nothing out, and the next run after it pays it all', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN', lastFour.neverAnswers) // its bank never answers
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  await setSchedule(who, 'NGN', daily)
  await reachRun(who, 'NGN')
  const first = await getSchedule(who, 'NGN')
  await credit(stack, who, 'NGN', '2000.00', await stack.clock.now())
  for (let run = 0; run < 3; run++) await reachRun(who, 'NGN')
  const skipped = await getSchedule(who, 'NGN')
  assert.equal(skipped['last_withdrawal_id'], first['last_withdrawal_id'])
  assert.ok((skipped['last_run_at'] ?? '') > (first['last_run_at'] ?? ''), 'runs were made')
  assert.equal((await payoutsOf(stack, who, 'NGN')).length, 1)
  await settle(who, first['last_withdrawal_id'] ?? '')
  await reachRun(who, 'NGN')
  const [done, next] = await payoutsOf(stack, who, 'NGN')
  assert.deepEqual([done?.status, next?.amount], ['completed', '1975.00'])
  await settle(who, next?.id ?? '')
})

/** Makes the sandbox's bank confirm a payout. */
async function settle({ merchant }: Payee, payoutId: string): Promise<void> {
  const { status, text } = await merchant.call('POST', `/v1/test-helpers/payouts/${payoutId}/settle`, {})
  assert.equal(status, 200, text)
  await stack.dispatched()
  await stack.finished('payout', payoutId)
}

const ended = async (who: Payee): Promise<unknown> => {
  await stack.dispatched()
  return stack.finished('payout-schedule', idOf(who, 'NGN'))
}

for (const [reason, arrange] of Object.entries({
  no_default_destination: async () => undefined,
  async destination_not_usable(who: Payee) {
    const id = await addDefault(stack, who, 'NGN')
    await changeDestination(stack, id, { status: 'pending_review', reviewedAt: null })
  },
  async account_restricted(who: Payee) {
    await addDefault(stack, who, 'NGN')
    await addCapability(stack, { accountId: who.accountId, environment: 'sandbox' }, 'payouts', 'restricted')
  },
})) {
  test(`a run stops the schedule: ${reason}; sending the schedule again resumes it`, async () => {
    const who = await payee()
    await arrange(who)
    await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
    await setSchedule(who, 'NGN', daily)
    await reachRun(who, 'NGN')
    assert.equal(await ended(who), reason)
    const stopped = await getSchedule(who, 'NGN')
    assert.deepEqual([stopped['disabled_reason'], stopped['next_run_at']], [reason, null])
    assert.deepEqual(await payoutsOf(stack, who, 'NGN'), [])
    await stack.sql('delete from account_capabilities where account_id = ?', [who.accountId])
    const approve = `update payout_destinations set status = 'approved', reviewed_at = now() where account_id = ?`
    await stack.sql(approve, [who.accountId])
    await addDefault(stack, who, 'NGN')
    const { disabled_reason, next_run_at } = await setSchedule(who, 'NGN', daily)
    assert.equal(disabled_reason, null)
    assert.ok(next_run_at)
    await reachRun(who, 'NGN')
    assert.deepEqual(amounts(await payoutsOf(stack, who, 'NGN')), ['975.00'])
  })
}

test('a run by workers without a rail for the currency is skipped, and the next one pays it all', async (t) => {
  const who = await payee()
  await addDefault(stack, who, 'NGN')
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  await setSchedule(who, 'NGN', daily)
  const rails = stack.deps.rails.in('sandbox')
  const { paysOut } = rails
  t.after(() => Object.assign(rails, { paysOut }))
  Object.assign(rails, { paysOut: [] })
  const due = await reachRun(who, 'NGN')
  const skipped = await getSchedule(who, 'NGN')
  assert.deepEqual([skipped['disabled_reason'], skipped['last_withdrawal_id']], [null, null])
  assert.ok(Date.parse(skipped['last_run_at'] ?? '') >= Date.parse(due))
  Object.assign(rails, { paysOut })
  await reachRun(who, 'NGN')
  assert.deepEqual(amounts(await payoutsOf(stack, who, 'NGN')), ['975.00'])
})

test('three failed payouts in a row stop the schedule at once, and one that arrives resets the count', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN', lastFour.fails)
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  await setSchedule(who, 'NGN', daily)
  const { fails, completes } = lastFour
  for (const ends of [fails, fails, completes, fails, fails, fails]) {
    await addDefault(stack, who, 'NGN', ends)
    await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
    assert.equal((await getSchedule(who, 'NGN'))['disabled_reason'], null)
    await reachRun(who, 'NGN')
  }
  assert.deepEqual(
    (await payoutsOf(stack, who, 'NGN')).map(({ status }) => status),
    ['failed', 'failed', 'completed', 'failed', 'failed', 'failed'],
  )
  const stopped = await getSchedule(who, 'NGN')
  assert.deepEqual([stopped['disabled_reason'], stopped['next_run_at']], ['consecutive_failures', null])
  assert.equal(await ended(who), 'consecutive_failures')
  await setSchedule(who, 'NGN', daily)
  await reachRun(who, 'NGN')
  assert.equal((await getSchedule(who, 'NGN'))['disabled_reason'], null, 'another failure is the first of a new count')
  assert.equal((await payoutsOf(stack, who, 'NGN')).length, 7)
})

test('a waiting schedule takes up each change: an earlier run, manual payouts, and a schedule again', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN')
  const at = new Date((await stack.clock.now()) + 3 * hour).getUTCHours()
  await setSchedule(who, 'NGN', { ...daily, anchor_hour_utc: (at + 20) % 24 })
  await stack.dispatched()
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  const { next_run_at: sooner } = await setSchedule(who, 'NGN', { ...daily, anchor_hour_utc: at })
  await stack.dispatched()
  await reach((await stack.clock.now()) + 4 * hour)
  assert.deepEqual(amounts(await payoutsOf(stack, who, 'NGN')), ['975.00'])
  assert.ok(Date.parse(sooner ?? '') <= ((await payoutsOf(stack, who, 'NGN'))[0]?.at ?? 0))
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  const first = await handleOf(idOf(who, 'NGN')).describe()
  const { next_run_at } = await setSchedule(who, 'NGN', { interval: 'manual' })
  assert.equal(next_run_at, null)
  assert.equal(await ended(who), 'manual')
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  await reach((await stack.clock.now()) + 3 * day)
  assert.equal((await payoutsOf(stack, who, 'NGN')).length, 1)
  await setSchedule(who, 'NGN', daily)
  await stack.dispatched()
  assert.notEqual((await handleOf(idOf(who, 'NGN')).describe()).runId, first.runId)
  await reachRun(who, 'NGN')
  assert.equal((await payoutsOf(stack, who, 'NGN')).length, 2)
})

test('a run makes one payout, however often it is repeated and whatever changes meanwhile', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN')
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  const { next_run_at } = await setSchedule(who, 'NGN', daily)
  await stack.dispatched()
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  const due = Date.parse(next_run_at ?? '')
  const { runSchedule } = payoutScheduleActivities(stack.deps)
  const id = idOf(who, 'NGN')
  assert.equal((await runSchedule(id, due, due - 1)).nextRunAt, due, 'not before its time')
  assert.equal((await runSchedule(id, due - day, due)).nextRunAt, due, 'not for another moment')
  await handleOf(id).terminate()
  await stack.skip(due + minute - (await stack.clock.now()))
  const at = await stack.clock.now()
  // Sending the schedule starts its process again, and that process makes the run too.
  await Promise.all([
    ...Array.from({ length: 5 }, () => runSchedule(id, due, at)),
    ...[1, 2, 3].map((n) => setSchedule(who, 'NGN', { ...daily, minimum_amount: `${n}.00` })),
  ])
  await quiet()
  const [payout, ...more] = await payoutsOf(stack, who, 'NGN')
  assert.deepEqual([payout?.amount, more], ['975.00', []])
  const schedule = await getSchedule(who, 'NGN')
  assert.equal(schedule['last_withdrawal_id'], payout?.id)
  assert.equal(Date.parse(schedule['next_run_at'] ?? ''), due + day)
  assert.equal((await runSchedule(id, due, at)).nextRunAt, due + day)
})

test('one run makes up for missed ones, and a run that is due stays due when the schedule is sent again', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN')
  const { next_run_at: missed } = await setSchedule(who, 'NGN', daily)
  await stack.dispatched()
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  await handleOf(idOf(who, 'NGN')).terminate()
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  await stack.skip(5 * day)
  const again = await setSchedule(who, 'NGN', daily)
  assert.equal(again['next_run_at'], missed)
  await stack.dispatched()
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  await quiet()
  const [payout, ...more] = await payoutsOf(stack, who, 'NGN')
  assert.deepEqual([payout?.status, more], ['completed', []])
  const { next_run_at } = await getSchedule(who, 'NGN')
  assert.ok(Date.parse(next_run_at ?? '') > (await stack.clock.now()))
})

test('a connected account is paid from its own balance to its own destination', async () => {
  const platform = await payee()
  const connected = await api.addConnected(platform.accountId)
  const who = { accountId: connected, merchant: platform.merchant }
  await addDefault(stack, platform, 'NGN')
  await addDefault(stack, who, 'NGN')
  await credit(stack, platform, 'NGN', '7000.00', await stack.clock.now())
  await credit(stack, who, 'NGN', '1000.00', await stack.clock.now())
  const { next_run_at } = await setSchedule(who, 'NGN', daily, { 'x-account-id': connected })
  await stack.dispatched()
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  await reach(Date.parse(next_run_at ?? '') + minute)
  assert.deepEqual(amounts(await payoutsOf(stack, who, 'NGN')), ['975.00'])
  assert.deepEqual(await payoutsOf(stack, platform, 'NGN'), [])
})

test('its summary says what it waits for, and it continues in a new run before its history grows long', async () => {
  const who = await payee()
  await addDefault(stack, who, 'NGN')
  const { next_run_at } = await setSchedule(who, 'NGN', { ...daily, minimum_amount: '5000' })
  await stack.dispatched()
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  const handle = handleOf(idOf(who, 'NGN'))
  const metadata = JSON.stringify(await handle.query('__temporal_workflow_metadata'))
  const sentence = 'to the default destination, if at least 5000.00 NGN is available.'
  assert.ok(metadata.includes(`Next payout of NGN on ${next_run_at} ${sentence}`), metadata)
  const { runId } = await handle.describe()
  await reach((await stack.clock.now()) + 40 * day)
  await settled(stack.client, 'payout-schedule', idOf(who, 'NGN'))
  const now = await handle.describe()
  assert.notEqual(now.runId, runId)
  assert.equal(now.status.name, 'RUNNING')
  assert.ok(now.historyLength < 250, `${now.historyLength} events`)
  const whole = await stack.client.workflow.getHandle(handle.workflowId, runId).describe()
  assert.ok(whole.historyLength < 250, `${whole.historyLength} events`)
})
