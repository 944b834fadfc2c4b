import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { type EventType, eventTypes } from '../../domain/webhook/event.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { assertError } from '../support/api.ts'
import { cards } from '../support/merchant.ts'
import { laterCards, monthly, type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

// What was asked of a subscription, once its time has come; and every event that this sends.
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000
const trial = { product: { recurring: { ...monthly, trial_days: 14 } } }
const later = (moment: string, days: number) => new Date(Date.parse(moment) + days * dayMs).toISOString()

/** Lets time pass until a minute after a moment, as renewals are spread over it. */
async function passes(moment: unknown): Promise<void> {
  await stack.skip(Date.parse(String(moment)) - (await stack.clock.now()) + 61_000)
  await stack.dispatched()
}

test('a trial that ends now is charged within a minute', async () => {
  const { subscription_id: id } = await plans.subscribe(trial)
  const edited = await plans.edit(id, { trial_end: 'now' })
  await passes(edited['trial_end'])
  const shown = await plans.until(id, ({ status, latest_invoice_id: latest }) => status === 'active' && latest !== null)
  assert.equal(shown.current_period_start, edited['trial_end'])
  const [invoice] = await plans.invoices(id)
  assert.deepEqual([invoice?.billing_reason, invoice?.total], ['subscription_cycle', '25.00'])
})

test('a trial announces its end three days ahead', async () => {
  const begun = await plans.subscribe(trial)
  await passes(later(String(begun['trial_end']), -3))
  assert.deepEqual(await plans.events(begun.subscription_id), [
    'customer.subscription.created',
    'customer.subscription.trial_will_end',
  ])
})

test('what is to end at the end of its period ends there, uncharged, and cannot be changed any more', async () => {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe()
  await plans.act(id, 'cancel', { reason: 'too_expensive' })
  await passes(end)
  const shown = await plans.until(id, ({ status }) => status === 'canceled')
  assert.equal(shown['ended_at'], end)
  assert.equal(await stack.finished('subscription', id), 'canceled')
  assert.equal((await plans.invoices(id)).length, 1)
  for (const action of ['cancel', 'uncancel', 'pause', 'resume', 'retry-payment'])
    assertError(await stack.merchant.call('POST', `/v1/subscriptions/${id}/${action}`, {}), 409, 'CONFLICT')
})

test('a pause begins with the next period and ends at resumes_at: a new period begins then', async () => {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe()
  await plans.act(id, 'pause', { resumes_at: later(end, 10) })
  await passes(end)
  await plans.until(id, ({ status }) => status === 'paused')
  assert.equal((await plans.invoices(id)).length, 1, 'a pause costs nothing')
  await passes(later(end, 10))
  const shown = await plans.until(id, ({ status, attempt_count: tries }) => status === 'active' && tries === 0)
  assert.ok(Date.parse(shown.current_period_start) >= Date.parse(later(end, 10)))
  await plans.until(id, ({ latest_invoice_id: latest }) => latest !== null)
  assert.equal((await plans.invoices(id)).length, 2)
})

test('a plan that was put off applies from the next period on', async () => {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe()
  await plans.act(id, 'change-plan', { quantity: 4, proration: 'next_period' })
  await passes(end)
  const shown = await plans.until(id, ({ current_period_start: start }) => start === end)
  assert.deepEqual([shown['amount'], shown['pending_update']], ['100.00', null])
  assert.equal((await plans.invoices(id)).at(-1)?.total, '100.00')
})

test('an open invoice is tried again when it is asked for, and once it is paid there is nothing to try', async () => {
  const begun = await plans.subscribe({ number: laterCards.declines })
  const id = begun.subscription_id
  await passes(begun.current_period_end)
  await plans.until(id, ({ status }) => status === 'past_due')
  await plans.act(id, 'retry-payment')
  const tried = await plans.until(id, ({ attempt_count: tries }) => tries === 2)
  assert.equal(tried.status, 'past_due')
  const { open_invoices: owed } = await plans.ok<{ open_invoices: { status: string }[] }>(
    'GET',
    `/v1/customers/${begun.customer.id}/state`,
  )
  assert.deepEqual(
    owed.map(({ status }) => status),
    ['open'],
  )
  await plans.edit(id, { payment_method_id: await plans.saveCard(begun.customer.id, cards.success) })
  await plans.until(id, ({ status }) => status === 'active')
  assertError(await stack.merchant.call('POST', `/v1/subscriptions/${id}/retry-payment`, {}), 409, 'CONFLICT')
})

test('CONFLICT: of two open invoices only the older one is charged again, and the newer one names it', async () => {
  const recurring = { interval: 'week', interval_count: 1 }
  const begun = await plans.subscribe({ number: laterCards.declines, product: { recurring } })
  const id = begun.subscription_id
  await passes(begun.current_period_end)
  await plans.until(id, ({ status }) => status === 'past_due')
  await passes(later(begun.current_period_end, 8))
  const open = async () => (await plans.invoices(id)).filter(({ status }) => status === 'open')
  await plans.until(id, ({ attempt_count: tries }) => tries === 3)
  await until(async () => (await open()).length === 2, 'the next period has begun')
  const [older, newer] = await open()
  const retry = (invoice?: ShownInvoice) =>
    stack.merchant.call('POST', `/v1/invoices/${invoice?.invoice_id}/retry-payment`, {})
  const refused = await retry(newer)
  assertError(refused, 409, 'CONFLICT')
  assert.match(refused.text, new RegExp(`older invoice ${older?.number} `))
  const tries = async () => (await plans.invoices(id)).map(({ attempt_count: count }) => count)
  assert.deepEqual(await tries(), [0, 3, 0])
  assert.equal((await retry(older)).status, 200)
  await plans.until(id, ({ attempt_count: count }) => count === 4)
  assert.deepEqual(await tries(), [0, 4, 0])
})

test('every event about subscriptions and invoices is really sent, in the shape of its type', async () => {
  const rows = await stack.sql<{ type: EventType; body: string }>(
    `select type, body from events where type like 'customer.subscription.%' or type like 'invoice.%'`,
  )
  for (const { type, body } of rows) {
    const { data } = JSON.parse(body) as { data: unknown }
    const validator = Compile(eventPayloads[type] as TSchema)
    assert.ok(validator.Check(data), `${type}: ${JSON.stringify(validator.Errors(data))}`)
  }
  const expected = eventTypes.filter((type) => /^(customer\.subscription|invoice)\./.test(type))
  assert.deepEqual(new Set(rows.map(({ type }) => type)), new Set(expected))
})
