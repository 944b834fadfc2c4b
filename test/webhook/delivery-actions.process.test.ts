import assert from 'node:assert/strict'
import { beforeEach, test, type TestContext } from 'node:test'
import { newId } from '../../domain/id.ts'
import { targetOf } from '../../api/sight/action-targets.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import type { Reply } from '../support/merchant.ts'
import { isRefusal, withPayments } from '../support/payment-actions.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { addUser } from '../support/user.ts'
import { useApi, useReceiverForEachTest, useStack } from '../support/use-stack.ts'

// What staff do about webhook deliveries: retry, hold, release, give up.
const hour = 3_600_000
const receiver = useReceiverForEachTest() // closed before the invariants are checked
const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)
const ada = await addStaff(stack)
const ben = await addStaff(stack)
const { about } = withPayments(stack)
beforeEach(async () => {
  await stack.merchant.setWebhook(receiver.url)
})

type Row = { status: string; attempt_count: number; next_attempt_at: string | null; on_hold_since: string | null }

async function rowOf(id: string): Promise<Row> {
  const [row] = await stack.sql<Row>('select * from deliveries where id = ?', [id])
  assert.ok(row)
  return row
}

/** Sends a test event and returns the delivery’s id. */
async function send(): Promise<string> {
  await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.dispatched()
  const [row] = await stack.sql<{ id: string }>('select id from deliveries order by created_at desc, id desc limit 1')
  return row?.id ?? ''
}

const waits = (id: string) => settled(stack.client, 'webhook-delivery', id)

/** A delivery whose first attempt has failed, and which waits for the next one. */
async function failedOnce(then: number[] = []): Promise<string> {
  receiver.answers([500, ...then])
  const id = await send()
  await waits(id)
  assert.equal(receiver.received.length, 1)
  return id
}

const finished = (id: string) => stack.finished('webhook-delivery', id)
const attempts = () => receiver.received.map(({ headers }) => headers['x-service-attempt'])
const handleOf = (id: string) => stack.client.workflow.getHandle(`delivery/${id}`)
const attributesOf = async (id: string) =>
  JSON.stringify((await handleOf(id).describe()).typedSearchAttributes.getAll())

/** The body of an action that was carried out. */
function executed({ status, body, text }: Reply): Record<string, unknown> {
  assert.equal(status, 200, text)
  assert.equal(body['state'], 'executed', text)
  return body
}

/** Seconds from each attempt to the next. */
async function pauses(id: string): Promise<number[]> {
  const rows = await stack.sql<{ at: string }>(
    'select at from delivery_attempts where delivery_id = ? order by number',
    [id],
  )
  const times = rows.map(({ at }) => new Date(at).getTime())
  return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000)
}

const audited = async (id: string) =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [id])).map(
    ({ action }) => action,
  )

test('a retry makes the next attempt now, and the pauses after it are the usual ones', async () => {
  const id = await failedOnce([500])
  const body = executed(await ada.onDelivery(id, 'retry'))
  assert.deepEqual([body['resource'], body['resource_id']], ['webhook_delivery', id])
  await until(() => receiver.received.length === 2, 'the second attempt is made')
  assert.equal(await finished(id), 'succeeded')
  assert.deepEqual(attempts(), ['1', '2', '3'])
  const [toSecond = 60, toThird = 0] = await pauses(id)
  assert.ok(toSecond < 60 && toThird >= 300, `${toSecond} s, ${toThird} s`)
})

test('on hold nothing is sent for days; a release makes the next attempt at once, by its number', async () => {
  const id = await failedOnce([500])
  executed(await ada.onDelivery(id, 'hold'))
  await waits(id)
  assert.match(await attributesOf(id), /"on_hold".*"operator"/)
  await handleOf(id).signal('attemptNow')
  await stack.skip(48 * hour) // after 72 hours of failures the endpoint would be switched off
  await waits(id)
  assert.deepEqual(attempts(), ['1'])
  assert.equal((await rowOf(id)).next_attempt_at, null)
  const releasedAt = await stack.clock.now()
  executed(await ben.onDelivery(id, 'release'))
  await until(() => receiver.received.length === 2, 'the second attempt is made')
  await waits(id)
  assert.ok((await stack.clock.now()) - releasedAt < 60_000)
  assert.match(await attributesOf(id), /"pending".*"receiver"/)
  assert.equal(await finished(id), 'succeeded')
  assert.deepEqual(attempts(), ['1', '2', '3'])
  assert.ok(((await pauses(id))[1] ?? 0) >= 300)
})

test('a delivery that staff give up is failed at once and never sent again, on hold or not', async () => {
  for (const isHeld of [false, true]) {
    const id = await failedOnce()
    if (isHeld) executed(await ada.onDelivery(id, 'hold'))
    assert.equal(executed(await ada.onDelivery(id, 'mark-failed'))['resource_status'], 'failed')
    assert.partialDeepStrictEqual(await rowOf(id), { status: 'failed', next_attempt_at: null, on_hold_since: null })
    assert.equal(await finished(id), 'failed')
    await stack.skip(24 * hour)
    assert.deepEqual(attempts(), ['1'])
    receiver.received.length = 0
  }
})

