import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkflowNotFoundError } from '@temporalio/client'
import { webhookDeliveryActivities } from '../../activities/webhook/delivery.ts'
import type { Database, EntityManager } from '../../db/core/database.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { endpointsPath, type ShownDelivery, withEndpoints } from '../support/endpoints.ts'
import { untilIdle } from '../support/lose-process.ts'
import type { Merchant } from '../support/merchant.ts'
import { day, hour, minute } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// The receiver of a scenario: what it answers, what is sent to it, and what it leaves behind.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const real = await useReceiver()

type Happened = { at: string; resource_id: string; step: string; last_error: string | null }
type Ran = {
  clock_id: string
  steps: { status: string; error?: { error_code: string; detail: string } }[]
  events: { id: string; type: string }[]
  happened: Happened[]
}
const path = '/v1/test-helpers/scenarios'
const create = { create: { amount: '25.00', currency: 'USD' } }
const [begun, pay] = ['2030-01-01T00:00:00.000Z', { pay: {} }]
const at = (ms: number) => new Date(Date.parse(begun) + ms).toISOString()

async function run(by: Merchant, steps: object[], more: object = {}): Promise<Ran> {
  const { status, text, body } = await by.call('POST', path, { frozen_time: begun, steps, ...more })
  assert.equal(status, 200, text)
  const ran = body as unknown as Ran
  assert.deepEqual(
    ran.steps.filter((step) => step.status !== 'done'),
    [],
  )
  return ran
}

const ofDeliveries = ({ happened }: Ran) => happened.filter(({ resource_id }) => resource_id.startsWith('dlv_'))

/** The endpoint of a scenario that has just run, and its deliveries in the order of their events. */
async function endpointOf({ clock_id, events }: Ran, merchant: Merchant) {
  const [row] = await stack.sql<{ id: string }>('select id from webhook_endpoints where clock_id = ?', [clock_id])
  const id = row?.id ?? ''
  const place = new Map(events.map((event, index) => [event.id, index]))
  const placeOf = ({ event_id }: ShownDelivery) => place.get(event_id) ?? -1
  const deliveries = await withEndpoints(merchant).deliveries(id)
  return { id, deliveries: deliveries.toSorted((one, other) => placeOf(one) - placeOf(other)) }
}

const answersIn = (deliveries: ShownDelivery[]) =>
  deliveries.map(({ status, attempts }) => [status, ...attempts.map((each) => each.response_status ?? each.error)])

test('a delivery whose receiver is down is tried 1, 5, 15 and 60 minutes after each failure, and fails', async () => {
  const { merchant } = await api.addMerchant()
  const ran = await run(merchant, [{ receiver: { answers: 500, times: 5 } }, create, { wait: 'PT3H' }])
  const ladder = [0, 1, 6, 21, 81].map((minutes) => ['attempt', at(hour + minutes * minute), 'bad_status'])
  assert.deepEqual(
    ofDeliveries(ran).map(({ step, at: moment, last_error }) => [step, moment, last_error]),
    [...ladder, ['failed', at(hour + 81 * minute), null]],
  )
  const { deliveries } = await endpointOf(ran, merchant)
  assert.deepEqual(answersIn(deliveries), [['failed', 500, 500, 500, 500, 500]])
})

test('a delivery that is answered at once has one attempt, at the time of the clock, and no process', async () => {
  const { merchant } = await api.addMerchant()
  const ran = await run(merchant, [{ receiver: { answers: 200 } }, create, { wait: 'PT3H' }])
  assert.deepEqual(
    ofDeliveries(ran).map(({ step, at: moment }) => [step, moment]),
    [['attempt', at(hour)]],
  )
  const { deliveries } = await endpointOf(ran, merchant)
  assert.deepEqual(answersIn(deliveries), [['succeeded', 200]])
  const handle = stack.client.workflow.getHandle(`delivery/${deliveries[0]?.delivery_id}`)
  await assert.rejects(handle.describe(), WorkflowNotFoundError)
})

test('deliveries that are due at one time get the planned answers in the order of their events, then 200', async () => {
  const { merchant } = await api.addMerchant()
  const planned = [{ answers: 500 }, { answers: 'refused' }, { answers: 302 }, { answers: 'timeout', times: 2 }]
  const steps = [...planned.map((receiver) => ({ receiver })), create, pay, { wait: 'PT1H' }]
  const ran = await run(merchant, steps)
  const { deliveries } = await endpointOf(ran, merchant)
  assert.deepEqual(answersIn(deliveries), [
    ['succeeded', 500, 302, 'timeout', 200],
    ['succeeded', 'connection_refused', 'timeout', 200],
  ])
  const moments = ofDeliveries(ran).map(({ at: moment }) => (Date.parse(moment) - Date.parse(begun)) / minute)
  assert.deepEqual(moments, [0, 0, 1, 1, 6, 6, 21])
})

