import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkInvariants } from '../support/invariants.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards, monthly } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// What a pause leaves behind, and what is announced when the end of a trial is moved. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const start = Date.parse('2027-03-31T08:00:00Z')
const dayMs = 86_400_000
const { product_id: product } = await lives.plans.createProduct()
const iso = (at: number) => new Date(at).toISOString()
const pauseNow = (resumesAt: number | null = null) =>
  ({ kind: 'pause', at_period_end: false, resumes_at: resumesAt === null ? null : iso(resumesAt) }) as const

/** The types of the events about a subscription after its begin, without what they have in common. */
const told = async (id: string) =>
  (await lives.plans.events(id)).slice(1).map((type) => type.replace('customer.subscription.', ''))

/** A subscription that is paused while the network works on its renewal. */
async function pausedWhileCharged() {
  const id = await lives.begin(product, laterCards.answersLate, start)
  const at = Date.parse((await lives.plans.read(id)).current_period_end) + 60_000
  const { paymentId } = await lives.settle(id, at)
  assert.ok(paymentId)
  assert.equal(await lives.ask(id, pauseNow(), at + 1_000), 'done')
  const decide = async (succeeds: boolean, moment: number) => {
    await lives.decide(paymentId, succeeds)
    await lives.steps.lookUpSubscriptionPayment(id, paymentId, moment)
    await lives.settle(id, moment)
  }
  return { id, at, decide }
}

