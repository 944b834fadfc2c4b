import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { addPastEvents, endpointsPath, withEndpoints } from '../support/endpoints.ts'
import { transferSale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { createLink, opened, withLinks } from '../support/payment-link.ts'
import { addDefault, credit, setSchedule } from '../support/payout-schedule.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { beginOnClock, day, hour, minute, setAdvancing } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { addUser } from '../support/user.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// Test clocks over real HTTP, with real processes and the real time of the engine: days pass in moments.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = await useReceiver()
const begin = (more = {}) => beginOnClock(api, more)
const after = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

test('a session expires when its clock says so, to the millisecond, and others do not', async () => {
  const { merchant, attach, advance } = await begin()
  const [member, other] = [await merchant.createCheckout(), await merchant.createCheckout()]
  await attach({ checkout_id: member.checkout_id })
  const early = await advance({ by: 'PT30M' })
  assert.deepEqual(early.happened, [])
  const { happened, status, frozen_time } = await advance({ by: 'P1D' })
  assert.deepEqual(
    happened.map(({ resource_id, step, at, actor }) => [resource_id, step, at, actor]),
    [[member.checkout_id, 'expired', member.expires_at, 'system']],
  )
  assert.equal(status, 'ready')
  assert.equal(frozen_time, after(early.frozen_time, day))
  assert.equal((await merchant.getCheckout(other.checkout_id))['status'], 'open')
  const { body } = await merchant.call('GET', `/v1/checkout-sessions/${member.checkout_id}`)
  assert.equal(body['updated_at'], member.expires_at)
})

test('what a member’s buyer pays has the clock’s time: the payment, its events and its money', async () => {
  const { merchant, attach, advance } = await begin()
  const session = await merchant.createCheckout({ ...transferSale, expires_in_minutes: 1440 })
  await attach({ checkout_id: session.checkout_id })
  const { frozen_time } = await advance({ by: 'PT20H' })
  const { payment_id } = await merchant.payByTransfer(session)
  await merchant.deposit(payment_id)
  const payment = await merchant.getPayment(payment_id)
  assert.deepEqual([payment['created_at'], payment['completed_at']], [frozen_time, frozen_time])
  const events = await stack.sql<{ created_at: string }>('select created_at from events where resource_id in (?)', [
    [payment_id, session.checkout_id],
  ])
  assert.equal(events.length, 2)
  for (const { created_at } of events) assert.equal(new Date(created_at).toISOString(), frozen_time)
  const [posted] = await stack.sql<{ created_at: string; available_at: string }>(
    `select e.created_at, e.available_at from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.kind = 'settlement' and t.source_id = ? and e.book = 'merchant'`,
    [payment_id],
  )
  assert.equal(new Date(posted?.created_at ?? '').toISOString(), frozen_time)
})

test('a delivery ladder runs out: 1, 5, 15 and 60 minutes after each failure', async () => {
  const { merchant, attach, advance } = await begin()
  const endpoint_id = await withEndpoints(merchant).add({ url: receiver.url, events: ['refund.paid'] })
  const clock = await attach({ endpoint_id })
  receiver.answers([500, 500, 500, 500, 500])
  const sent = await merchant.call('POST', `/v1/webhooks/endpoints/${endpoint_id}/test`, {})
  const delivery = sent.body['delivery'] as unknown as { delivery_id: string }
  const { happened } = await advance({ by: 'PT3H' })
  const begun = clock.frozen_time
  const ladder = [0, 1, 6, 21, 81].map((minutes) => [delivery.delivery_id, 'attempt', after(begun, minutes * minute)])
  const end = [delivery.delivery_id, 'failed', after(begun, 81 * minute)]
  const attempts = happened.filter(({ resource_id }) => resource_id === delivery.delivery_id)
  assert.deepEqual(
    attempts.map(({ resource_id, step, at }) => [resource_id, step, at]),
    [...ladder, end],
  )
  const { body: timeline } = await merchant.call('GET', `/v1/webhooks/deliveries/${delivery.delivery_id}/timeline`)
  assert.equal(timeline['status'], 'failed')
})

test('what is sent again to an endpoint, by a resend or a recovery, has the time of the endpoint’s clock', async () => {
  const { merchant, accountId, attach } = await begin({ frozen_time: '2040-01-10T00:00:00.000Z' })
  const { add, resend, recover, ended } = withEndpoints(merchant)
  const [event = ''] = await addPastEvents(stack, accountId, 1)
  const endpoint_id = await add({ url: receiver.url, events: ['refund.paid'] })
  const { frozen_time } = await attach({ endpoint_id })
  const { recovery_id } = await recover(endpoint_id, { since: new Date(Date.now() - hour).toISOString() })
  await stack.dispatched()
  await stack.finished('webhook-recovery', String(recovery_id))
  await resend(event)
  const sent = (await ended(endpoint_id)) as unknown as Record<'trigger' | 'status' | 'created_at', string>[]
  assert.deepEqual(
    sent.map(({ trigger, status, created_at }) => [trigger, status, created_at]).toSorted(),
    ['manual', 'recovery'].map((trigger) => [trigger, 'succeeded', frozen_time]),
  )
})

for (const frozen_time of ['2040-01-10T00:00:00.000Z', '2020-01-10T00:00:00.000Z']) {
  test(`an endpoint’s statistics count the last 24 hours of its clock, from ${frozen_time} on`, async () => {
    const { merchant, attach, advance } = await begin({ frozen_time })
    const { add, happen, ended, read } = withEndpoints(merchant)
    const endpoint_id = await add({ url: receiver.url })
    await attach({ endpoint_id })
    for (const by of ['P30D', 'PT1H']) await happen().then(() => advance({ by }))
    await ended(endpoint_id)
    const shown = await read(endpoint_id)
    assert.deepEqual(shown['stats_24h'], { pending: 0, succeeded: 1, failed: 0, skipped: 0 })
    assert.deepEqual((await merchant.call('GET', endpointsPath)).body['items'], [shown])
  })
}

test('an endpoint that fails for 72 hours is warned after 24 and switched off, and its owners get a mail', async () => {
  const { merchant, attach, advance } = await begin()
  const endpoint_id = await withEndpoints(merchant).add({ url: receiver.url, events: ['refund.paid'] })
  const { frozen_time } = await attach({ endpoint_id })
  receiver.answers([500, 500, 500, 500, 500])
  await merchant.call('POST', `/v1/webhooks/endpoints/${endpoint_id}/test`, {})
  const { happened } = await advance({ by: 'P4D' })
  assert.deepEqual(
    happened.filter(({ resource_id }) => resource_id === endpoint_id).map(({ step, at }) => [step, at]),
    [
      ['warned', after(frozen_time, day)],
      ['disabled', after(frozen_time, 3 * day)],
    ],
  )
  const endpoint = await merchant.call('GET', `/v1/webhooks/endpoints/${endpoint_id}`)
  assert.deepEqual([endpoint.body['enabled'], endpoint.body['disabled_reason']], [false, 'consecutive_failures'])
})

test('a refund whose rail says nothing is asked for 30 days, at each moment of the schedule', async () => {
  const { merchant, attach, advance } = await begin()
  const charge = await merchant.chargeByCard()
  const { refund_id } = await merchant.refund(charge, { reference: 'sandbox_no_answer' })
  await stack.dispatched()
  const { frozen_time: now } = await attach({ refund_id })
  await advance({ by: 'PT1M' })
  const { body } = await merchant.call('GET', `/v1/refunds/${refund_id}/timeline`)
  const first = String(body['wakes_at'])
  await advance({ by: 'P30D' })
  const timeline = (await merchant.call('GET', `/v1/refunds/${refund_id}/timeline`)).body as never as {
    wakes_at: string
    items: { attempts: number }[]
  }
  const ordered = Date.parse(first) - 5 * minute
  const reached = Date.parse(now) + minute + 30 * day
  assert.equal(Date.parse(timeline.wakes_at), nextPollAt(ordered, reached))
  assert.equal(timeline.items.at(-1)?.attempts, 1 + 2 + 30 - (reached - ordered < hour + 30 * day ? 1 : 0))
})

test('a whole account lives by its clock: its calls, its new sessions and their ends', async () => {
  const { merchant, accountId, attach, advance } = await begin({ frozen_time: '2027-01-10T00:00:00Z' })
  await attach({ account_id: accountId })
  const session = await merchant.createCheckout()
  assert.equal(session.expires_at, '2027-01-10T01:00:00.000Z')
  const { happened } = await advance({ to: '2027-01-11T00:00:00Z' })
  assert.deepEqual(
    happened.map(({ resource_id, step, at }) => [resource_id, step, at]),
    [[session.checkout_id, 'expired', session.expires_at]],
  )
  const charge = await merchant.chargeByCard()
  assert.equal((await merchant.getPayment(charge))['completed_at'], '2027-01-11T00:00:00.000Z')
  const { refund_id } = await merchant.refund(charge)
  await advance({ by: 'PT1S' })
  const refund = await merchant.getRefund(refund_id)
  assert.deepEqual(
    [refund['status'], refund['created_at'], refund['completed_at']],
    ['succeeded', '2027-01-11T00:00:00.000Z', '2027-01-11T00:00:00.000Z'],
  )
})

test('the page of a session counts by its clock: it reloads once the session has expired', async (t) => {
  const pages = await openPages(stack)
  t.after(pages.stop)
  const { merchant, accountId, attach, advance } = await begin({ frozen_time: '1999-12-31T23:00:00Z' })
  await attach({ account_id: accountId })
  const own = subscriptionsOf({ ...stack, merchant })
  const { product_id: id } = await own.createProduct()
  const session = await own.createSession(String(id))
  await advance({ by: 'PT20M' })
  const html = await (await fetch(pages.addressOf(session.checkout_url))).text()
  assert.match(html, /http-equiv="refresh" content="2402"/)
  assert.match(html, /data-now="1999-12-31T23:20:00.000Z"/)
  assert.match(html, /The next charge is on 31 January 2000/)
})

test('a visit to a payment link goes by its account’s clock: the link’s end, the session and its end', async () => {
  const { merchant, accountId, attach, advance } = await begin({ frozen_time: '2021-01-10T00:00:00Z' })
  await attach({ account_id: accountId })
  const link = await createLink(merchant, { expires_at: '2021-01-12T00:00:00Z' })
  const { seen } = withLinks(merchant)
  assert.equal((await seen(link)).body['status'], 'open')
  const session = await opened(merchant, link)
  assert.equal(session.expires_at, '2021-01-10T01:00:00.000Z')
  const { happened } = await advance({ by: 'P1D' })
  assert.deepEqual(
    happened.map(({ resource_id, step, at }) => [resource_id, step, at]),
    [[session.checkout_id, 'expired', session.expires_at]],
  )
  await advance({ by: 'P1D' })
  assert.equal((await seen(link)).body['status'], 'expired')
})

test('a replaced secret signs for its grace period by the real time, whatever the account’s clock says', async () => {
  for (const frozen_time of ['2021-01-10T00:00:00Z', '2040-01-10T00:00:00Z']) {
    const { merchant, accountId, attach } = await begin({ frozen_time })
    await attach({ account_id: accountId })
    const endpoint_id = await withEndpoints(merchant).add({ url: receiver.url, events: ['refund.paid'] })
    const path = `/v1/webhooks/endpoints/${endpoint_id}`
    const { body: rotated } = await merchant.call('POST', `${path}/secret/rotate`, { grace_hours: 2 })
    const left = Date.parse(String(rotated['previous_secret_expires_at'])) - Date.now()
    assert.ok(left > hour && left <= 2 * hour, `${left} ms are left`)
    const { body: read } = await merchant.call('GET', `${path}/secret`)
    assert.equal(read['previous_secret'], rotated['previous_secret'])
    const before = receiver.received.length
    await merchant.call('POST', `${path}/test`, {})
    await until(() => receiver.received.length > before, 'the test event arrives')
    assert.equal(String(receiver.received[before]?.headers['webhook-signature']).split(' ').length, 2)
  }
})

test('a schedule pays out at the end of each month of a year, also in February', async () => {
  const { merchant, accountId, attach, advance } = await begin({ frozen_time: '2027-01-10T00:00:00Z' })
  const payee = { accountId, merchant }
  await addDefault(stack, payee, 'NGN')
  await attach({ account_id: accountId })
  const terms = { interval: 'monthly', monthly_payout_days: [31], anchor_hour_utc: 6 }
  await setSchedule(payee, 'NGN', terms)
  for (let month = 0; month < 12; month++) await credit(stack, payee, 'NGN', '5000.00', Date.UTC(2027, month, 15))
  const { happened } = await advance({ by: 'P1Y' })
  const paid = happened.filter(({ step }) => step === 'requested')
  const ends = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2027, month + 1, 0, 6)).toISOString())
  assert.deepEqual(
    paid.map(({ at, actor }) => [at, actor]),
    ends.map((at) => [at, 'system']),
  )
  assert.equal(happened.filter(({ step }) => step === 'completed').length, 12)
})