test('the same seed has the same bytes, however the workers come to the deliveries', async () => {
  const answers = [500, 200, 503, 404, 'timeout'].map((each) => ({ receiver: { answers: each } }))
  const body = { seed: 'same', steps: [...answers, create, pay, { refund: {} }, { wait: 'P2D' }] }
  const merchants = await Promise.all(Array.from({ length: 6 }, () => api.addMerchant()))
  const texts = await Promise.all(merchants.map(async ({ merchant }) => (await merchant.call('POST', path, body)).text))
  assert.match(texts[0] ?? '', /"attempt"/)
  assert.doesNotMatch(texts[0] ?? '', /"failed"/)
  assert.equal(new Set(texts).size, 1)
})

test('an endpoint that fails for 72 hours is warned about after 24, and later events are skipped', async () => {
  const { merchant } = await api.addMerchant()
  const steps = [{ receiver: { answers: 500, times: 10 } }, create, pay, { wait: 'P4D' }, create, pay]
  const ran = await run(merchant, steps)
  const { id, deliveries } = await endpointOf(ran, merchant)
  assert.deepEqual(
    ran.happened.filter(({ resource_id }) => resource_id === id).map(({ step, at: moment }) => [step, moment]),
    [
      ['warned', at(day)],
      ['disabled', at(3 * day)],
    ],
  )
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['failed', 'failed', 'skipped', 'skipped'],
  )
  const skipped = ofDeliveries(ran).filter(({ step }) => step === 'skipped')
  assert.deepEqual(
    skipped.map(({ at: moment }) => moment),
    [at(4 * day), at(4 * day)],
  )
})

test('nothing is sent over the network, also where the address would lead to somebody', async (t) => {
  const { merchant } = await api.addMerchant()
  const sent: string[] = []
  t.mock.method(stack.deps.webhooks, 'send', ({ url }: { url: string }) => {
    sent.push(url)
    throw new Error('no webhook may be sent')
  })
  const ran = await run(merchant, [{ receiver: { answers: 500, times: 3 } }, create, pay])
  const { id } = await endpointOf(ran, merchant)
  await stack.sql('update webhook_endpoints set url = ? where id = ?', [real.url, id])
  const advanced = await merchant.call('POST', `/v1/test-helpers/clocks/${ran.clock_id}/advance`, { by: 'PT1H' })
  assert.equal(advanced.status, 200, advanced.text)
  const { deliveries } = await endpointOf(ran, merchant)
  assert.deepEqual(answersIn(deliveries), [
    ['succeeded', 500, 500, 200],
    ['succeeded', 500, 200],
  ])
  assert.deepEqual([sent, real.received], [[], []])
})

test('the receiver gets only events of its own clock, and the account’s endpoints get theirs as before', async () => {
  const { merchant } = await api.addMerchant()
  const endpoints = withEndpoints(merchant)
  const own = await endpoints.add({ url: real.url })
  await merchant.chargeByCard()
  const ran = await run(merchant, [{ receiver: { answers: 200 } }, create, pay])
  const other = await run(merchant, [{ receiver: { answers: 404 } }, create, pay])
  const outside = await endpoints.happen()
  const { id, deliveries } = await endpointOf(ran, merchant)
  const idsOf = (list: ShownDelivery[]) => list.map(({ event_id }) => event_id)
  assert.deepEqual(
    idsOf(deliveries),
    ran.events.map((event) => event.id),
  )
  const told = await endpoints.event(outside)
  assert.deepEqual(
    told.deliveries.map(({ endpoint_id }) => endpoint_id),
    [own],
  )
  assert.ok(idsOf(await endpoints.deliveries(own)).includes(other.events[0]?.id ?? ''))
  const [one] = await endpoints.deliveries(own)
  assert.equal(JSON.stringify(other.happened).includes(one?.delivery_id ?? ''), false)

  const since = new Date(Date.now() - hour).toISOString()
  assertError(await merchant.call('POST', `${endpointsPath}/${id}/recover`, { since }), 409, 'CONFLICT')
  const resend = { endpoint_id: id }
  assertError(await merchant.call('POST', `/v1/webhooks/events/${outside}/resend`, resend), 409, 'CONFLICT')
  const toAll = await endpoints.resend(outside)
  assert.deepEqual(
    toAll.deliveries.map(({ endpoint_id }) => endpoint_id),
    [own],
  )
  assertError(await merchant.call('PATCH', `${endpointsPath}/${id}`, { url: real.url }), 409, 'CONFLICT')
})