test('CONFLICT: the same order again changes nothing, whoever gives it; after the end it is refused', async () => {
  const id = await failedOnce()
  const first = executed(await ada.onDelivery(id, 'hold'))
  const { on_hold_since } = await rowOf(id)
  for (const who of [ada, ben])
    assert.equal(executed(await who.onDelivery(id, 'hold'))['operator_action_id'], first['operator_action_id'])
  assert.deepEqual((await rowOf(id)).on_hold_since, on_hold_since)
  assertError(await ada.onDelivery(id, 'retry'), 409, 'CONFLICT')
  executed(await ada.onDelivery(id, 'release'))
  assert.equal(await finished(id), 'succeeded')
  for (const what of ['retry', 'hold', 'mark-failed']) {
    assertError(await ada.onDelivery(id, what), 409, 'CONFLICT')
    assertError(await ben.onDelivery(id, what), 409, 'CONFLICT')
  }
  const orders = ['hold_ordered', 'hold_executed', 'release_ordered', 'release_executed']
  assert.deepEqual(
    await audited(id),
    orders.map((order) => `webhook_delivery.${order}`),
  )
})

test('two people who give a delivery up at once have one action', async () => {
  const id = await failedOnce()
  const replies = await Promise.all([ada, ben].map((who) => who.onDelivery(id, 'mark-failed')))
  const [one, other] = replies.map((reply) => executed(reply)['operator_action_id'])
  assert.equal(one, other)
  assert.equal(await finished(id), 'failed')
})

test('NOT_FOUND, FORBIDDEN: an action needs a delivery, a reason and a member of staff', async () => {
  const id = await failedOnce()
  const owner = await addUser(stack, { accountId: stack.organizationId, role: 'owner' })
  const headers = { ...fromAnywhere(), ...bearer(await owner.token()) }
  for (const what of ['retry', 'hold', 'release', 'mark-failed']) {
    const path = `/api/v1/admin/webhook-deliveries/${id}/${what}`
    assertError(await ada.onDelivery(newId('dlv', 0), what), 404, 'NOT_FOUND')
    assertFieldErrors(await ada.onDelivery(id, what, {}), { reason: 'value_error.missing' })
    assertFieldErrors(await ada.onDelivery(id, what, { reason: ' ' }), { reason: 'value_error.format' })
    assertError(await stack.merchant.call('POST', path, { reason: 'r' }, headers), 403, 'FORBIDDEN')
  }
  assertError(await ada.onDelivery(id, 'mark-settled', { reason: 'r', proof_ref: 'p' }), 404, 'NOT_FOUND')
  assertError(await ada.onDelivery(id, 'release'), 409, 'CONFLICT')
  const order = { process: 'webhook-delivery', resourceId: id, about } as const
  const unknown = stack.services.engine.update(order, 'hold', [newId('opa', 0)], 'unknown')
  await assert.rejects(unknown, isRefusal('NOT_FOUND'))
  assert.equal(await finished(id), 'succeeded')
  assert.deepEqual(await audited(id), [])
})

/** Stops the next send until `go` is called. `answer`: of the receiver, or `busy` where there was no place to send. */
function stopNextSend(t: TestContext) {
  const { webhooks } = stack.deps
  const whole = webhooks.send
  t.after(() => void (webhooks.send = whole))
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<'send' | 'busy'>()]
  webhooks.send = async (request) => {
    webhooks.send = whole
    begun.resolve()
    if ((await gate.promise) === 'send') return whole(request)
    return { responseStatus: null, responseBody: null, durationMs: 0, error: 'busy' }
  }
  return { begun: begun.promise, go: gate.resolve }
}

test('an attempt under way at a hold is recorded: a failure stays on hold, a success ends it', async (t) => {
  for (const answer of [500, 200]) {
    const id = await failedOnce([answer])
    const stopped = stopNextSend(t)
    executed(await ada.onDelivery(id, 'retry'))
    await stopped.begun
    executed(await ada.onDelivery(id, 'hold'))
    stopped.go('send')
    await until(async () => (await rowOf(id)).attempt_count === 2, 'the attempt is recorded')
    if (answer === 500) {
      await waits(id)
      assert.match(await attributesOf(id), /"on_hold"/)
      assert.equal((await rowOf(id)).next_attempt_at, null)
      await stack.skip(24 * hour)
      assert.deepEqual(attempts(), ['1', '2'])
      executed(await ada.onDelivery(id, 'release'))
    }
    assert.equal(await finished(id), 'succeeded')
    assert.deepEqual(attempts(), answer === 500 ? ['1', '2', '3'] : ['1', '2'])
    assert.equal((await rowOf(id)).on_hold_since, null)
    receiver.received.length = 0
  }
})

