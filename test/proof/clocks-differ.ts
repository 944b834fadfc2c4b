import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buyer, card, cards, type Merchant } from '../support/merchant.ts'
import { paths, totpAt } from '../support/login.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { create, insist, makeSale, newTally, runMany, type Tally } from './buyers.ts'
import type { Deployment } from './deployment.ts'
import { makePayout, type Payees, preparePayouts } from './payees.ts'
import { findDuplicates, waitUntilIdle } from './rest.ts'
import { isFull, type Outcome, type Scenario } from './scenario.ts'
import { jumpMs, startWithWrongClocks, type WrongClocks } from './wrong-clocks.ts'

const databaseWrongMs = 5 * 60_000
const restWithinMs = 120_000
/** How long the sessions last that are to expire, in seconds, and how late one may be ended on a busy machine. */
const [lastsSeconds, lateMaxSeconds] = [15, 15]
/** How far a time that was written may lie beside the time at which it was written. */
const besideMs = 5_000

/**
 * `size` is the number of sales. At full size it runs twice: with a database whose clock is behind the engine's, and
 * with one whose clock is ahead of it.
 */
export const clocksDiffer: Scenario = {
  promise:
    'while clocks of APIs, workers, database and engine differ by minutes, and some jump by an hour, nothing happens ' +
    'twice, sessions end in time, and all times are those of the database',
  size: 400,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-clocks-'))
    chmodSync(folder, 0o711) // run as root, Postgres belongs to another user, who must enter the folder
    try {
      const behind = await runWith(folder, -databaseWrongMs, size)
      if (!isFull(clocksDiffer, size)) return behind
      const ahead = await runWith(folder, databaseWrongMs, size)
      const named = (word: string, { figures }: Outcome) =>
        Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name}, ${word}`, value]))
      return {
        figures: { ...named('behind', behind), ...named('ahead', ahead) },
        violations: [...behind.violations, ...ahead.violations],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function runWith(folder: string, databaseMs: number, size: number): Promise<Outcome> {
  const clocks = await startWithWrongClocks(folder, databaseMs)
  const { deployment, aheadMs } = clocks
  const receiver = await startReceiver()
  try {
    const merchants = (await clocks.startApis()).map(({ merchant }) => merchant)
    const [first, second] = merchants as [Merchant, Merchant]
    await first.setWebhook(receiver.url)
    const to = await preparePayouts(deployment, `${size * 100}.00`, { now: () => Date.now() + aheadMs })
    const [begun] = await deployment.sql<{ at: string }>('select clock_timestamp() as at')
    const tally = newTally()
    const sessions = await createSessions(first, deployment, tally)
    await clocks.startWorkers()
    const [ends] = await Promise.all([
      watchSessions(second, deployment, sessions, aheadMs),
      work({ merchants, to, clocks, size, tally }),
      useTwice(first, second, to, tally),
      logIn([first, second], deployment, tally),
    ])
    const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
    violations.push(...ends.violations, ...tally.errors, ...(await findDuplicates(deployment, receiver)))
    violations.push(...(await findWrongTimes(deployment, String(begun?.at))), ...findWrongSignatures(receiver, aheadMs))
    const figures = {
      sales: size,
      payouts: size,
      databaseAheadMs: aheadMs,
      repeatedCalls: tally.repeats,
      endedLateMs: ends.lateMs,
      webhooks: receiver.received.length,
      restMs,
    }
    return { figures, violations }
  } finally {
    await clocks.stop()
    await receiver.close()
  }
}

type Work = { merchants: Merchant[]; to: Payees; clocks: WrongClocks; size: number; tally: Tally }

/** Sales, each with its refund, and payouts, by both APIs in turn; meanwhile some clocks jump an hour away and back. */
async function work({ merchants, to, clocks, size, tally }: Work): Promise<void> {
  let done = 0
  await runMany(size, 4, async (n) => {
    const merchant = merchants[n % 2] as Merchant
    const other = merchants[(n + 1) % 2] as Merchant
    const id = await makeSale(merchant, n, tally, n % 4 === 3 ? 'transfer' : 'card')
    const made = await makePayout(other, n % 5 === 4 ? to.fails : to.completes, tally)
    if ('refused' in made) tally.errors.push(`a payout is refused: ${made.refused}`)
    if (n % 4 !== 3) await refund(other, id, tally)
    done += 1
    if (done === Math.ceil(size / 3)) clocks.jump(true)
    if (done === Math.ceil((2 * size) / 3)) clocks.jump(false)
  })
}

async function refund(merchant: Merchant, id: string, tally: Tally): Promise<void> {
  const { body } = await insist(
    merchant,
    { method: 'GET', path: `/v1/checkout-sessions/${id}`, body: undefined },
    tally,
  )
  const charge_id = (body as { charge?: { payment_id: string } | null }).charge?.payment_id
  const what = { charge_id, reference: `return-${randomUUID()}` }
  const reply = await insist(merchant, { path: '/api/v1/payments/refunds', body: what }, tally)
  if (reply.status >= 300) tally.errors.push(`refund: ${reply.status} ${reply.text}`)
}

type Sessions = { paid: Session; left: Session }
type Session = { checkout_id: string; client_secret: string }

/** Sessions that last 15 seconds, which is shorter than a merchant may ask for. Their processes have not begun. */
async function createSessions(merchant: Merchant, { sql }: Deployment, tally: Tally): Promise<Sessions> {
  const [paid, left] = [await create(merchant, tally), await create(merchant, tally)]
  await sql('update checkouts set expires_at = clock_timestamp() + make_interval(secs => ?)', [lastsSeconds])
  return { paid, left }
}

/**
 * One session is paid shortly before its end and the other one after it. A session does not end before its time; an
 * engine whose clock is behind ends it when that clock says so, and nobody can pay meanwhile.
 */
async function watchSessions(merchant: Merchant, { sql }: Deployment, { paid, left }: Sessions, aheadMs: number) {
  const violations: string[] = []
  const leftSeconds = async () => {
    const [row] = await sql<{ seconds: number; status: string }>(
      `select extract(epoch from expires_at - clock_timestamp())::float8 as seconds, status from checkouts
       where id = ?`,
      [left.checkout_id],
    )
    return { seconds: row?.seconds ?? 0, status: row?.status ?? 'missing' }
  }
  let lateMs = 0
  let isPaid = false
  for (;;) {
    const { seconds, status } = await leftSeconds()
    if (!isPaid && seconds < lastsSeconds / 3) {
      isPaid = true
      const reply = await pay(merchant, paid)
      if (reply.status !== 200 && seconds > 0) violations.push(`an open session: ${reply.status} ${reply.text}`)
    }
    if (seconds > 1 && status !== 'open') violations.push(`a session is ${status} ${seconds} s before its end`)
    lateMs = Math.round(Math.max(0, -seconds * 1_000))
    if (seconds <= 1 && (status !== 'open' || aheadMs > 0 || seconds < -lateMaxSeconds)) break
    await pause(200)
  }
  if (aheadMs <= 0 && lateMs > lateMaxSeconds * 1_000) violations.push(`a session is open ${lateMs} ms after its end`)
  await pause(1_000)
  const reply = await pay(merchant, left)
  if (reply.status !== 409) violations.push(`a session that is over: ${reply.status} ${reply.text}`)
  return { violations, lateMs }
}

function pay(merchant: Merchant, { checkout_id, client_secret }: Session) {
  const body = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true, customer_details: buyer }
  const headers = { authorization: `Bearer ${client_secret}`, 'x-forwarded-for': '10.9.9.9' }
  return merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/pay`, body, headers)
}

