import { processId } from '../../domain/processes.ts'
import type { Life } from './life.ts'
import { cards } from './merchant.ts'
import { settled } from './settled.ts'
import type { Stack } from './stack.ts'
import { laterCards, type Shown, subscriptionsOf } from './subscription.ts'
import { until } from './until.ts'

const dayMs = 86_400_000

type Plans = ReturnType<typeof subscriptionsOf>
type Then = (plans: Plans, begun: Shown, skip: (days: number) => Promise<void>) => Promise<unknown>
type Begin = Parameters<Plans['subscribe']>[0]

/** Begins a monthly subscription and does with it what the life is about; at the end it is canceled at once. */
const subscribed = (begin: Begin, then: Then): Life => ({
  process: 'subscription',
  async play(stack: Stack) {
    const plans = subscriptionsOf(stack)
    const begun = await plans.subscribe(begin)
    const id = begun.subscription_id
    const skip = async (days: number) => {
      await stack.skip(days * dayMs)
      await stack.dispatched()
      await settled(stack.client, 'subscription', id)
    }
    await then(plans, begun, skip)
    const { status } = await plans.read(id)
    if (status !== 'canceled') await plans.act(id, 'cancel', { at_period_end: false })
    await stack.dispatched()
    return id
  },
})

/** The first period, whose run ends by continuing in a new one; `begin` says how it is paid. */
const firstPeriod = (begin: Begin): Life => ({
  process: 'subscription',
  async play(stack) {
    const plans = subscriptionsOf(stack)
    const { subscription_id: id } = await plans.subscribe(begin)
    await settled(stack.client, 'subscription', id)
    const handle = stack.client.workflow.getHandle(processId('subscription', id))
    const { runId } = await handle.describe()
    await stack.skip(dueNow * dayMs)
    await until(async () => (await handle.describe()).runId !== runId, 'the next period is a new run')
    await plans.act(id, 'cancel', { at_period_end: false })
    await stack.dispatched()
    return { id, runId }
  },
})

const trial = { product: { recurring: { interval: 'month', interval_count: 1, trial_days: 14 } } }
const dueNow = 32

/** The last run of each life is recorded; a new period is a new run. The first periods are recorded too. */
export const lives: Record<string, Life> = {
  'subscription-first-period': firstPeriod({}),
  'subscription-first-period-not-paid': firstPeriod({ number: laterCards.declines }),
  'subscription-canceled-at-once': subscribed({}, async () => undefined),
  'subscription-renewed': subscribed({}, (_, __, skip) => skip(dueNow)),
  'subscription-trial-charged': subscribed(trial, async (_, __, skip) => {
    await skip(12)
    await skip(3)
  }),
  'subscription-canceled-at-its-end': subscribed({}, async (plans, { subscription_id: id }, skip) => {
    await plans.act(id, 'cancel', { reason: 'too_expensive' })
    await plans.act(id, 'uncancel')
    await plans.act(id, 'cancel')
    await skip(dueNow)
  }),
  'subscription-paused-and-resumed': subscribed({}, async (plans, { subscription_id: id }, skip) => {
    await plans.act(id, 'pause', { at_period_end: false })
    await skip(3)
    await plans.act(id, 'resume')
  }),
  'subscription-paused-until-a-day': subscribed({}, async (plans, { current_period_end: end, ...begun }, skip) => {
    const resumesAt = new Date(Date.parse(end) + 10 * dayMs).toISOString()
    await plans.act(begun.subscription_id, 'pause', { resumes_at: resumesAt })
    await skip(dueNow)
    await skip(12)
  }),
  'subscription-not-paid': subscribed({ number: laterCards.declines }, async (_, __, skip) => {
    for (const days of [dueNow, 3, 6, 8, 8]) await skip(days)
  }),
  'subscription-card-expired': subscribed({ number: laterCards.expires }, async (_, __, skip) => {
    for (const days of [dueNow, 22]) await skip(days)
  }),
  'subscription-paid-by-another-card': subscribed({ number: laterCards.declines }, async (plans, begun, skip) => {
    await skip(dueNow)
    const method = await plans.saveCard(begun.customer.id, cards.success)
    await plans.edit(begun.subscription_id, { payment_method_id: method })
  }),
  'subscription-charge-answered-late': subscribed({ number: laterCards.answersLate }, async (plans, begun, skip) => {
    await skip(dueNow)
    await plans.decideCharge(begun.subscription_id, true)
    await skip(2)
  }),
  'subscription-plan-changed': subscribed({}, async (plans, { subscription_id: id }, skip) => {
    await plans.act(id, 'change-plan', { quantity: 3 })
    await skip(1)
    await plans.act(id, 'change-plan', { quantity: 2, proration: 'next_period' })
    await skip(dueNow)
  }),
}
