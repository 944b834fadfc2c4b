import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { filterOpen } from '../../commands/open-rows.ts'
import { lock } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { assertError } from '../support/api.ts'
import { change, leftOpen, register } from '../support/destination.ts'
import { disputing } from '../support/dispute.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { card, cards, type Merchant, type Reply, sale, transferSale } from '../support/merchant.ts'
import { settled } from '../support/settled.ts'
import { balanceOf } from '../support/platform.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { randomly } from '../support/story.ts'
import { beginOnClock, hour, minute } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'
import { depositInto, openAccount } from '../support/virtual-account.ts'

// Who is on a clock, who is not, and what buyers do while it advances.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = await useReceiver()
const seed = Number(process.env['SEED'] ?? 20261123)
const seeds = Number(process.env['SEEDS'] ?? 12)

test('attaching costs a process no event, and its end on the clock no more than without one', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const [member, other] = [await merchant.createCheckout(), await merchant.createCheckout()]
  await stack.dispatched()
  for (const { checkout_id } of [member, other]) await settled(stack.client, 'checkout', checkout_id)
  const before = await stack.historyLength('checkout', member.checkout_id)
  await attach({ checkout_id: member.checkout_id })
  assert.equal(await stack.historyLength('checkout', member.checkout_id), before)
  await advance({ by: 'PT2H' })
  await stack.finished('checkout', member.checkout_id)
  await merchant.cancel(other.checkout_id)
  await stack.finished('checkout', other.checkout_id)
  const length = (id: string) => stack.historyLength('checkout', id)
  const expiry = 3 // the signal in place of the timer, which is cancelled
  assert.ok((await length(member.checkout_id)) <= (await length(other.checkout_id)) + expiry)
})

test('while a clock advances, each buyer’s session ends once, by the same rule as without a clock', async () => {
  const pick = randomly(seed)
  for (let round = 0; round < seeds; round++) {
    const { merchant, attach, advance } = await beginOnClock(api)
    const sessions = []
    for (let n = 0; n < 3; n++)
      sessions.push(await merchant.createCheckout({ ...sale, expires_in_minutes: 10 + pick(20) }))
    await attach({ checkout_id: sessions.map(({ checkout_id }) => checkout_id) })
    const advancing = advance({ by: `PT${5 + pick(30)}M` })
    const pays = sessions.map(async (session) => {
      await setTimeout(pick(150))
      const choice = { payment_method: 'USD_CARD', card: card(cards.success) }
      return (await merchant.pay(session, { ...choice, confirm: true })).status
    })
    const [clock, ...statuses] = await Promise.all([advancing, ...pays])
    for (const [index, session] of sessions.entries()) {
      const { status } = await merchant.getCheckout(session.checkout_id)
      const wasPaid = statuses[index] === 200
      const isOver = Date.parse(clock.frozen_time) >= Date.parse(session.expires_at)
      assert.equal(status, wasPaid ? 'completed' : isOver ? 'expired' : 'open', `seed ${seed}, round ${round}`)
      // A payment that has begun in time may end later: a session does not expire while its rail is at work.
      const [payment] = await stack.sql<{ created_at: string }>(
        `select created_at from payments where checkout_id = ? and status = 'succeeded'`,
        [session.checkout_id],
      )
      assert.equal(payment !== undefined, wasPaid)
      const begun = payment ? new Date(payment.created_at).toISOString() : ''
      assert.ok(begun <= session.expires_at, `${begun} is not after ${session.expires_at}`)
    }
  }
})

