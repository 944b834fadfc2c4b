import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockActivities } from '../../activities/sandbox/clock.ts'
import { TestClock } from '../../db/core/test-clock.ts'
import type { Database } from '../../db/core/database.ts'
import { readHappenings } from '../../db/sight/happenings.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { beginOnClock, day } from '../support/test-clock.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// The worker that advances a clock stops in the middle: the advance is finished, and nothing of it is repeated.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = await useReceiver()

/** The database for a worker that is cut off at its transaction number `last`. */
function cutOffAt(last: number): Database {
  let count = 0
  const { orm } = stack.deps.database
  const em = new Proxy(orm.em, {
    get(target, name) {
      if (name === 'transactional' && ++count > last) throw new Error('the worker has stopped')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  return { ...stack.deps.database, orm: { em } as Database['orm'] }
}

/**
 * Advances a clock by four days over a session that expires and an endpoint that fails until it is switched off. The
 * worker is cut off after each `steps` transactions. Returns what has happened, as a text with the clock's own time.
 */
async function story(steps: number): Promise<string[]> {
  const { merchant, clock, attach } = await beginOnClock(api, { frozen_time: '2028-02-28T00:00:00Z' })
  const session = await merchant.createCheckout({ amount: '25.00', currency: 'USD', ...words, expires_in_minutes: 300 })
  const endpoint_id = await withEndpoints(merchant).add({ url: receiver.url, events: ['refund.paid'] })
  await attach({ checkout_id: session.checkout_id, endpoint_id })
  await stack.sql('update checkouts set expires_at = ? where id = ?', [at(5 * hour), session.checkout_id])
  receiver.answers([500, 500, 500, 500, 500])
  await merchant.call('POST', `/v1/webhooks/endpoints/${endpoint_id}/test`, {})
  const em = stack.database.orm.em.fork()
  await em.nativeUpdate(TestClock, { id: clock.clock_id }, { target: at(4 * day) })
  for (let tries = 0; ; tries++) {
    const { advanceClock } = clockActivities({ ...stack.deps, database: cutOffAt(steps) })
    const isDone = await advanceClock(clock.clock_id).then(
      () => true,
      () => false,
    )
    if (isDone) break
    assert.ok(tries < 100, 'the advance gets on')
  }
  const span = { afterItem: 0n, from: at(0), to: at(4 * day) }
  const happened = await readHappenings(em, clock.clock_id, span)
  const kinds = new Map([
    [session.checkout_id, 'session'],
    [endpoint_id, 'endpoint'],
  ])
  return happened.map(
    ({ resourceId, status, at: time }) => `${kinds.get(resourceId) ?? 'delivery'} ${status} ${time.toISOString()}`,
  )
}

const hour = 3_600_000
const words = { description: 'A sale', success_url: 'https://example.com/thanks' }
const at = (ms: number) => new Date(Date.UTC(2028, 1, 28) + ms)

const undisturbed = await story(Infinity)

test('a clock goes through every deadline of its members once, in their order', () => {
  assert.deepEqual(undisturbed, [
    ...[0, 1, 6, 21, 81].map((minutes) => `delivery attempt ${at(minutes * 60_000).toISOString()}`),
    `delivery failed ${at(81 * 60_000).toISOString()}`,
    `session expired ${at(5 * hour).toISOString()}`,
    `endpoint warned ${at(day).toISOString()}`,
    `endpoint disabled ${at(3 * day).toISOString()}`,
  ])
})

for (const steps of [1, 2, 3, 5]) {
  test(`an advance whose worker stops after each ${steps} of its steps comes to the same end`, async () => {
    assert.deepEqual(await story(steps), undisturbed)
  })
}