test('a renewal that fails in a pause is charged after it, and is told as past due if that fails too', async () => {
  const { id, at, decide } = await pausedWhileCharged()
  await decide(false, at + 2_000)
  assert.equal(await lives.ask(id, { kind: 'resume' }, at + dayMs), 'done')
  const { paymentId } = await lives.settle(id, at + dayMs)
  assert.equal((await lives.plans.read(id)).status, 'active', 'it is being charged')
  await lives.decide(paymentId ?? '', false)
  await lives.steps.lookUpSubscriptionPayment(id, paymentId ?? '', at + dayMs + 1_000)
  await lives.settle(id, at + dayMs + 1_000)
  const { status, ...shown } = await lives.plans.read(id)
  assert.deepEqual([status, shown['past_due_at']], ['past_due', iso(at + dayMs + 1_000)])
  assert.deepEqual(await told(id), ['paused', 'resumed', 'past_due'])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a renewal on which the network still works after a pause is not past due', async () => {
  const { id, at, decide } = await pausedWhileCharged()
  assert.equal(await lives.ask(id, { kind: 'resume' }, at + dayMs), 'done')
  assert.equal((await lives.plans.read(id)).status, 'active')
  await decide(true, at + 2 * dayMs)
  assert.deepEqual(await told(id), ['paused', 'resumed', 'renewed'])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a period that is paid during a pause is told as renewed when it is paid, and once', async () => {
  const { id, at, decide } = await pausedWhileCharged()
  await decide(true, at + 2_000)
  assert.deepEqual(await told(id), ['paused', 'renewed'])
  const [event] = await stack.sql<{ status: string }>(
    `select body::jsonb #>> '{data,status}' as status from events
      where resource_id = ? and type = 'customer.subscription.renewed'`,
    [id],
  )
  assert.equal(event?.status, 'paused', 'as it stands at that moment')
  assert.equal(await lives.ask(id, { kind: 'resume' }, at + dayMs), 'done')
  assert.deepEqual(await told(id), ['paused', 'renewed', 'resumed'])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('what was past due before a pause is past due after it, and is not told again', async () => {
  const id = await lives.begin(product, laterCards.declines, start)
  await lives.advance(id, start, start + 31 * dayMs)
  const { past_due_at: since } = await lives.plans.read(id)
  assert.equal(await lives.ask(id, pauseNow(), start + 32 * dayMs), 'done')
  assert.equal(await lives.ask(id, { kind: 'resume' }, start + 33 * dayMs), 'done')
  const { status, past_due_at: after } = await lives.plans.read(id)
  assert.deepEqual([status, after], ['past_due', since])
  assert.deepEqual(await told(id), ['past_due', 'paused', 'resumed'])
})

test('an outage over resumes_at moves no period', async () => {
  // Its period still ran at that moment, and has ended since.
  const running = await lives.begin(product, cards.success, start)
  const { current_period_end: end } = await lives.plans.read(running)
  assert.equal(await lives.ask(running, pauseNow(start + 5 * dayMs), start + dayMs), 'done')
  await lives.settle(running, Date.parse(end) + 2 * dayMs)
  assert.equal((await lives.plans.read(running)).current_period_start, end)
  // Its period had ended.
  const over = await lives.begin(product, cards.success, start)
  assert.equal(await lives.ask(over, pauseNow(Date.parse(end) + 3 * dayMs), start + dayMs), 'done')
  await lives.settle(over, Date.parse(end) + 5 * dayMs)
  assert.equal((await lives.plans.read(over)).current_period_start, iso(Date.parse(end) + 3 * dayMs))
  assert.deepEqual(await told(over), ['paused', 'resumed', 'renewed'])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('CONFLICT: a pause that was planned is over once the subscription has ended', async () => {
  const id = await lives.begin(product, cards.success, start)
  const pause = { kind: 'pause', at_period_end: true, resumes_at: null } as const
  assert.equal(await lives.ask(id, pause, start + dayMs), 'done')
  const cancel = { kind: 'cancel', at_period_end: false, reason: null, comment: null } as const
  assert.equal(await lives.ask(id, cancel, start + dayMs), 'done')
  assert.equal((await lives.plans.read(id))['pause_at_period_end'], false)
  assert.equal(await lives.ask(id, { kind: 'resume' }, start + 2 * dayMs), 'the subscription is canceled')
  assert.equal((await told(id)).at(-1), 'canceled')
})

test('the end of a trial that is moved is announced: at once where it is near, and never where it is now', async () => {
  const { product_id: tried } = await lives.plans.createProduct({ recurring: { ...monthly, trial_days: 14 } })
  const move = (id: string, at: number, end: number | 'now') =>
    lives.ask(id, { kind: 'edit', trial_end: end === 'now' ? end : iso(end) }, at)
  const announced = async (id: string) => (await told(id)).filter((type) => type === 'trial_will_end').length

  const near = await lives.begin(tried, cards.success, start)
  assert.equal(await move(near, start + dayMs, start + 2 * dayMs), 'done')
  assert.equal(await announced(near), 1)
  const mails = await stack.sql<{ kind: string }>('select kind from subscription_mails where subscription_id = ?', [
    near,
  ])
  assert.deepEqual(mails, [{ kind: 'trial_ending' }])
  assert.equal(await move(near, start + dayMs + 1, start + 2 * dayMs), 'done')
  assert.equal(await announced(near), 1, 'the same end is not announced again')

  const now = await lives.begin(tried, cards.success, start)
  assert.equal(await move(now, start + dayMs, 'now'), 'done')
  assert.equal(await announced(now), 0)

  const later = await lives.begin(tried, cards.success, start)
  assert.equal(await move(later, start + dayMs, start + 20 * dayMs), 'done')
  await lives.advance(later, start + dayMs, start + 17 * dayMs - 1)
  assert.equal(await announced(later), 0)
  await lives.advance(later, start + 17 * dayMs - 1, start + 17 * dayMs)
  assert.equal(await announced(later), 1)
})

test('after an outage over the end of a trial nobody is told that it will end', async () => {
  const { product_id: tried } = await lives.plans.createProduct({ recurring: { ...monthly, trial_days: 14 } })
  const id = await lives.begin(tried, cards.success, start)
  await lives.settle(id, start + 15 * dayMs)
  assert.deepEqual(await told(id), ['renewed'])
  const kinds = await stack.sql<{ kind: string }>('select kind from subscription_mails where subscription_id = ?', [id])
  assert.deepEqual(kinds, [{ kind: 'receipt' }])
  // A reminder that comes late, but before the end, is still told.
  const late = await lives.begin(tried, cards.success, start)
  await lives.settle(late, start + 14 * dayMs - 1)
  assert.deepEqual(await told(late), ['trial_will_end'])
})
