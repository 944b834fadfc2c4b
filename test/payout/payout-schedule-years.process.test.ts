import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Currency } from '../../domain/currency.ts'
import { withApi } from '../support/api.ts'
import { addDefault, credit, idOf, payoutsOf, setSchedule, stopAll } from '../support/payout-schedule.ts'
import { settled } from '../support/settled.ts'
import { useStack } from '../support/use-stack.ts'

// Two years of three schedules, with a leap day. The expected runs come from a calendar, not from the rule under test.
const minute = 60_000
const day = 24 * 60 * minute
const years = 2 * 365 * day

const stack = await useStack({ skipping: true })
const who = await withApi(stack).addMerchant()
// Every run: when it was due, and when it was made.
await stack.sql('create table runs (schedule_id text, due timestamptz, made timestamptz)')
await stack.sql(`create function note_run() returns trigger language plpgsql as $$ begin
  insert into runs values (new.id, old.next_run_at, new.last_run_at); return new; end $$`)
await stack.sql(`create trigger note_run after update on payout_schedules for each row
  when (old.last_run_at is distinct from new.last_run_at) execute function note_run()`)

const plans = {
  NGN: { interval: 'monthly', monthly_payout_days: [30, 31], anchor_hour_utc: 23 },
  USD: { interval: 'weekly', weekly_payout_days: ['monday', 'thursday'], anchor_hour_utc: 6 },
  KES: { interval: 'daily', minimum_amount: '1000.00' },
} as const
type Planned = keyof typeof plans
const currencies = Object.keys(plans) as Planned[]

/** Whether the schedule runs on a day, written as `2028-02-29`. */
const isRunDay: Record<Planned, (day: string) => boolean> = {
  NGN: (text) =>
    ['30', '31'].includes(text.slice(8)) || text.endsWith('-02-29') || (text.endsWith('-02-28') && !isLeap(text)),
  USD: (text) => /^(Mon|Thu)/.test(new Date(text).toUTCString()),
  KES: () => true,
}
const isLeap = (text: string) => Number(text.slice(0, 4)) % 4 === 0 // true until 2099
const hours: Record<Planned, string> = { NGN: '23', USD: '06', KES: '00' }

/** Every run of a schedule between two moments. */
function expectedRuns(currency: Planned, from: number, to: number): number[] {
  const days = Array.from({ length: Math.ceil((to - from) / day) + 2 }, (_, n) =>
    new Date(from + (n - 1) * day).toISOString().slice(0, 10),
  )
  const moments = days.filter(isRunDay[currency]).map((text) => Date.parse(`${text}T${hours[currency]}:00:00Z`))
  return moments.filter((at) => at > from && at <= to)
}

/** The first moment from which two years include a leap day; usually that is now. */
function startOf(now: number): number {
  for (let from = now; ; from += 30 * day) {
    const leaps = Array.from({ length: 730 }, (_, n) => new Date(from + n * day).toISOString().slice(5, 10))
    if (leaps.includes('02-29')) return from
  }
}

/** Waits until every payout has ended. */
async function arrive(): Promise<void> {
  const open = `select from payouts where status not in ('completed', 'failed', 'rejected')`
  await stack.dispatched()
  for (let tries = 0; (await stack.sql(open)).length > 0; tries++) {
    assert.ok(tries < 60, 'a payout does not end')
    await stack.skip(1_000)
    await stack.dispatched()
  }
}

/** Credits money that becomes available shortly before some of the runs; each of them pays out all of it. */
async function fundRuns(currency: Currency, runs: number[]): Promise<number[]> {
  const funded = runs.filter((_, index) => currency === 'NGN' || index % 5 === 0)
  for (const [index, at] of funded.entries()) {
    await credit(stack, who, currency, `${1_000 + index}.00`, at - (currency === 'USD' ? 2 * day : minute))
  }
  return funded
}

const instants = async (currency: Currency): Promise<{ due: number; made: number }[]> =>
  stack.sql(
    `select (extract(epoch from due) * 1000)::float8 as due, (extract(epoch from made) * 1000)::float8 as made
     from runs where schedule_id = ? order by made`,
    [idOf(who, currency)],
  )

test('over two years every monthly, weekly and daily run is on time and pays out all that is available', async () => {
  const now = await stack.clock.now()
  await stack.skip(startOf(now) - now)
  for (const currency of currencies) await addDefault(stack, who, currency)
  const from = await stack.clock.now()
  const to = from + years + day
  const expected = {
    NGN: expectedRuns('NGN', from, to),
    USD: expectedRuns('USD', from, to),
    KES: expectedRuns('KES', from, to),
  }
  const paid = { NGN: await fundRuns('NGN', expected.NGN), USD: await fundRuns('USD', expected.USD) }
  // A tenth of the minimum every week, so that it is reached every tenth week.
  const weeks = Array.from({ length: 100 }, (_, week) => from + (week + 1) * 7 * day)
  for (const at of weeks) await credit(stack, who, 'KES', '100.00', at)
  for (const currency of currencies) await setSchedule(who, currency, plans[currency])
  await stack.dispatched()

  const reached = weeks.filter((_, week) => week % 10 === 9).map((at) => expected.KES.find((run) => run >= at) ?? 0)
  for (const at of [...new Set([...paid.NGN, ...paid.USD, ...reached, to])].toSorted((one, two) => one - two)) {
    await stack.skip(at + minute - (await stack.clock.now()))
    await arrive()
  }
  for (const currency of currencies) await settled(stack.client, 'payout-schedule', idOf(who, currency))

  for (const currency of currencies) {
    const runs = await instants(currency)
    assert.deepEqual(
      runs.map(({ due }) => due).filter((due) => due <= to),
      expected[currency],
      currency,
    )
    for (const { due, made } of runs)
      assert.ok(made >= due && made < due + day, `${currency}: ${due} was run at ${made}`)
  }
  assert.ok(
    expected.NGN.some((at) => new Date(at).toISOString().includes('-02-29T23')),
    'a leap day',
  )
  assert.ok(
    expected.NGN.some((at) => new Date(at).toISOString().includes('-02-28T23')),
    'a February without one',
  )

  const fees = { NGN: 25, USD: 0 }
  for (const currency of ['NGN', 'USD'] as const) {
    const payouts = await payoutsOf(stack, who, currency)
    assert.deepEqual(
      payouts.map(({ status, amount, debited }) => [status, amount, debited]),
      paid[currency].map((_, index) => ['completed', `${1_000 + index - fees[currency]}.00`, `${1_000 + index}.00`]),
    )
    const made = new Map((await instants(currency)).map((run) => [run.due, run.made]))
    assert.deepEqual(
      payouts.map(({ at }) => at),
      paid[currency].map((due) => made.get(due)),
    )
  }
  const kes = await payoutsOf(stack, who, 'KES')
  assert.deepEqual(
    kes.map(({ amount }) => amount),
    Array<string>(10).fill('950.00'),
    'once the minimum is reached',
  )
  assert.ok(kes.every(({ at }, index) => at >= (reached[index] ?? 0) && at < (reached[index] ?? 0) + day))

  await stopAll(stack)
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
})
