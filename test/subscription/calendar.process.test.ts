import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000
/** Events in the history of one run: the budget of a period (docs of the architecture). */
const eventsMax = 60

/** The boundaries of the periods, as a calendar has them, each at 10:00 in UTC. Written by hand, not computed. */
const boundaries: Record<string, string> = {
  'each month, from 2028-01-28': `
    2028-01-28 2028-02-28 2028-03-28 2028-04-28 2028-05-28 2028-06-28 2028-07-28 2028-08-28 2028-09-28
    2028-10-28 2028-11-28 2028-12-28 2029-01-28 2029-02-28 2029-03-28 2029-04-28 2029-05-28 2029-06-28
    2029-07-28 2029-08-28 2029-09-28 2029-10-28 2029-11-28 2029-12-28 2030-01-28`,
  'each month, from 2028-01-29': `
    2028-01-29 2028-02-29 2028-03-29 2028-04-29 2028-05-29 2028-06-29 2028-07-29 2028-08-29 2028-09-29
    2028-10-29 2028-11-29 2028-12-29 2029-01-29 2029-02-28 2029-03-29 2029-04-29 2029-05-29 2029-06-29
    2029-07-29 2029-08-29 2029-09-29 2029-10-29 2029-11-29 2029-12-29 2030-01-29`,
  'each month, from 2028-01-30': `
    2028-01-30 2028-02-29 2028-03-30 2028-04-30 2028-05-30 2028-06-30 2028-07-30 2028-08-30 2028-09-30
    2028-10-30 2028-11-30 2028-12-30 2029-01-30 2029-02-28 2029-03-30 2029-04-30 2029-05-30 2029-06-30
    2029-07-30 2029-08-30 2029-09-30 2029-10-30 2029-11-30 2029-12-30 2030-01-30`,
  'each month, from 2028-01-31': `
    2028-01-31 2028-02-29 2028-03-31 2028-04-30 2028-05-31 2028-06-30 2028-07-31 2028-08-31 2028-09-30
    2028-10-31 2028-11-30 2028-12-31 2029-01-31 2029-02-28 2029-03-31 2029-04-30 2029-05-31 2029-06-30
    2029-07-31 2029-08-31 2029-09-30 2029-10-31 2029-11-30 2029-12-31 2030-01-31`,
  'each month, from 2028-02-29': `
    2028-02-29 2028-03-29 2028-04-29 2028-05-29 2028-06-29 2028-07-29 2028-08-29 2028-09-29 2028-10-29
    2028-11-29 2028-12-29 2029-01-29 2029-02-28 2029-03-29 2029-04-29 2029-05-29 2029-06-29 2029-07-29
    2029-08-29 2029-09-29 2029-10-29 2029-11-29 2029-12-29 2030-01-29`,
  'every 3 months, from 2028-01-31': `
    2028-01-31 2028-04-30 2028-07-31 2028-10-31 2029-01-31 2029-04-30 2029-07-31 2029-10-31 2030-01-31`,
  'each year, from 2028-02-29': `
    2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29`,
  'every 2 weeks, from 2028-01-31': `
    2028-01-31 2028-02-14 2028-02-28 2028-03-13 2028-03-27 2028-04-10 2028-04-24 2028-05-08 2028-05-22
    2028-06-05 2028-06-19 2028-07-03 2028-07-17 2028-07-31 2028-08-14 2028-08-28 2028-09-11 2028-09-25
    2028-10-09 2028-10-23 2028-11-06 2028-11-20 2028-12-04 2028-12-18 2029-01-01 2029-01-15 2029-01-29
    2029-02-12 2029-02-26 2029-03-12 2029-03-26 2029-04-09 2029-04-23 2029-05-07 2029-05-21 2029-06-04
    2029-06-18 2029-07-02 2029-07-16 2029-07-30 2029-08-13 2029-08-27 2029-09-10 2029-09-24 2029-10-08
    2029-10-22 2029-11-05 2029-11-19 2029-12-03 2029-12-17 2029-12-31 2030-01-14 2030-01-28`,
}

const rhythms: Record<string, { interval: string; interval_count: number }> = {
  'each month': { interval: 'month', interval_count: 1 },
  'every 3 months': { interval: 'month', interval_count: 3 },
  'each year': { interval: 'year', interval_count: 1 },
  'every 2 weeks': { interval: 'week', interval_count: 2 },
}

/** Skips time until a day at 10:00 in UTC, and lets what is due be done. */
async function skipTo(day: string): Promise<void> {
  await stack.skip(Date.parse(`${day}T10:00:00.000Z`) - (await stack.clock.now()))
}

/** In steps, so that no process falls far behind. */
async function passUntil(day: string): Promise<void> {
  const end = Date.parse(`${day}T10:00:00.000Z`)
  for (let now = await stack.clock.now(); now < end; now = await stack.clock.now())
    await stack.skip(Math.min(31 * dayMs, end - now))
}

test('two years and more of every rhythm: each boundary is the one of the calendar, and is paid once', async () => {
  const begun: { name: string; id: string; days: string[] }[] = []
  const dated = Object.entries(boundaries).map(([name, table]) => ({ name, days: table.trim().split(/\s+/) }))
  for (const { name, days } of dated.toSorted((one, other) => (one.days[0] ?? '').localeCompare(other.days[0] ?? ''))) {
    await skipTo(days[0] ?? '')
    const recurring = rhythms[name.split(',')[0] ?? '']
    const { subscription_id: id } = await plans.subscribe({ product: { recurring } })
    begun.push({ name, id, days })
  }
  await passUntil('2030-02-04')
  const yearly = begun.filter(({ name }) => name.startsWith('each year'))
  for (const { id } of begun.filter((each) => !yearly.includes(each)))
    await plans.act(id, 'cancel', { at_period_end: false })
  await passUntil('2032-03-01')
  for (const { name, id, days } of begun) {
    await plans.until(id, ({ current_period_start: at }) => at.slice(0, 10) >= (days.at(-1) ?? ''))
    const invoices = (await plans.invoices(id)).slice(0, days.length)
    assert.deepEqual(
      invoices.map((each) => each.period_start.slice(0, 10)),
      days,
      name,
    )
    const ends = invoices.slice(0, -1).map((each) => each.period_end)
    assert.deepEqual(
      ends,
      invoices.slice(1).map((each) => each.period_start),
      `${name}: without a gap`,
    )
    const times = new Set(invoices.map((each) => each.period_start.slice(10)))
    assert.equal(times.size, 1, `${name}: always at the same time of day`)
    assert.ok(invoices.every(({ status }) => status === 'paid'))
    const events = await stack.historyLength('subscription', id)
    assert.ok(events <= eventsMax, `${name}: ${events} events in a run`)
  }
})
