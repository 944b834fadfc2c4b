import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { settled } from '../support/settled.ts'
import { laterCards, subscriptionsOf } from '../support/subscription.ts'
import { beginOnClock, day, type Happened } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Subscriptions on test clocks: a year passes in moments, and each step has the clock's exact time.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

async function begin(more = {}) {
  const on = await beginOnClock(api, more)
  return { ...on, plans: subscriptionsOf({ ...stack, merchant: on.merchant }) }
}
const iso = (at: unknown) => new Date(String(at)).toISOString()
const after = (at: unknown, days: number) => new Date(Date.parse(String(at)) + days * day).toISOString()
const of = (happened: Happened[], id: string) =>
  happened.filter(({ resource_id }) => resource_id === id).map(({ step, at }) => [step, at])

/** The events about a subscription and its invoices, with their times. */
async function eventsOf(...ids: string[]) {
  const rows = await stack.sql<{ type: string; created_at: string }>(
    'select type, created_at from events where resource_id in (?) order by sequence',
    [ids],
  )
  return rows.map(({ type, created_at }) => [type.replace('customer.subscription.', ''), iso(created_at)])
}
const mailsOf = async (id: string) =>
  (
    await stack.sql<{ kind: string; created_at: string; sent_at: string | null }>(
      `select kind, created_at, sent_at from subscription_mails where subscription_id = ?
       order by created_at, kind desc`,
      [id],
    )
  ).map(({ kind, created_at, sent_at }) => [kind, iso(created_at), sent_at && iso(sent_at)])

test('a year renews month by month: every invoice, charge, event and mail has the clock’s exact time', async () => {
  const { accountId, attach, advance, plans } = await begin({ frozen_time: '2027-01-31T10:00:00Z' })
  await attach({ account_id: accountId })
  const { subscription_id: id } = await plans.subscribe()
  // In one call, and in several: the same moments come, each once.
  await advance({ by: 'P6M' })
  for (const by of ['P1D', 'P1M', 'P2M', 'P3M']) await advance({ by })
  const days = [
    '01-31',
    '02-28',
    '03-31',
    '04-30',
    '05-31',
    '06-30',
    '07-31',
    '08-31',
    '09-30',
    '10-31',
    '11-30',
    '12-31',
  ]
  const begins = [...days.map((each) => `2027-${each}T10:00:00.000Z`), '2028-01-31T10:00:00.000Z']
  const invoices = await plans.invoices(id)
  assert.deepEqual(
    invoices.map(({ period_start, finalized_at, paid_at, status }) => [period_start, finalized_at, paid_at, status]),
    begins.map((at) => [at, at, at, 'paid']),
  )
  const payments = await stack.sql<{ created_at: string; completed_at: string; clock_id: string | null }>(
    'select created_at, completed_at, clock_id from payments where subscription_id = ? order by created_at',
    [id],
  )
  assert.deepEqual(
    payments.map(({ created_at, completed_at }) => [iso(created_at), iso(completed_at)]),
    begins.map((at) => [at, at]),
  )
  assert.ok(payments.every(({ clock_id }) => clock_id !== null))
  const told = begins.map((at, index) => [index === 0 ? 'created' : 'renewed', at])
  assert.deepEqual(await eventsOf(id), told)
  assert.deepEqual(
    await mailsOf(id),
    begins.map((at) => ['receipt', at, at]),
  )
})

test('a trial of 14 days is announced at day 11 and charged at day 14', async () => {
  const { clock, accountId, attach, advance, plans } = await begin({ frozen_time: '2027-03-01T00:00:00Z' })
  await attach({ account_id: accountId })
  const trial = { recurring: { interval: 'month', interval_count: 1, trial_days: 14 } }
  const { subscription_id: id } = await plans.subscribe({ product: trial })
  const start = clock.frozen_time
  const early = await advance({ by: 'P10D' })
  assert.deepEqual(of(early.happened, id), [])
  const { happened } = await advance({ by: 'P5D' })
  assert.deepEqual(of(happened, id), [['active', after(start, 14)]])
  assert.deepEqual((await eventsOf(id)).slice(1), [
    ['trial_will_end', after(start, 11)],
    ['renewed', after(start, 14)],
  ])
  assert.deepEqual(await mailsOf(id), [
    ['trial_ending', after(start, 11), after(start, 11)],
    ['receipt', after(start, 14), after(start, 14)],
  ])
})

test('dunning charges after 2, 5, 7 and 7 days, each at its exact moment, and then ends', async () => {
  const { attach, advance, plans } = await begin()
  const begun = await plans.subscribe({ number: laterCards.declines })
  const id = begun.subscription_id
  await attach({ subscription_id: id })
  const end = begun.current_period_end
  const first = await advance({ to: after(end, 1) })
  assert.deepEqual(of(first.happened, id), [['past_due', end]])
  const { happened } = await advance({ by: 'P1M' })
  assert.deepEqual(of(happened, id), [['canceled', after(end, 21)]])
  const payments = await stack.sql<{ created_at: string; status: string }>(
    'select created_at, status from payments where subscription_id = ? and checkout_id is null order by created_at',
    [id],
  )
  assert.deepEqual(
    payments.map(({ created_at, status }) => [status, iso(created_at)]),
    [0, 2, 7, 14, 21].map((days) => ['failed', after(end, days)]),
  )
  assert.deepEqual(
    (await mailsOf(id)).slice(1).map(([kind, at, sent]) => [kind, at, sent === at]),
    [
      ...[0, 2, 7, 14, 21].map((days) => ['payment_failed', after(end, days), true]),
      ['canceled', after(end, 21), true],
    ],
  )
  const [, invoice] = await plans.invoices(id)
  assert.deepEqual(of(happened, String(invoice?.invoice_id)), [['uncollectible', after(end, 21)]])
})

