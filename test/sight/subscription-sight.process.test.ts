import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spreadOf } from '../../domain/subscription/next-step.ts'
import { assertError } from '../support/api.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { laterCards, monthly, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What is seen of subscriptions and invoices: what has happened, what they wait for, and what is overdue.
const day = 86_400_000
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const api = await useApi(stack)
const plans = subscriptionsOf(stack)
const ada = await addStaff(stack)

type Wait = Record<'resource' | 'waiting_on' | 'reason', string> & Record<'wakes_at' | 'expected_by', string | null>
const after = (at: unknown, ms: number) => new Date(Date.parse(String(at)) + ms).toISOString()

/** What a subscription waits for, as its own agenda and that of the account say. */
async function waitsOf(id: string): Promise<unknown[]> {
  await stack.dispatched()
  await settled(stack.client, 'subscription', id)
  const { items } = await plans.ok<{ items: Wait[] }>('GET', `/v1/subscriptions/${id}/agenda`)
  const listed = await plans.ok<{ items: (Wait & { resource_id: string })[] }>(
    'GET',
    '/v1/agenda?resource=subscription',
  )
  const own = listed.items.filter(({ resource_id }) => resource_id === id)
  assert.deepEqual(
    own,
    items.filter(({ resource, wakes_at }) => resource === 'subscription' && wakes_at !== null),
  )
  for (const { wakes_at, expected_by, reason } of items) if (reason !== 'charge') assert.equal(expected_by, wakes_at)
  return items.map(({ waiting_on, reason, wakes_at }) => [waiting_on, reason, wakes_at])
}
const skipTo = async (moment: unknown) => stack.skip(Date.parse(String(moment)) - (await stack.clock.now()) + 1)

/** Ends a subscription now: it waits for nothing any more. */
async function end(id: string): Promise<void> {
  await plans.act(id, 'cancel', { at_period_end: false })
  assert.equal(await stack.finished('subscription', id), 'canceled')
  const { items } = await plans.ok<{ items: Wait[] }>('GET', `/v1/subscriptions/${id}/agenda`)
  assert.deepEqual(items, [])
}

test('a trial waits for its announcement, then for its end, then for the end of each period', async () => {
  const trial = { recurring: { ...monthly, trial_days: 14 } }
  const { subscription_id: id, trial_end } = await plans.subscribe({ product: trial })
  const spread = spreadOf(id)
  const announced = after(trial_end, -3 * day)
  assert.deepEqual(await waitsOf(id), [['next_period', 'trial_reminder', announced]])
  await skipTo(announced)
  await plans.mailed(id, 1)
  assert.deepEqual(await waitsOf(id), [['next_period', 'period_end', after(trial_end, spread)]])
  await skipTo(after(trial_end, spread))
  const { current_period_end } = await plans.until(id, ({ status }) => status === 'active')
  assert.deepEqual(await waitsOf(id), [['next_period', 'period_end', after(current_period_end, spread)]])
  await plans.act(id, 'cancel')
  assert.deepEqual(await waitsOf(id), [['next_period', 'period_end', current_period_end]], 'an end is not spread')
  await end(id)
})

test('an unpaid renewal waits for the next charge, and one that is declined for good for its end', async () => {
  const one = await plans.subscribe({ number: laterCards.declines })
  const other = await plans.subscribe({ number: laterCards.expires })
  await skipTo(after(other.current_period_end, 60_000))
  for (const { subscription_id } of [one, other])
    await plans.until(subscription_id, ({ status }) => status === 'past_due')
  const { past_due_at: failed, next_payment_attempt_at: next } = await plans.read(one.subscription_id)
  assert.equal(next, after(failed, 2 * day))
  assert.deepEqual(await waitsOf(one.subscription_id), [['buyer', 'payment_attempt', next]])
  const { past_due_at } = await plans.read(other.subscription_id)
  assert.deepEqual(await waitsOf(other.subscription_id), [['buyer', 'dunning_end', after(past_due_at, 21 * day)]])
  for (const { subscription_id } of [one, other]) await end(subscription_id)
})

test('a customer who pays invoices waits for the next one, and a paused subscription for its resumption', async () => {
  const { product_id } = await plans.createProduct({ currency: 'NGN', amount: '5000.00' })
  const session = await plans.createSession(product_id)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await stack.merchant.deposit(payment_id)
  const bought = async () => {
    const { recurring } = (await stack.merchant.getCheckout(session.checkout_id)) as {
      recurring: Record<string, unknown>
    }
    return recurring['subscription_id']
  }
  await until(async () => Boolean(await bought()), 'the subscription has begun')
  const id = String(await bought())
  const { current_period_end } = await plans.read(id)
  assert.deepEqual(await waitsOf(id), [['next_period', 'invoice_opening', after(current_period_end, -3 * day)]])
  await skipTo(after(current_period_end, -3 * day))
  await until(async () => (await plans.invoices(id)).length === 2, 'the next invoice is open')
  assert.deepEqual(await waitsOf(id), [['next_period', 'period_end', current_period_end]])
  const resumes_at = after(current_period_end, 40 * day)
  await plans.act(id, 'pause', { at_period_end: false, resumes_at })
  assert.deepEqual(await waitsOf(id), [['merchant', 'resumption', resumes_at]])
  await plans.act(id, 'resume')
  await plans.act(id, 'pause', { at_period_end: false })
  assert.deepEqual(await waitsOf(id), [['merchant', 'resumption', null]])
  await end(id)
})

