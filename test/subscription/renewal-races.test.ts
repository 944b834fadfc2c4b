import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { openInvoice } from '../../commands/subscription/invoice.ts'
import { inTransaction, lock } from '../../db/core/database.ts'
import { Subscription, SubscriptionChange } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import { planLine } from '../../domain/subscription/invoice.ts'
import { checkInvariants } from '../support/invariants.ts'
import { whileLocked } from '../support/locked.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { randomly } from '../support/story.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'
import { untilLockWaits } from '../support/lock-waits.ts'

const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const seeds = Number(process.env['RACES'] ?? 40)
const start = Date.parse('2027-03-31T08:00:00Z')
const { product_id: product } = await lives.plans.createProduct()

/** A subscription whose period has just ended, and the moment. */
async function atRenewal(number = cards.success) {
  const id = await lives.begin(product, number, start)
  await stack.sql('delete from outbox') // no process runs
  const { current_period_end: end, customer } = await lives.plans.read(id)
  return { id, customer, at: Date.parse(end) + 60_000 }
}

const chargesOf = (id: string) =>
  stack.sql<{ executions: number; invoice: string }>(
    `select c.executions, p.invoice_id as invoice from payments p join simulated_charges c on c.payment_id = p.id
     where p.subscription_id = ? and p.status = 'succeeded'`,
    [id],
  )

test(`a renewal while its customer changes something: ${seeds} races, each invoice is paid once`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const pick = randomly(seed)
    const { id, customer, at } = await atRenewal(pick(2) === 0 ? cards.success : laterCards.declines)
    const method = await lives.saveCard(customer.id, cards.success, at)
    const [line] = (await lives.plans.read(id)).line_items
    assert.ok(line)
    const changes: ChangeRequest[] = [
      { kind: 'cancel', at_period_end: pick(2) === 0, reason: null, comment: null },
      { kind: 'edit', payment_method_id: method },
      { kind: 'pause', at_period_end: pick(2) === 0, resumes_at: null },
      { kind: 'retryPayment' },
      {
        kind: 'changePlan',
        line_items: [{ ...line, quantity: 2, line_total: '50.00' }],
        interval: 'month',
        interval_count: 1,
        proration: 'prorate',
      },
    ]
    const chosen = [0, 1].map(() => changes[pick(changes.length)] as ChangeRequest)
    const late = async (ms: number, work: () => Promise<unknown>) => {
      await sleep(ms)
      return work()
    }
    // Two workers carry out the renewal, as one of them was thought dead.
    await Promise.all([
      lives.settle(id, at),
      late(pick(8), () => lives.settle(id, at)),
      ...chosen.map((what) => late(pick(15), () => lives.ask(id, what, at))),
    ])
    await lives.settle(id, at)
    const paid = await chargesOf(id)
    assert.ok(
      paid.every(({ executions }) => executions === 1),
      `seed ${seed}`,
    )
    assert.equal(
      new Set(paid.map(({ invoice }) => invoice)).size,
      paid.length,
      `seed ${seed}: ${JSON.stringify(chosen)}`,
    )
  }
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a worker killed between any two steps of a renewal: one charge, and the period is told once', async () => {
  const cardSetups = stack.deps.rails.in('sandbox').cardSetupsOf('USD_CARD')
  const { chargeSaved } = cardSetups
  const faults = ['before the order', 'after the order', 'none'] as const
  for (const fault of faults) {
    for (const repeated of ['takeSubscriptionStep', 'chargeSubscription', 'readSubscription'] as const) {
      const { id, at } = await atRenewal()
      let cuts = fault === 'none' ? 0 : 1
      const cutAt = (where: typeof fault) => {
        if (cuts === 0 || where !== fault) return
        cuts -= 1
        throw new Error('the worker is killed')
      }
      cardSetups.chargeSaved = async (order, moment) => {
        cutAt('before the order')
        const answer = await chargeSaved(order, moment)
        cutAt('after the order')
        return answer
      }
      await lives.steps.takeSubscriptionStep(id, at)
      await lives.steps.chargeSubscription(id, at).catch(() => undefined)
      await lives.steps[repeated](id, at)
      // The new worker begins with what the row says.
      for (const again of [1, 2]) await lives.settle(id, at + again * 6 * 60_000)
      cardSetups.chargeSaved = chargeSaved
      const paid = await chargesOf(id)
      assert.deepEqual(
        paid.map(({ executions }) => executions),
        [1, 1],
        `${fault}, ${repeated}`,
      )
      const told = await lives.plans.events(id)
      assert.equal(told.filter((type) => type === 'customer.subscription.renewed').length, 1, `${fault}, ${repeated}`)
    }
  }
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a change that commits after its test clock has gone on tells its process of the time', async () => {
  const { id, at } = await atRenewal()
  await stack.sql(
    `insert into test_clocks (id, account_id, environment, name, frozen_time, created_at, updated_at)
     select 'clk_race', account_id, environment, 'A clock', ?, now(), now() from subscriptions where id = ?`,
    [new Date(at - 86_400_000), id],
  )
  await stack.sql(`update subscriptions set clock_id = 'clk_race' where id = ?`, [id])
  const em = stack.database.orm.em.fork()
  const change = { id: newId('call', at), subscriptionId: id, by: 'merchant' as const, createdAt: new Date(at) }
  const what = { kind: 'edit' as const, metadata: { a: 'b' } }
  await em.insert(SubscriptionChange, { ...change, what, appliedAt: null })
  const applied = await whileLocked(stack, 'events', async () => {
    const applying = lives.steps.applySubscriptionChange(id, change.id, at)
    await untilLockWaits(stack.database, 'the change waits')
    await stack.sql(`update test_clocks set frozen_time = ? where id = 'clk_race'`, [new Date(at)])
    return { applying }
  })
  assert.equal((await applied.applying).clockTime, at)
})

test('50 invoices opened at once, and some of them rolled back: their numbers have no gap', async () => {
  const made: Awaited<ReturnType<typeof atRenewal>>[] = []
  // Ten at a time: only the invoices have to be opened at once.
  while (made.length < 50) made.push(...(await Promise.all(Array.from({ length: 10 }, () => atRenewal()))))
  const open = ({ id, at }: { id: string; at: number }, fails: boolean) =>
    inTransaction({ ...stack.database, publicUrl: stack.baseUrl }, async (em) => {
      const subscription = await lock(em, Subscription, id)
      const period = { start: at, end: at + 1_000 }
      const lines = subscription.lineItems.map((item) => planLine(item, period))
      await openInvoice(em, subscription, { reason: 'subscription_update', lines, period, dueAt: at }, at)
      await em.flush()
      if (fails) throw new Error('rolled back')
    })
  const results = await Promise.allSettled(made.map((each, index) => open(each, index % 5 === 0)))
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 10)
  const rows = await stack.sql<{ number: string }>('select number from invoices order by number')
  assert.deepEqual(
    rows.map(({ number }) => Number(number.slice(4))),
    rows.map((_, index) => index + 1),
  )
})
