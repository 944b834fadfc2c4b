import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookDeliveryActivities } from '../../activities/webhook/delivery.ts'
import { webhookStaffActivities } from '../../activities/webhook/staff.ts'
import { processId } from '../../domain/processes.ts'
import { assertError } from '../support/api.ts'
import { addPastEvents, endpointsPath, eventsPath, withEndpoints } from '../support/endpoints.ts'
import type { Reply } from '../support/merchant.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { beginOnClock, hour } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiverForEachTest, useStack } from '../support/use-stack.ts'

// What a delivery on hold means for the rest: its merchant, its endpoint, recoveries and test clocks.
const receiver = useReceiverForEachTest()
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const ada = await addStaff(stack)

function executed({ status, body, text }: Reply): string {
  assert.equal(status, 200, text)
  assert.equal(body['state'], 'executed', text)
  return String(body['operator_action_id'])
}

type Row = { status: string; attempt_count: number; on_hold_since: string | null }
async function rowOf(id: string): Promise<Row | undefined> {
  const [row] = await stack.sql<Row>('select status, attempt_count, on_hold_since from deliveries where id = ?', [id])
  return row
}

/** A merchant with an endpoint whose one delivery has failed once, and is then put on hold. */
async function withHeld() {
  const { merchant, accountId } = await api.addMerchant()
  const calls = withEndpoints(merchant)
  receiver.answers([500])
  const endpoint = await calls.add({ url: receiver.url, events: ['refund.paid'] })
  const event = await calls.happen()
  const delivery = async () => (await calls.deliveries(endpoint)).at(-1)
  await until(async () => (await delivery())?.attempts.length === 1, 'the first attempt is made')
  const id = String((await delivery())?.delivery_id)
  const action = executed(await ada.onDelivery(id, 'hold'))
  return { ...calls, merchant, accountId, endpoint, event, id, action }
}

const released = async (id: string, status: string) => {
  executed(await ada.onDelivery(id, 'release'))
  assert.equal(await stack.finished('webhook-delivery', id), status)
  assert.deepEqual((await rowOf(id))?.on_hold_since, null)
}

test('CONFLICT: a merchant cannot resend the event of a delivery on hold to its endpoint, and reads why', async () => {
  const { merchant, add, ended, resend, endpoint, event, id } = await withHeld()
  const path = `${eventsPath}/${event}/resend`
  for (const body of [{}, { endpoint_id: endpoint }]) {
    const refused = await merchant.call('POST', path, body)
    assertError(refused, 409, 'CONFLICT')
    assert.match(refused.text, new RegExp(`${id}.*${endpoint} is on hold by the platform`))
  }
  const other = await add({ url: receiver.url, events: ['payout.paid'] })
  await resend(event, { endpoint_id: other })
  assert.deepEqual(
    (await ended(other)).map(({ status }) => status),
    ['succeeded'],
  )
  await released(id, 'succeeded')
  assert.equal((await merchant.call('POST', path, { endpoint_id: endpoint })).status, 200)
  await ended(endpoint)
})

for (const [what, turnOff] of [
  ['switched off', { method: 'PATCH', body: { enabled: false } }],
  ['deleted', { method: 'DELETE', body: undefined }],
] as const) {
  test(`a delivery on hold whose endpoint is ${what} ends as skipped once it is released, or as failed`, async () => {
    for (const end of ['skipped', 'failed']) {
      const { merchant, endpoint, id } = await withHeld()
      assert.equal((await merchant.call(turnOff.method, `${endpointsPath}/${endpoint}`, turnOff.body)).status, 200)
      assert.equal((await rowOf(id))?.status, 'pending')
      if (end === 'skipped') await released(id, 'skipped')
      else executed(await ada.onDelivery(id, 'mark-failed'))
      assert.equal(await stack.finished('webhook-delivery', id), end)
      assert.equal((await rowOf(id))?.attempt_count, 1)
    }
  })
}

test('a delivery that is put on hold just before it would be skipped stays on hold', async () => {
  const { change, endpoint, id } = await withHeld()
  await change(endpoint, { enabled: false })
  await stack.sql('update deliveries set on_hold_since = null where id = ?', [id])
  const clock = {
    async now() {
      await stack.sql('update deliveries set on_hold_since = now() where id = ?', [id])
      return Date.now()
    },
  }
  const seen = await webhookDeliveryActivities({ ...stack.deps, clock }).attemptDelivery(id, 2, Date.now())
  assert.partialDeepStrictEqual(seen, { status: 'pending', isOnHold: true })
  await released(id, 'skipped')
})

test('an order that reaches the process again after its answer changes nothing more', async () => {
  const { id, action } = await withHeld()
  await released(id, 'succeeded')
  const before = await rowOf(id)
  await webhookStaffActivities(stack.deps).carryOutOnDelivery(action, Date.now())
  assert.deepEqual(await rowOf(id), before)
})