test('nothing of those who are not on a clock ever has its time', async () => {
  const [one, other] = [await beginOnClock(api), await beginOnClock(api)]
  const begun = Date.now()
  const session = await one.merchant.createCheckout()
  await one.attach({ checkout_id: session.checkout_id })
  await one.advance({ by: 'P1Y' })
  for (const { merchant } of [one, other]) {
    const open = await merchant.createCheckout()
    assert.equal((await merchant.getCheckout(open.checkout_id))['status'], 'open')
    const charge = await merchant.chargeByCard()
    const { refund_id } = await merchant.refund(charge)
    await stack.dispatched()
    await stack.finished('refund', refund_id)
  }
  const tables = ['checkouts', 'payments', 'refunds']
  for (const table of tables) {
    const late = await stack.sql(`select id from ${table} where clock_id is null and updated_at > ?`, [
      new Date(Date.now() + minute),
    ])
    assert.deepEqual(late, [], table)
  }
  const accounts = [one.accountId, other.accountId]
  const events = await stack.sql<{ created_at: string; resource_id: string }>(
    'select created_at, resource_id from events where account_id in (?)',
    [accounts],
  )
  const ofOthers = events.filter(({ resource_id }) => resource_id !== session.checkout_id)
  assert.ok(ofOthers.length >= 6)
  for (const { created_at } of ofOthers) assert.ok(Date.parse(created_at) < begun + hour)
})

test('an advance waits for the end of a dispute that a refund has prevented, however late its process is', async () => {
  const { merchant, accountId, clock, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const disputes = disputing(merchant)
  const charge = await merchant.chargeByCard()
  const { dispute_id } = await disputes.raise(charge, { early_warning: true })
  const isRefunded = async () => (await merchant.getPayment(charge))['refund_status'] === 'full'
  const read = async () => (await merchant.call('GET', `/v1/test-helpers/clocks/${clock.clock_id}`)).body
  const { advancing } = await stack.database.orm.em.fork().transactional(async (holding) => {
    await lock(holding, Dispute, dispute_id)
    await merchant.refund(charge)
    await until(isRefunded, 'the charge is refunded')
    await stack.dispatched()
    const begun = advance({ by: 'PT1H' })
    await until(async () => (await read())['status'] === 'advancing', 'the clock advances')
    await setTimeout(500)
    const { status, frozen_time } = await read()
    assert.deepEqual([status, frozen_time], ['advancing', clock.frozen_time])
    return { advancing: begun }
  })
  await advancing
  assert.equal((await disputes.read(dispute_id)).status, 'prevented')
  const ended = await stack.sql<{ resolved_at: string }>('select resolved_at from disputes where id = ?', [dispute_id])
  assert.equal(new Date(String(ended[0]?.resolved_at)).toISOString(), clock.frozen_time)
})

test('the review of a destination that is restated on a clock begins by the clock, as the first one has', async () => {
  const { merchant, clock, attach, advance } = await beginOnClock(api)
  const destination = await register(merchant, 'NGN', leftOpen)
  await attach({ destination_id: destination.id })
  await advance({ by: 'PT80H' })
  await change(merchant, destination, { account_number: '0123460008' })
  await advance({ by: 'PT1H' })
  const reviews = await stack.sql<{ created_at: Date; escalated: boolean }>(
    `select created_at, escalated_at is not null as escalated from reviews
     where resource_id = ? order by revision`,
    [destination.id],
  )
  assert.deepEqual(
    reviews.map(({ escalated }) => escalated),
    [true, false],
  )
  const restatedAt = Date.parse(clock.frozen_time) + 80 * hour
  assert.equal(new Date(reviews[1]?.created_at ?? 0).getTime(), restatedAt)
})

test('a customer on a clock is changed at its time, by a key that is not on it and in the portal', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const { body: created } = await merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  const id = String(created['customer_id'])
  await attach({ customer_id: id })
  const { token } = await openPortal(merchant, id)
  const ways: Record<string, (name: string) => Promise<Reply>> = {
    'by key': (name) => merchant.call('PATCH', `/v1/customers/${id}`, { name }),
    'in the portal': (name) => portalCalls(merchant, token)('PATCH', 'me', { name }),
  }
  for (const [how, rename] of Object.entries(ways)) {
    const { frozen_time } = await advance({ by: 'P1D' })
    const answer = await rename(how)
    assert.equal(answer.status, 200, answer.text)
    const { body: customer } = await merchant.call('GET', `/v1/customers/${id}`)
    assert.partialDeepStrictEqual(customer, { name: how, updated_at: frozen_time })
    const events = await stack.sql<{ created_at: string; type: string }>(
      'select created_at, type from events where resource_id = ? order by sequence desc limit 1',
      [id],
    )
    assert.deepEqual(
      events.map(({ type, created_at }) => [type, new Date(created_at).toISOString()]),
      [['customer.updated', frozen_time]],
    )
  }
})

