import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SubscriptionChange } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import {
  subscriptionMoves,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../../domain/subscription/subscription.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards, monthly } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// What is asked of a subscription in each of its states. The stack has no workers, so nothing happens besides.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const dayMs = 86_400_000
const start = Date.parse('2027-03-31T08:00:00Z')
const { product_id: plan } = await lives.plans.createProduct()
const { product_id: tried } = await lives.plans.createProduct({ recurring: { ...monthly, trial_days: 14 } })

test('the contract lists the transitions of a subscription as they are', () => {
  const contract = readFileSync(join(ROOT, 'docs/contract/subscription.md'), 'utf8')
  const rows = [...contract.matchAll(/^\| `(\w+)` \|[^|]*\|([^|(]*)[^|]*\|$/gm)]
  const listed = rows.map(([, from, to]) => [from, [...String(to).matchAll(/`(\w+)`/g)].map(([, each]) => each)])
  assert.deepEqual(Object.fromEntries(listed.filter(([from]) => String(from) in subscriptionMoves)), subscriptionMoves)
})

/** Makes a subscription in a state, and returns it with the moment. */
const made: Record<SubscriptionStatus, () => Promise<{ id: string; at: number }>> = {
  trialing: async () => ({ id: await lives.begin(tried, cards.success, start), at: start + dayMs }),
  active: async () => ({ id: await lives.begin(plan, cards.success, start), at: start + dayMs }),
  async past_due() {
    const id = await lives.begin(plan, laterCards.declines, start)
    await lives.advance(id, start, start + 31 * dayMs)
    return { id, at: start + 31 * dayMs }
  },
  async paused() {
    const { id, at } = await made.active()
    await lives.ask(id, { kind: 'pause', at_period_end: false, resumes_at: null }, at)
    return { id, at }
  },
  async canceled() {
    const { id, at } = await made.active()
    await lives.ask(id, { kind: 'cancel', at_period_end: false, reason: null, comment: null }, at)
    return { id, at }
  },
}

type Asked = (id: string, at: number) => Promise<ChangeRequest>
const asks =
  (what: ChangeRequest): Asked =>
  async () =>
    what
const changePlan =
  (proration: 'prorate' | 'next_period' | 'none'): Asked =>
  async (id) => {
    const [line] = (await lives.plans.read(id)).line_items
    assert.ok(line)
    const line_items = [{ ...line, quantity: 2, line_total: '50.00' }]
    return { kind: 'changePlan', line_items, interval: 'month', interval_count: 1, proration }
  }
const ending = { reason: null, comment: null }
const [running, alive] = [
  ['trialing', 'active', 'past_due'],
  ['trialing', 'active', 'past_due', 'paused'],
] as const

/** Each action, with the states in which it is possible. */
const actions: Record<string, [asked: Asked, possible: readonly SubscriptionStatus[]]> = {
  'change the metadata': [asks({ kind: 'edit', metadata: { a: 'b' } }), subscriptionStatuses],
  'name another card': [
    async (id, at) => {
      const { customer } = await lives.plans.read(id)
      return { kind: 'edit', payment_method_id: await lives.saveCard(customer.id, cards.success, at) }
    },
    alive,
  ],
  'move the end of the trial': [
    async (_, at) => ({ kind: 'edit', trial_end: new Date(at + 20 * dayMs).toISOString() }),
    ['trialing'],
  ],
  'cancel at the end of the period': [asks({ kind: 'cancel', at_period_end: true, ...ending }), alive],
  'cancel now': [asks({ kind: 'cancel', at_period_end: false, ...ending }), alive],
  'take a cancellation back': [asks({ kind: 'uncancel' }), []],
  'pause now': [asks({ kind: 'pause', at_period_end: false, resumes_at: null }), running],
  'pause at the end of the period': [asks({ kind: 'pause', at_period_end: true, resumes_at: null }), running],
  resume: [asks({ kind: 'resume' }), ['paused']],
  'change the plan, prorated': [changePlan('prorate'), ['trialing', 'active']],
  'change the plan for the next period': [changePlan('next_period'), alive],
  'change the plan and charge nothing': [changePlan('none'), alive],
  'try the payment again': [asks({ kind: 'retryPayment' }), ['past_due']],
}

/** Everything that a refused change must leave as it was. */
const stateOf = async (id: string): Promise<string> =>
  JSON.stringify([
    await stack.sql('select * from subscriptions where id = ?', [id]),
    await stack.sql('select * from invoices where subscription_id = ? order by id', [id]),
    await stack.sql('select * from payments where subscription_id = ? order by id', [id]),
    await stack.sql('select type from events where resource_id = ? order by sequence', [id]),
  ])

for (const [action, [asked, possible]] of Object.entries(actions)) {
  test(`CONFLICT: ${action} is possible in the states that allow it, and changes nothing in the others`, async () => {
    for (const status of subscriptionStatuses) {
      const { id, at } = await made[status]()
      assert.equal((await lives.plans.read(id)).status, status)
      const what = await asked(id, at)
      const before = await stateOf(id)
      const changeId = newId('call', at)
      const em = stack.database.orm.em.fork()
      const row = { id: changeId, subscriptionId: id, by: 'merchant' as const, what, appliedAt: null }
      await em.insert(SubscriptionChange, { ...row, createdAt: new Date(at) })
      const applied = lives.steps.applySubscriptionChange(id, changeId, at)
      if (possible.includes(status)) {
        await applied
        assert.notEqual(await stateOf(id), before, `${action}: ${status}`)
        const once = await stateOf(id)
        await lives.steps.applySubscriptionChange(id, changeId, at)
        assert.equal(await stateOf(id), once, `${action}: ${status}, twice`)
      } else {
        const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'CONFLICT'
        await assert.rejects(applied, isConflict, `${action}: ${status}`)
        assert.equal(await stateOf(id), before, `${action}: ${status}`)
      }
    }
  })
}
