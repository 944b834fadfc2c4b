import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlans, liveRandomly } from '../support/random-subscriptions.ts'
import { checkInvariants } from '../support/invariants.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'
import { liftRateLimits } from '../support/rows.ts'

const stack = await useStack({ workers: false })
const lives = livesOf(stack)
const first = Number(process.env['SEED'] ?? 1)
const count = Number(process.env['LIVES'] ?? 14)

test(`${count} random lives: no time is charged twice, nothing after the end, one invoice a period`, async () => {
  await liftRateLimits(stack)
  const sold = await createPlans(lives)
  const logs: string[][] = []
  for (let seed = first; seed < first + count; seed++) {
    logs.push(await liveRandomly(lives, sold, seed))
    await stack.sql('delete from outbox') // no process runs
  }
  const seen = await stack.sql<{ what: string }>(
    `select distinct status as what from subscriptions
     union all select distinct billing_reason || ' ' || status from invoices
     union all select distinct 'payment ' || status from payments
     union all select distinct type from events where type like 'customer.sub%'`,
  )
  const reached = new Set(seen.map(({ what }) => what))
  const wanted = ['active', 'canceled', 'subscription_update paid', 'subscription_cycle void', 'payment failed']
  const told = ['past_due', 'paused', 'resumed', 'renewed'].map((what) => `customer.subscription.${what}`)
  assert.deepEqual(
    [...wanted, ...told].filter((what) => !reached.has(what)),
    [],
    'the lives differ enough',
  )
  // No invariant of every database: the payments of older releases have the lines of the subscription.
  const unequal = await stack.sql(`select id from payments p where line_items is not null and (
    select sum((line ->> 'line_total')::numeric) from jsonb_array_elements(line_items) line
    ) <> coalesce(base_amount, amount - case fee_preference when 'customer_pays' then fee else 0 end)`)
  assert.deepEqual(unequal, [], 'the lines of a payment add up to its price, or there are none')
  const broken = await checkInvariants(stack.database)
  const about = logs.filter((log) => broken.some((line) => line.includes(log[0]?.split(' ')[2] ?? '-')))
  assert.deepEqual(
    broken,
    [],
    about
      .map((log) => log.join('\n'))
      .slice(0, 2)
      .join('\n\n'),
  )
})