test('a sale that goes by the real time changes a customer on a clock at the time of the clock', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const { body: created } = await merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  const id = String(created['customer_id'])
  await attach({ customer_id: id })
  const { frozen_time } = await advance({ by: 'P300D' })
  const endpoint = withEndpoints(merchant)
  const endpointId = await endpoint.add({ url: receiver.url, events: ['customer.updated'] })
  const eventOf = async (resource: string) => {
    const [row] = await stack.sql<{ created_at: string; type: string }>(
      'select created_at, type from events where resource_id = ? order by sequence desc limit 1',
      [resource],
    )
    return { type: row?.type, created_at: new Date(row?.created_at ?? 0).toISOString() }
  }
  const assertChanged = async (wanted: object) => {
    const { body: customer } = await merchant.call('GET', `/v1/customers/${id}`)
    assert.partialDeepStrictEqual(customer, { ...wanted, updated_at: frozen_time })
    assert.deepEqual(await eventOf(id), { type: 'customer.updated', created_at: frozen_time })
  }
  const assertReal = (time: unknown) => assert.ok(String(time) < frozen_time, String(time))

  const named = await merchant.createCheckout({ ...sale, customer: { email: 'ada@example.com', name: 'Ada' } })
  await assertChanged({ name: 'Ada' })
  assertReal(named.expires_at)

  const bought = await merchant.createCheckout({ ...sale, customer_creation: 'always' })
  const customer_details = { email: 'ada@example.com', name: 'Another', phone_number: '+2348012345678' }
  const choice = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true, customer_details }
  assert.equal((await merchant.pay(bought, choice)).status, 200)
  await assertChanged({ name: 'Ada', phone_number: '+2348012345678' })
  assertReal((await eventOf(bought.checkout_id)).created_at)

  await endpoint.ended(endpointId)
  const deliveries = await stack.sql(
    `select d.status, d.clock_id = c.clock_id as is_on_clock, d.created_at = d.completed_at as is_at_once
     from deliveries d join customers c on c.id = ? where d.endpoint_id = ?`,
    [id, endpointId],
  )
  const delivered = { status: 'succeeded', is_on_clock: true, is_at_once: true }
  assert.deepEqual(deliveries, [delivered, delivered])
})

test('a buyer whose session joins a clock that is behind can still choose another payment method', async () => {
  const { merchant, accountId, attach } = await beginOnClock(api, { frozen_time: '2026-01-01T00:00:00Z' })
  const session = await merchant.createCheckout()
  const choose = (number: string) => merchant.pay(session, { payment_method: 'USD_CARD', card: card(number) })
  assert.equal((await choose(cards.declined)).status, 200)
  await attach({ account_id: accountId })
  const chosen = await choose(cards.success)
  assert.equal(chosen.status, 200, chosen.text)
})

test('a step that comes by the real time, as its process does not know of the clock yet, is too early', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const session = await merchant.createCheckout()
  await attach({ checkout_id: session.checkout_id })
  const { expireCheckout } = checkoutActivities(stack.deps)
  const { status, clockTime } = await expireCheckout(session.checkout_id, Date.now() + 2 * hour, false)
  assert.equal(status, 'open')
  assert.ok(clockTime !== null && clockTime < Date.parse(session.expires_at))
  const { happened } = await advance({ to: session.expires_at })
  assert.deepEqual(
    happened.map(({ step, at }) => [step, at]),
    [['expired', session.expires_at]],
  )
})

/** What an owner's agenda and the supervisor say of a session; both by the real time. */
async function awaited(merchant: Merchant, id: string): Promise<[inAgenda: boolean, isOpen: boolean]> {
  const agenda = await merchant.call('GET', '/v1/agenda?resource=checkout_session')
  const open = await filterOpen(stack.database.orm.em.fork(), 'checkout', [id], Date.now())
  return [agenda.text.includes(id), open.includes(id)]
}