/** One idempotency key at both APIs makes one payout, and one API's quote is good at the other. */
async function useTwice(first: Merchant, second: Merchant, to: Payees, tally: Tally): Promise<void> {
  const key = randomUUID()
  const payout = { path: '/v1/payouts', body: { destination: to.completes, amount: '10.00' }, key }
  const [one, two] = await Promise.all([insist(first, payout, tally), insist(second, payout, tally)])
  if (one.status !== 201 || one.text !== two.text) tally.errors.push(`one key: ${one.text} and ${two.text}`)
  const wanted = { from_currency: 'USD', to_currency: 'NGN', from_amount: '1.00' }
  const { body: quote } = await insist(first, { path: '/v1/conversions/quotes', body: wanted }, tally)
  const conversion = { quote_id: quote['quote_id'], reference: 'treasury' }
  const converted = await insist(second, { path: '/v1/conversions', body: conversion }, tally)
  if (converted.status >= 300) tally.errors.push(`a quote of the other API: ${converted.status} ${converted.text}`)
}

/** People log in at each API by the code that their app shows at the database's time. */
async function logIn(merchants: Merchant[], { people, sql }: Deployment, tally: Tally): Promise<void> {
  for (const [n, person] of Object.values(people ?? {}).entries()) {
    const merchant = merchants[n % merchants.length] as Merchant
    const post = (path: string, body?: object) => merchant.call('POST', path, body, { authorization: '' })
    const { token } = (await post(paths.begin)).body as unknown as { token: string }
    const { email, password, totpSecret } = person
    const challenge = await post(paths.password, { email, password, login_token: token })
    const [row] = await sql<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
    const code = totpAt(totpSecret, Number(row?.ms))
    const { challenge_id } = challenge.body
    const reply = await post(paths.verify, { challenge_id, code, code_type: 'primary' })
    if (reply.status !== 200) tally.errors.push(`a login: ${reply.status} ${reply.text}`)
  }
}

/** Events and entries whose time is not that of the database when they were written, and events out of order. */
async function findWrongTimes({ sql }: Deployment, begun: string): Promise<string[]> {
  const rows = await sql<{ what: string; count: number }>(
    `select 'events' as what, count(*)::int as count from events
       where created_at not between ?::timestamptz and clock_timestamp()
     union all select 'ledger entries', count(*)::int from ledger_entries
       where created_at > clock_timestamp() + make_interval(secs => ?)
     union all select 'events out of order', count(*)::int from (
       select created_at - lag(created_at) over (order by sequence) as step from events) e
       where step < make_interval(secs => -?)`,
    [begun, besideMs / 1_000, besideMs / 1_000],
  )
  return rows.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what} with a wrong time`)
}

/** Webhooks that were not signed at the database's time: a receiver refuses what is five minutes old. */
function findWrongSignatures({ received }: Receiver, aheadMs: number): string[] {
  const now = Date.now() + aheadMs
  const wrong = received.filter(({ headers }) => {
    const ageMs = now - Number(headers['webhook-timestamp']) * 1_000
    return ageMs < -besideMs || ageMs > jumpMs / 15
  })
  return wrong.length === 0 ? [] : [`${wrong.length} of ${received.length} webhooks have a wrong time`]
}