test('receivers are not listed and do not count among the ten endpoints; each ends with its clock', async () => {
  const { merchant } = await api.addMerchant()
  const endpoints = withEndpoints(merchant)
  for (let count = 0; count < 9; count++)
    await endpoints.add({ url: 'https://example.com/hooks', events: ['payout.paid'] })
  const steps = [{ receiver: { answers: 500, times: 5 } }, create, pay]
  const [ran] = [await run(merchant, steps), await run(merchant, steps)]
  await endpoints.add({ url: 'https://example.com/hooks', events: ['payout.paid'] })
  await run(merchant, steps)
  const { items } = pageOf(await merchant.call('GET', `${endpointsPath}?limit=100`))
  assert.equal(items.length, 10)

  const { id, deliveries } = await endpointOf(ran, merchant)
  assert.equal(deliveries.filter(({ status }) => status === 'pending').length, 2)
  const gone = await merchant.call('DELETE', `/v1/test-helpers/clocks/${ran.clock_id}`)
  assert.equal(gone.status, 200, gone.text)
  for (const { delivery_id } of deliveries)
    assert.equal(await stack.finished('webhook-delivery', delivery_id), 'skipped')
  assertError(await merchant.call('GET', `${endpointsPath}/${id}`), 404, 'NOT_FOUND')
  const told = await endpoints.event(ran.events[0]?.id ?? '')
  const past = told.deliveries.find(({ endpoint_id }) => endpoint_id === id)
  assert.deepEqual([past?.status, past?.attempts.length], ['skipped', 1])
})

/** The database for a worker that stops at the end of its first transaction, before the commit. */
function stopsBeforeItsCommit(): Database {
  const { database } = stack.deps
  const em = new Proxy(database.orm.em, {
    get(target, name) {
      if (name === 'transactional') {
        return (work: (em: EntityManager) => Promise<unknown>, options: object) =>
          target.transactional(async (tx) => {
            await work(tx)
            await tx.flush()
            throw new Error('the worker has stopped')
          }, options)
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  return { ...database, orm: { em } as Database['orm'] }
}

test('an attempt takes one answer, if it is cut off and made again, and if two workers make it', async () => {
  const { merchant } = await api.addMerchant()
  const ran = await run(merchant, [{ receiver: { answers: 500 } }, { receiver: { answers: 502, times: 3 } }])
  const { id } = await endpointOf(ran, merchant)
  const sent = await merchant.call('POST', `${endpointsPath}/${id}/test`, {})
  const { delivery_id } = sent.body['delivery'] as unknown as ShownDelivery
  const attempted = async () => (await withEndpoints(merchant).deliveries(id))[0]?.attempts.length === 1
  await until(attempted, 'the first attempt is made')
  // Its process waits for the clock, so only this test makes the second attempt.
  await untilIdle(stack.client, 'webhook-delivery', delivery_id)
  await stack.sql('update deliveries set next_attempt_at = ? where id = ?', [begun, delivery_id])
  const attempt = (database: Database) =>
    webhookDeliveryActivities({ ...stack.deps, database }).attemptDelivery(delivery_id, 2, 0)
  const left = async () => {
    const sql = 'select simulated_answers as left from webhook_endpoints where id = ?'
    return (await stack.sql<{ left: object[] }>(sql, [id]))[0]?.left
  }
  await assert.rejects(attempt(stopsBeforeItsCommit()), /the worker has stopped/)
  assert.deepEqual(await left(), [{ answers: 502, times: 3 }])
  const { database } = stack.deps
  const made = await Promise.all([attempt(database), attempt(database), attempt(database)])
  assert.deepEqual(
    made.map(({ attempts }) => attempts),
    [2, 2, 2],
  )
  assert.deepEqual(await left(), [{ answers: 502, times: 2 }])
})

test('a live key is refused, a live endpoint can have no planned answers, and a key needs webhooks:write', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  const steps = [{ receiver: { answers: 500 } }]
  assertError(await live.merchant.call('POST', path, { steps }), 400, 'SIMULATION_NOT_ALLOWED')
  const id = await withEndpoints(live.merchant).add({ url: 'https://example.com/hooks' })
  await assert.rejects(
    stack.sql(`update webhook_endpoints set simulated_answers = '[]' where id = ?`, [id]),
    /webhook_endpoints_are_simulated_in_the_sandbox/,
  )
  await stack.sql(`update api_keys set scopes = '{test_helpers:write}' where account_id = ?`, [accountId])
  const { body } = await merchant.call('POST', path, { steps })
  assert.equal((body as unknown as Ran).steps[0]?.error?.error_code, 'FORBIDDEN')
})

test('VALIDATION_ERROR: wrong answers and times are named by their fields', async () => {
  const { merchant } = await api.addMerchant()
  const wrong = [{ answers: 199 }, { answers: 600 }, { answers: 'never' }, { answers: 500.5 }, { times: 2 }]
  const times = [0, 51, '5'].map((each) => ({ answers: 500, times: each }))
  const answer = await merchant.call('POST', path, {
    steps: [...wrong, ...times, 500].map((receiver) => ({ receiver })),
  })
  assertFieldErrors(answer, {
    'steps.0.receiver.answers': 'value_error.range',
    'steps.1.receiver.answers': 'value_error.range',
    'steps.2.receiver.answers': 'value_error.type',
    'steps.3.receiver.answers': 'value_error.type',
    'steps.4.receiver.answers': 'value_error.missing',
    'steps.5.receiver.times': 'value_error.range',
    'steps.6.receiver.times': 'value_error.range',
    'steps.7.receiver.times': 'value_error.type',
    'steps.8.receiver': 'value_error.type',
  })
})