/** A session that was cancelled while a bank transfer was on its way. */
async function awaitTransfer({ merchant, attach }: Awaited<ReturnType<typeof beginOnClock>>): Promise<string> {
  const session = await merchant.createCheckout(transferSale)
  await attach({ checkout_id: session.checkout_id })
  await merchant.payByTransfer(session)
  await merchant.cancel(session.checkout_id)
  await stack.dispatched()
  return session.checkout_id
}

test('a session on a clock ahead of the real time listens for late money until its clock says so, once', async () => {
  const ahead = await beginOnClock(api)
  const id = await awaitTransfer(ahead)
  const runOf = async () => (await stack.client.workflow.getHandle(`checkout/${id}`).describe()).runId
  const run = await runOf()
  assert.deepEqual(await awaited(ahead.merchant, id), [true, true])
  await ahead.advance({ by: 'P4D' })
  await stack.finished('checkout', id)
  assert.deepEqual(await awaited(ahead.merchant, id), [false, false], 'no process is missing')
  assert.equal(await runOf(), run, 'the advance waits for the end of its process, and does not start it again')
})

test('a session on a clock behind the real time listens for late money as long as its clock stands still', async () => {
  const behind = await beginOnClock(api, { frozen_time: '2026-01-01T00:00:00Z' })
  const id = await awaitTransfer(behind)
  assert.deepEqual(await awaited(behind.merchant, id), [true, true])
  await behind.advance({ by: 'P4D' })
  assert.deepEqual(await awaited(behind.merchant, id), [false, false])
})

test('a transfer into a virtual account of an attached account joins its clock, and settles by it', async () => {
  const frozen_time = '2026-01-01T00:00:00.000Z'
  const { merchant, accountId, clock, attach } = await beginOnClock(api, { frozen_time })
  const account = await openAccount(merchant, 'ada@example.com')
  await attach({ account_id: accountId })
  const { body: payment } = await depositInto(merchant, account, { amount: '5000.00' })
  assert.deepEqual([payment['status'], payment['completed_at']], ['succeeded', frozen_time])
  assert.deepEqual(await balanceOf(merchant, 'NGN'), ['4950.00', '0.00', '0.00', '0.00'])
  const made = await stack.sql('select clock_id from payments where id = ?', [payment['payment_id']])
  assert.deepEqual(made, [{ clock_id: clock.clock_id }])
})

test('CONFLICT: the account of a payment on a clock takes no transfer once it is too late by its clock', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const session = await merchant.createCheckout(transferSale)
  const { payment_id } = await merchant.payByTransfer(session)
  await attach({ checkout_id: session.checkout_id })
  await advance({ by: 'P5D' })
  assertError(await merchant.deposit(payment_id), 409, 'CONFLICT')
})

for (const frozen_time of ['2040-01-10T00:00:00.000Z', '2020-01-10T00:00:00.000Z']) {
  test(`an endpoint’s statistics count one time only, on a clock from ${frozen_time} on and after it`, async () => {
    const { merchant, clock, attach, advance } = await beginOnClock(api, { frozen_time })
    const { add, happen, ended, read } = withEndpoints(merchant)
    const counted = async () => ((await read(endpoint_id))['stats_24h'] as { succeeded: number }).succeeded
    const endpoint_id = await add({ url: receiver.url })
    await happen()
    await ended(endpoint_id)
    assert.equal(await counted(), 1, 'before')
    await attach({ endpoint_id })
    assert.equal(await counted(), 0, 'attached')
    for (let hours = 0; hours < 2; hours++) await happen().then(() => advance({ by: 'PT1H' }))
    await ended(endpoint_id)
    assert.equal(await counted(), 2, 'on the clock')
    await merchant.call('DELETE', `/v1/test-helpers/clocks/${clock.clock_id}`)
    assert.equal(await counted(), 1, 'after the clock')
  })
}
