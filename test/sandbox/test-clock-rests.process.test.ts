import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Runtime } from '@temporalio/worker'
import { detailsOf } from '../support/details.ts'
import { assertReplays } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { beginOnClock, minute } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What rests after a failure, on a clock that stands still, with every change that is still dormant in this release.
const stack = await useStack({ skipping: true, dormant: [], invariants: 'at the end' })
const api = await useApi(stack)

const { mailer } = stack.deps
const { deliver } = mailer
after(() => void (mailer.deliver = deliver))
let failures = 0
/** Has the mail server refuse so many connections, and then take mails again. */
function refuse(connections: number): void {
  failures = 0
  mailer.deliver = async (mail) => {
    if (failures >= connections) return deliver(mail)
    failures += 1
    throw new Error('connect ECONNREFUSED')
  }
}

const unsent = (id: string) =>
  stack.sql('select from subscription_mails where subscription_id = ? and sent_at is null', [id])

/** Five failures are the four tries of one step, and the first one of the next step. */
const [ofOneStep, ofMore] = [4, 5]

/** A subscription on a clock that stands still, whose mail has just failed: about its end, or its first receipt. */
async function failMail({ ends = true } = {}) {
  const on = await beginOnClock(api, { frozen_time: '2029-01-01T00:00:00Z' })
  const plans = subscriptionsOf({ ...stack, merchant: on.merchant })
  await on.attach({ account_id: on.accountId })
  if (!ends) refuse(ofMore)
  const { subscription_id: id } = await plans.subscribe()
  if (ends) {
    await plans.mailed(id, 1)
    refuse(ofMore)
    await plans.act(id, 'cancel', { at_period_end: false })
  }
  await stack.skip(minute)
  await until(() => failures === ofOneStep, 'the mail could not be sent', { withinMs: 30_000 })
  await settled(stack.client, 'subscription', id)
  return { ...on, plans, id }
}

test('a mail that could not be sent on a test clock is sent a few minutes later, while the clock stands', async (t) => {
  const warn = t.mock.method(Runtime.instance().logger, 'warn')
  const { id } = await failMail()
  const [words, about] = warn.mock.calls.at(-1)?.arguments ?? [] // after the engine's own, of each try
  assert.deepEqual([words, about?.['subject']], ['a call beside the wait has failed', 'mail'])
  await stack.skip(4 * minute)
  assert.equal((await unsent(id)).length, 1)
  await stack.skip(3 * minute)
  assert.equal(await stack.finished('subscription', id), 'canceled')
  assert.deepEqual(await unsent(id), [])
  await assertReplays(stack.client, 'subscription', id)
})

test('a mail that could not be sent on a test clock is sent after the clock was deleted', async () => {
  const { id, plans, clock } = await failMail()
  await plans.ok('DELETE', `/v1/test-helpers/clocks/${clock.clock_id}`)
  await stack.skip(7 * minute)
  assert.equal(await stack.finished('subscription', id), 'canceled')
  assert.deepEqual(await unsent(id), [])
  await assertReplays(stack.client, 'subscription', id)
})

test('a subscription that goes on is shown to wait for the mail server meanwhile', async () => {
  const { id } = await failMail({ ends: false })
  assert.match(await detailsOf(stack.client, 'subscription', id), /^A mail to its customer could not be sent yet\./)
  await stack.skip(7 * minute)
  await until(async () => (await unsent(id)).length === 0, 'the mail is sent')
  assert.doesNotMatch(await detailsOf(stack.client, 'subscription', id), /A mail to its customer/)
})