test('an order about another delivery is refused by the process, and carried out on neither', async () => {
  const [one, other] = [await withHeld(), await withHeld()]
  const release = other.action.replace(/.{4}$/, '7777')
  await stack.sql(
    `insert into operator_actions (id, account_id, environment, delivery_id, action, state, reason, proposed_by,
       created_at, updated_at)
     select ?, account_id, environment, delivery_id, 'release', 'approved', reason, proposed_by, created_at, updated_at
     from operator_actions where id = ?`,
    [release, other.action],
  )
  const process = stack.client.workflow.getHandle(processId('webhook-delivery', one.id))
  await assert.rejects(process.executeUpdate('release', { args: [release] }), ({ cause }: Error) =>
    String(cause).endsWith('the action is about another resource'),
  )
  for (const { id } of [one, other]) assert.equal(typeof (await rowOf(id))?.on_hold_since, 'string')
  for (const { id } of [one, other]) await released(id, 'succeeded')
})

test('a retry that reaches the process after a hold is refused, and does not release the delivery', async () => {
  const { id, action } = await withHeld()
  const late = action.replace(/.{4}$/, 'late')
  await stack.sql(
    `insert into operator_actions (id, account_id, environment, delivery_id, action, state, reason, proposed_by,
       created_at, updated_at)
     select ?, account_id, environment, delivery_id, 'retry', 'approved', reason, proposed_by, created_at, updated_at
     from operator_actions where id = ?`,
    [late, action],
  )
  const { carryOutOnDelivery } = webhookStaffActivities(stack.deps)
  for (let tries = 0; tries < 2; tries++)
    await assert.rejects(carryOutOnDelivery(late, Date.now()), { code: 'CONFLICT', message: /on hold/ })
  assert.equal(typeof (await rowOf(id))?.on_hold_since, 'string')
  const [{ state } = {}] = await stack.sql<{ state?: string }>('select state from operator_actions where id = ?', [
    late,
  ])
  assert.equal(state, 'refused')
  await released(id, 'succeeded')
})

test('deliveries on hold that were never tried do not stop a recovery, which does not send them again', async () => {
  const { accountId, endpoint, event, recover, deliveries, ended, id } = await withHeld()
  await addPastEvents(stack, accountId, 2)
  const fillers = `endpoint_id = '${endpoint}' and event_id like 'evt_filler%'`
  await stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, trigger, created_at,
       on_hold_since)
     select 'dlv_' || gen_random_uuid(), ?, 'sandbox', 'evt_filler' || n, 'refund.paid', ?, 'recovery', now(), now()
     from generate_series(1, 60) n`,
    [accountId, endpoint],
  )
  const answer = await recover(endpoint, { since: new Date(Date.now() - hour).toISOString() })
  await stack.dispatched()
  assert.equal(await stack.finished('webhook-recovery', String(answer['recovery_id'])), 'completed')
  await stack.sql(`delete from deliveries where ${fillers}`)
  const sent = (await deliveries(endpoint)).filter(({ trigger }) => trigger === 'recovery')
  assert.equal(sent.length, 2)
  assert.ok(!sent.some(({ event_id }) => event_id === event))
  await released(id, 'succeeded')
  await ended(endpoint)
})

test('a delivery on hold does not hold back its test clock, and goes by the clock once it is released', async () => {
  const { merchant, clock, attach, advance } = await beginOnClock(api)
  const { add, deliveries } = withEndpoints(merchant)
  const endpoint_id = await add({ url: receiver.url, events: ['refund.paid'] })
  await attach({ endpoint_id })
  receiver.answers([500, 500])
  await merchant.call('POST', `${endpointsPath}/${endpoint_id}/test`, {})
  const made = async () => (await deliveries(endpoint_id))[0]?.attempts.length ?? 0
  await until(async () => (await made()) === 1, 'the first attempt is made')
  const id = String((await deliveries(endpoint_id))[0]?.delivery_id)
  executed(await ada.onDelivery(id, 'hold'))
  const { frozen_time } = await advance({ by: 'PT12H' })
  assert.equal(Date.parse(frozen_time) - Date.parse(clock.frozen_time), 12 * hour)
  assert.equal(await made(), 1)
  executed(await ada.onDelivery(id, 'release'))
  await until(async () => (await made()) === 2, 'the second attempt is made, while the clock stands still')
  await settled(stack.client, 'webhook-delivery', id)
  const [delivery] = await deliveries(endpoint_id)
  assert.equal(delivery?.next_attempt_at, new Date(Date.parse(frozen_time) + 300_000).toISOString())
  executed(await ada.onDelivery(id, 'retry'))
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.equal(receiver.received.length, 3)
})