test('an attempt that finds no place to send from is not made after a hold', async (t) => {
  const id = await failedOnce()
  const stopped = stopNextSend(t)
  executed(await ada.onDelivery(id, 'retry'))
  await stopped.begun
  executed(await ada.onDelivery(id, 'hold'))
  stopped.go('busy')
  await stack.skip(24 * hour)
  await waits(id)
  assert.deepEqual(attempts(), ['1'])
  executed(await ada.onDelivery(id, 'release'))
  assert.equal(await finished(id), 'succeeded')
  assert.deepEqual(attempts(), ['1', '2'])
})

test('an attempt under way when staff give up changes the end no more', async (t) => {
  const id = await failedOnce()
  const stopped = stopNextSend(t)
  executed(await ada.onDelivery(id, 'retry'))
  await stopped.begun
  executed(await ada.onDelivery(id, 'mark-failed'))
  stopped.go('send')
  assert.equal(await finished(id), 'failed')
  assert.partialDeepStrictEqual(await rowOf(id), { status: 'failed', attempt_count: 1 })
})

/** Lets the worker die once, right after it has committed an action and before it has told the engine. */
function dieAfterCommit(t: TestContext): { deaths: number } {
  const { em } = stack.deps.database.orm
  const whole = em.transactional
  t.after(() => void (em.transactional = whole))
  const told = { deaths: 0 }
  em.transactional = async function transactional(this: typeof em, ...args: Parameters<typeof whole>) {
    const result = await whole.apply(em, args)
    const [done] = await stack.sql(`select id from operator_actions where state = 'executed' and reason = 'dies'`)
    if (!done || told.deaths++ > 0) return result
    throw new Error('the worker has died')
  } as typeof whole
  return told
}

for (const [what, end] of [
  ['hold', 'pending'],
  ['mark-failed', 'failed'],
] as const) {
  test(`a worker that dies between commit and answer carries out ${what} once`, async (t) => {
    const id = await failedOnce()
    const died = dieAfterCommit(t)
    executed(await ada.onDelivery(id, what, { reason: 'dies' }))
    assert.ok(died.deaths >= 1)
    await stack.sql(`update operator_actions set reason = 'died' where reason = 'dies'`)
    assert.equal((await rowOf(id)).status, end)
    const name = what.replace('-', '_')
    assert.deepEqual(await audited(id), [`webhook_delivery.${name}_ordered`, `webhook_delivery.${name}_executed`])
    if (end === 'pending') executed(await ada.onDelivery(id, 'release'))
    assert.equal(await finished(id), end === 'pending' ? 'succeeded' : 'failed')
  })
}

test('a process that the engine has lost starts again on hold, and goes on after the release', async () => {
  const id = await failedOnce()
  executed(await ada.onDelivery(id, 'hold'))
  await handleOf(id).terminate('lost')
  const target = await targetOf.webhook_delivery(stack.database.orm.em.fork(), id)
  await stack.services.engine.dispatch({ ...target, signal: null })
  await stack.skip(24 * hour)
  await waits(id)
  assert.match(await attributesOf(id), /"on_hold".*"operator"/)
  executed(await ada.onDelivery(id, 'release'))
  assert.equal(await finished(id), 'succeeded')
  assert.deepEqual(attempts(), ['1', '2'])
})

test('agenda, timeline and (after an hour) the stuck list show that a delivery on hold waits for staff', async () => {
  const id = await failedOnce()
  executed(await ada.onDelivery(id, 'hold', { reason: 'Its receiver asked us to' }))
  const path = `/v1/webhooks/deliveries/${id}`
  const { body: timeline } = await stack.merchant.call('GET', `${path}/timeline`)
  assert.partialDeepStrictEqual(timeline, { status: 'pending', waiting_on: 'operator', wakes_at: null })
  assert.doesNotMatch(JSON.stringify(timeline), /Its receiver asked us to/)
  assert.match((await stack.merchant.call('GET', `${path}/agenda`)).text, /"waiting_on":"operator"/)
  const staffs = (await ada.call('GET', `/api/v1/admin/timelines/${id}`)).text
  for (const shown of ['hold.proposed', 'hold.executed', 'Its receiver asked us to', ada.id])
    assert.ok(staffs.includes(shown), `staff read ${shown}`)
  const stuck = async () =>
    (await ada.call('GET', '/api/v1/admin/stuck?resource=webhook_delivery')).body as unknown as { items: object[] }
  assert.deepEqual((await stuck()).items, [])
  await stack.skip(2 * hour)
  assert.partialDeepStrictEqual((await stuck()).items, [
    { id, waiting_on: 'operator', reason: 'release', helps: 'Staff hold it: release it, or mark it as failed.' },
  ])
  executed(await ada.onDelivery(id, 'mark-failed'))
  assert.equal(await finished(id), 'failed')
})