for (const order of [
  ['NGN', 'KES'],
  ['KES', 'NGN'],
]) {
  test(`schedules that a person saves go by the account’s clock, known or new: ${order.join(', ')}`, async () => {
    const { merchant, accountId, attach } = await begin({ frozen_time: '2027-01-10T00:00:00Z' })
    await attach({ account_id: accountId })
    const terms = { interval: 'monthly', monthly_payout_days: [31], anchor_hour_utc: 6 }
    await setSchedule({ accountId, merchant }, 'NGN', terms)
    const headers = bearer(await (await addUser(stack, { accountId, role: 'owner' })).token())
    const body = { schedule_by_currency: Object.fromEntries(order.map((currency) => [currency, terms])) }
    const saved = await merchant.call('POST', '/v1/balance_settings', body, headers)
    assert.equal(saved.status, 200, saved.text)
    const schedules = saved.body['schedule_by_currency'] as unknown as Record<string, Record<string, string>>
    for (const currency of order) assert.equal(schedules[currency]?.['next_run_at'], '2027-01-31T06:00:00.000Z')
    const live = await api.addKey({ accountId, environment: 'live' })
    const stopped = { schedule_by_currency: { KES: { interval: 'manual' } } }
    assert.equal((await live.merchant.call('POST', '/v1/balance_settings', stopped)).status, 200)
    const members = await stack.sql(
      `select environment, currency from payout_schedules where account_id = ? and clock_id is not null
       order by currency`,
      [accountId],
    )
    assert.deepEqual(members, [
      { environment: 'sandbox', currency: 'KES' },
      { environment: 'sandbox', currency: 'NGN' },
    ])
  })
}