test('a charge that could not be made is overdue: staff find it in the stuck list, and its page opens', async () => {
  const { subscription_id: id } = await plans.subscribe()
  await waitsOf(id)
  const since = new Date(await stack.clock.now())
  await stack.sql('update subscriptions set charge_due_at = ? where id = ?', [since, id])
  const waits = await waitsOf(id)
  assert.deepEqual(waits[0], ['rail', 'charge', since.toISOString()])
  await stack.skip(2 * 3_600_000)
  const { body } = await ada.call('GET', '/api/v1/admin/stuck?resource=subscription')
  const [stuck] = body['items'] as unknown as Record<string, unknown>[]
  assert.deepEqual([stuck?.['id'], stuck?.['reason'], stuck?.['process_id']], [id, 'charge', `subscription/${id}`])
  assert.deepEqual([stuck?.['amount'], stuck?.['currency'], stuck?.['status']], ['25.00', 'USD', 'active'])
  const timeline = await ada.call('GET', `/api/v1/admin/timelines/${id}`)
  assert.equal(timeline.body['resource'], 'subscription')
  const { workflow_id } = timeline.body['process'] as unknown as { workflow_id: string }
  assert.equal(workflow_id, `subscription/${id}`)
  assert.deepEqual(timeline.body['actions'], [])
  await end(id)
})

test('a subscription tells of its invoices and payments in their order, and an invoice of its payments', async () => {
  const begun = await plans.subscribe()
  const id = begun.subscription_id
  await skipTo(after(begun.current_period_end, 60_000))
  await plans.until(id, ({ current_period_start: start }) => start === begun.current_period_end)
  await until(async () => (await plans.invoices(id)).at(-1)?.status === 'paid', 'the renewal is paid')
  const [first, second] = await plans.invoices(id)
  type Item = { step: string; actor: string; details: object; resource_id: string; event_ids: string[] }
  const read = (path: string) =>
    plans.ok<{ status: string; waiting_on: string | null; items: Item[] }>('GET', `/v1/${path}/timeline`)
  const told = ({ items }: { items: Item[] }) => items.map(({ step, actor, details }) => [step, actor, details])
  const invoice = (of: typeof first) => ({ invoice_id: of?.invoice_id })
  const payment = (of: typeof first) => ({ payment_id: of?.['payment_id'] })
  const timeline = await read(`subscriptions/${id}`)
  assert.deepEqual([timeline.status, timeline.waiting_on], ['active', 'next_period'])
  // The payment of the checkout has begun before, or at the same moment.
  assert.deepEqual(timeline.items.filter(({ actor }) => actor === 'buyer').length, 1)
  assert.deepEqual(told({ items: timeline.items.filter(({ actor }) => actor !== 'buyer') }), [
    ['active', 'system', {}],
    ['open', 'system', invoice(first)],
    ['succeeded', 'rail', payment(first)],
    ['paid', 'rail', invoice(first)],
    ['open', 'system', invoice(second)],
    ['processing', 'system', payment(second)],
    ['succeeded', 'rail', payment(second)],
    ['paid', 'rail', invoice(second)],
  ])
  const ofInvoice = await read(`invoices/${second?.invoice_id}`)
  assert.deepEqual([ofInvoice.status, ofInvoice.waiting_on], ['paid', null])
  assert.deepEqual(told(ofInvoice), [
    ['open', 'system', {}],
    ['processing', 'system', payment(second)],
    ['succeeded', 'rail', payment(second)],
    ['paid', 'rail', {}],
  ])
  const events = await stack.sql<{ id: string }>(`select id from events where resource_id = ?`, [second?.invoice_id])
  assert.deepEqual(
    ofInvoice.items.at(-1)?.event_ids,
    events.map((event) => event.id),
  )
  const { merchant: stranger } = await api.addMerchant()
  for (const path of [`subscriptions/${id}`, `invoices/${second?.invoice_id}`]) {
    for (const what of ['timeline', 'agenda'])
      assertError(await stranger.call('GET', `/v1/${path}/${what}`), 404, 'NOT_FOUND')
  }
  await end(id)
  const ended = await read(`subscriptions/${id}`)
  assert.deepEqual(ended.items.at(-1)?.step, 'canceled')
  assert.deepEqual([ended.waiting_on, ended.items.at(-1)?.actor], [null, 'merchant'])
})