test('who is attached brings what belongs to them: a customer, a subscription, an invoice, a payment', async () => {
  for (const pick of ['customer_id', 'subscription_id', 'invoice_id', 'payment_id'] as const) {
    const { clock, attach, advance, plans, send, merchant } = await begin()
    const begun = await plans.subscribe({ number: laterCards.declines })
    const id = begun.subscription_id
    const start = begun.current_period_end
    await attach({ subscription_id: id })
    await advance({ to: after(start, 1) })
    // A renewal that has failed: it has an invoice and a payment of its own.
    const [, invoice] = await plans.invoices(id)
    assert.ok(invoice)
    await plans.ok('DELETE', `/v1/test-helpers/clocks/${clock.clock_id}`)
    const payers = payersOf({ ...stack, merchant }, plans)
    const session = await payers.open(invoice)
    await payers.payIn(session, cards.threeDs)
    const again = await send('', { name: 'Again', frozen_time: after(start, 1) })
    const { invoice_id, payment_id } = invoice
    const ids = { customer_id: begun.customer.id, subscription_id: id, invoice_id, payment_id }
    await send(`/${again.clock_id}/attach`, { [pick]: ids[pick] })
    const paying = await stack.sql('select clock_id from payments where checkout_id = ?', [session.checkout_id])
    assert.deepEqual(paying, [{ clock_id: again.clock_id }], pick)
    await send(`/${again.clock_id}/advance`, { by: 'P1D' })
    const charged = await stack.sql<{ created_at: string }>(
      'select created_at from payments where subscription_id = ? and checkout_id is null order by created_at',
      [id],
    )
    assert.deepEqual(
      charged.map(({ created_at }) => iso(created_at)),
      [start, after(start, 2)],
      pick,
    )
    await plans.act(id, 'cancel', { at_period_end: false })
  }
})

test('a subscription that leaves a clock for an earlier one goes by that one, also in its next run', async () => {
  const { accountId, clock, attach, plans, send } = await begin({ frozen_time: '2030-01-31T10:00:00Z' })
  await attach({ account_id: accountId })
  const { subscription_id: id } = await plans.subscribe()
  await plans.ok('DELETE', `/v1/test-helpers/clocks/${clock.clock_id}`)
  const { clock_id: earlier } = await send('', { name: 'Earlier', frozen_time: '2027-01-31T10:00:00Z' })
  await send(`/${earlier}/attach`, { subscription_id: id })
  // Another rhythm begins a new period, which is a new run.
  const { product_id } = await plans.createProduct({ recurring: { interval: 'week', interval_count: 1 } })
  const { current_period_end: end } = await plans.act(id, 'change-plan', { product_id })
  assert.equal(end, '2027-02-07T10:00:00.000Z')
  await settled(stack.client, 'subscription', id)
  await send(`/${earlier}/advance`, { by: 'P8D' })
  assert.equal((await plans.read(id)).current_period_start, end)
})

test('CONFLICT, NOT_FOUND: a subscription is on one clock only, and is attached by its owner', async () => {
  const [one, other] = [await begin(), await begin()]
  const { subscription_id, latest_invoice_id: invoice_id } = await one.plans.subscribe()
  await one.attach({ subscription_id })
  const second = await one.send('', { name: 'Another' })
  const path = (id: string) => `/v1/test-helpers/clocks/${id}/attach`
  for (const member of [{ subscription_id }, { invoice_id }]) {
    assertError(await one.merchant.call('POST', path(second.clock_id), member), 409, 'CONFLICT')
    assertError(await other.merchant.call('POST', path(other.clock.clock_id), member), 404, 'NOT_FOUND')
  }
})

test('a mail that its server refuses is given up on a test clock, and holds up no end', async () => {
  const { attach, advance, plans } = await begin()
  const { subscription_id: id } = await plans.subscribe()
  await until(async () => (await mailsOf(id)).every(([, , sent]) => sent !== null), 'the receipt was sent')
  await attach({ subscription_id: id })
  const { deliver } = stack.deps.mailer
  stack.deps.mailer.deliver = async () => {
    throw Object.assign(new Error('no such address'), { responseCode: 550, command: 'RCPT TO' })
  }
  try {
    await advance({ by: 'P40D' })
    await plans.act(id, 'cancel', { at_period_end: false })
    assert.equal(await stack.finished('subscription', id), 'canceled')
  } finally {
    stack.deps.mailer.deliver = deliver
  }
  const kinds = (await mailsOf(id)).map(([kind, , sent]) => [kind, sent !== null])
  assert.deepEqual(kinds.slice(1), [
    ['receipt', true],
    ['canceled', true],
  ])
  const { items } = await plans.ok<{ items: unknown[] }>('GET', '/v1/test-helpers/emails')
  assert.equal(items.length, 1, 'only what was taken is kept')
})

test('the mails of a subscription are listed with their HTML', async () => {
  const { plans } = await begin()
  const { subscription_id: id } = await plans.subscribe()
  await plans.until(id, ({ status }) => status === 'active')
  const list = async () =>
    (await plans.ok<{ items: Record<string, unknown>[] }>('GET', '/v1/test-helpers/emails')).items
  await until(async () => (await list()).length > 0, 'the receipt was sent')
  const [receipt] = await list()
  assert.match(String(receipt?.['html']), /^<!doctype html>[\s\S]*Thank you for your payment of \$25\.00\sUSD/)
  assert.match(String(receipt?.['text']), /Thank you for your payment of \$25\.00\sUSD/)
})