test('a clock that is deleted gives its members back to the real time', async () => {
  const { merchant, clock, attach, advance } = await begin()
  const session = await merchant.createCheckout()
  await attach({ checkout_id: session.checkout_id })
  await advance({ by: 'PT10M' })
  const gone = await merchant.call('DELETE', `/v1/test-helpers/clocks/${clock.clock_id}`)
  assert.equal(gone.status, 200, gone.text)
  assertError(await merchant.call('GET', `/v1/test-helpers/clocks/${clock.clock_id}`), 404, 'NOT_FOUND')
  const before = Date.now()
  const { payment_id } = (await merchant.payByCard(session)) as { payment_id: string }
  const made = Date.parse(String((await merchant.getPayment(payment_id))['created_at']))
  assert.ok(made >= before - minute && made < before + minute)
  await stack.finished('checkout', session.checkout_id)
})

test('CONFLICT: a clock never goes back, and a resource is on one clock only', async () => {
  const { merchant, clock, attach, send } = await begin()
  const session = await merchant.createCheckout()
  await attach({ checkout_id: session.checkout_id })
  const path = `/v1/test-helpers/clocks/${clock.clock_id}`
  for (const to of ['2020-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])
    assertError(await merchant.call('POST', `${path}/advance`, { to }), 409, 'CONFLICT')
  for (const by of ['P9999Y', 'P300000Y', 'P99999999M', `P${'9'.repeat(48)}D`]) {
    const tooFar = await merchant.call('POST', `${path}/advance`, { by })
    assertFieldErrors(tooFar, { by: 'value_error.range' })
  }
  const second = await send('', { name: 'Another', frozen_time: '2031-01-31T00:00:00Z' })
  assert.equal(second.frozen_time, '2031-01-31T00:00:00.000Z')
  const taken = await merchant.call('POST', `/v1/test-helpers/clocks/${second.clock_id}/attach`, {
    checkout_id: [session.checkout_id],
  })
  assertError(taken, 409, 'CONFLICT')
})

test('a clock can be advanced whatever its name is, also where the engine shows only the beginning of it', async () => {
  const { send } = await begin()
  for (const before of [98, 99, 100]) {
    const { clock_id } = await send('', { name: `${'a'.repeat(before)}😀 and more` })
    assert.equal((await send(`/${clock_id}/advance`, { by: 'PT1H' })).status, 'ready')
  }
})

const advanceOf = (id: string) => `/v1/test-helpers/clocks/${id}/advance`
/** Further clocks of the account that `send` calls for. */
const addClocks = async (send: (at: string, body: object) => Promise<{ clock_id: string }>, count: number) =>
  Promise.all(Array.from({ length: count }, async (_, n) => (await send('', { name: `Clock ${n}` })).clock_id))

test('CONFLICT: at most three clocks of an organization advance at a time, and each of them once', async () => {
  const { merchant, send } = await begin()
  const clocks = await addClocks(send, 4)
  await setAdvancing(stack, clocks.slice(0, 3))
  for (const id of [clocks[0], clocks[3]])
    assertError(await merchant.call('POST', advanceOf(id ?? ''), { by: 'P1D' }), 409, 'CONFLICT')
  await stack.sql('update test_clocks set target = null where id in (?)', [clocks])
  assert.equal((await merchant.call('POST', advanceOf(clocks[3] ?? ''), { by: 'P1D' })).status, 200)
})

test('CONFLICT: of eight clocks that are advanced at once, three advance', async () => {
  const { merchant, send } = await begin()
  const clocks = await addClocks(send, 8)
  const other = new Client({ connectionString: stack.databaseUrl })
  await other.connect()
  // Their worker looks at this table, so the clocks do not arrive; the calls do not.
  await other.query('begin; lock table subscription_mails in access exclusive mode')
  const statuses: number[] = []
  const calls = clocks.map(async (id) => {
    const { status } = await merchant.call('POST', advanceOf(id), { by: 'P1D' })
    statuses.push(status)
  })
  try {
    await until(() => statuses.length === 5, 'five calls are refused')
    assert.deepEqual(new Set(statuses), new Set([409]))
    const under = await stack.sql('select from test_clocks where id in (?) and target is not null', [clocks])
    assert.equal(under.length, 3)
  } finally {
    await other.end()
    await Promise.all(calls)
  }
  assert.deepEqual(statuses.slice(5), [200, 200, 200])
})

test('NOT_FOUND: a clock or a resource of somebody else', async () => {
  const [one, other] = [await begin(), await begin()]
  const session = await other.merchant.createCheckout()
  const path = `/v1/test-helpers/clocks/${one.clock.clock_id}`
  assertError(await one.merchant.call('POST', `${path}/attach`, { checkout_id: session.checkout_id }), 404, 'NOT_FOUND')
  assertError(await one.merchant.call('POST', `${path}/attach`, { account_id: other.accountId }), 404, 'NOT_FOUND')
  for (const [method, at, body] of [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['POST', '/advance', { by: 'P1D' }],
    ['POST', '/attach', { checkout_id: session.checkout_id }],
  ] as const)
    assertError(await other.merchant.call(method, `${path}${at}`, body), 404, 'NOT_FOUND')
})

test('NOT_FOUND: a connected account that lives in live is no member of a clock, and keeps the real time', async () => {
  const { merchant, accountId, clock } = await begin()
  const path = `/v1/test-helpers/clocks/${clock.clock_id}/attach`
  const live = await api.addConnected(accountId, 'live')
  assertError(await merchant.call('POST', path, { account_id: live }), 404, 'NOT_FOUND')
  assert.deepEqual(await stack.sql('select clock_id from accounts where id = ?', [live]), [{ clock_id: null }])
  for (const environment of ['sandbox', null] as const) {
    const account_id = await api.addConnected(accountId, environment)
    assert.equal((await merchant.call('POST', path, { account_id })).status, 200)
  }
})

test('SIMULATION_NOT_ALLOWED: a live key has no clocks', async () => {
  const { merchant } = await api.addKey({ accountId: await api.addAccount(), environment: 'live' })
  const path = '/v1/test-helpers/clocks'
  assertError(await merchant.call('POST', path, { name: 'Live' }), 400, 'SIMULATION_NOT_ALLOWED')
  assertError(await merchant.call('GET', path), 400, 'SIMULATION_NOT_ALLOWED')
})

test('VALIDATION_ERROR: a duration or a moment that is none, both, neither, or nothing to attach', async () => {
  const { merchant, clock } = await begin()
  const path = `/v1/test-helpers/clocks/${clock.clock_id}`
  assertFieldErrors(await merchant.call('POST', `${path}/advance`, { by: '1 month' }), { by: 'value_error.format' })
  assertFieldErrors(await merchant.call('POST', `${path}/advance`, { to: 'tomorrow' }), { to: 'value_error.format' })
  assertFieldErrors(await merchant.call('POST', `${path}/advance`, {}), { to: 'value_error' })
  assert.equal((await merchant.call('POST', `${path}/attach`, {})).status, 400)
  // Ids and the times of processes are counted from 1970 on.
  const early = { frozen_time: '1969-12-31T23:59:59Z' }
  const refused = { frozen_time: 'value_error.range' }
  assertFieldErrors(await merchant.call('POST', '/v1/test-helpers/clocks', { name: 'Early', ...early }), refused)
  const steps = [{ create: { amount: '25.00', currency: 'USD' } }]
  assertFieldErrors(await merchant.call('POST', '/v1/test-helpers/scenarios', { steps, ...early }), refused)
})
