import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { sumPayments } from '../../db/checkout/summary.ts'
import type { Summary } from '../../schemas/checkout/summary.ts'
import { cards, sale } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The payments of a month added up, as `GET /v1/summary` tells it.
const stack = await useStack()
const api = await useApi(stack)
type Summed = Static<typeof Summary>

type Row = { at: string; amount: string; currency?: string; corridor?: string; status?: string; duplicate?: boolean }
let made = 0

/** A payment as a process leaves it; nothing is posted. */
async function add(accountId: string, row: Row, environment = 'sandbox'): Promise<void> {
  const { at, amount, currency = 'USD', corridor = 'USD_CARD', status = 'succeeded', duplicate = false } = row
  await stack.sql(
    `insert into payments (id, account_id, environment, status, amount, amount_received, settles, fee, fee_usd,
       fee_preference, currency, corridor, duplicate, metadata, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, 0, 0, 'org_pays', ?, ?, ?, '{}', ?, ?)`,
    [`pay_summary${(made += 1)}`, accountId, environment, status, amount].concat([
      status === 'succeeded' ? amount : '0',
      amount,
      currency,
      corridor,
      String(duplicate),
      at,
      at,
    ]),
  )
}

/** The sums of an account at a moment, as its operation computes them. */
async function sumsOf(accountId: string, end: string) {
  const range = { from: new Date(`${end.slice(0, 7)}-01T00:00:00Z`), until: new Date(end) }
  return sumPayments(stack.database.orm.em.fork(), { accountId, environment: 'sandbox' }, range)
}

test('a new account has no volume and no methods', async () => {
  const { merchant } = await api.addMerchant()
  const { status, body } = await merchant.call('GET', '/v1/summary')
  assert.equal(status, 200)
  const { volume, payment_methods: methods, ...month } = body as unknown as Summed
  assert.deepEqual({ volume, methods }, { volume: [], methods: [] })
  assert.match(month.from, /-01T00:00:00\.000Z$/)
  assert.ok(month.from <= month.until)
})

test('a sale counts for today and for the month, a declined card only for its method', async () => {
  const { merchant } = await api.addMerchant()
  for (const [amount, card] of [
    ['25.00', cards.success],
    ['0.10', cards.success],
    ['99.00', cards.declined],
  ] as const) {
    await merchant.payByCard(await merchant.createCheckout({ ...sale, amount }), card, 'USD_CARD')
  }
  const { body } = await merchant.call('GET', '/v1/summary')
  const { volume, payment_methods: methods, until: end } = body as unknown as Summed
  const sum = { amount: '25.10', count: 2 }
  const days = [{ date: end.slice(0, 10), ...sum }]
  assert.deepEqual(volume, [{ currency: 'USD', today: sum, month: sum, days }])
  assert.deepEqual(methods, [{ payment_method: 'USD_CARD', succeeded: 2, failed: 1 }])
})

test('a month begins and a day ends at midnight in UTC, and only succeeded payments are volume', async () => {
  const { accountId } = await api.addMerchant()
  const rows: Row[] = [
    { at: '2026-09-30T23:59:59.999Z', amount: '1000' },
    { at: '2026-10-01T00:00:00.000Z', amount: '0.1' },
    { at: '2026-10-01T23:59:59.999Z', amount: '0.2' },
    { at: '2026-10-02T00:00:00.000Z', amount: '12345678901234.56' },
    { at: '2026-10-02T10:00:00.000Z', amount: '7', currency: 'NGN', corridor: 'NGN_BANK_TRANSFER' },
    { at: '2026-10-02T10:00:00.000Z', amount: '5', status: 'failed' },
    { at: '2026-10-02T10:00:00.000Z', amount: '6', status: 'canceled' },
    { at: '2026-10-02T10:00:00.000Z', amount: '9', duplicate: true },
    { at: '2026-10-03T00:00:00.000Z', amount: '1000' },
  ]
  for (const row of rows) await add(accountId, row)
  await add(accountId, { at: '2026-10-02T10:00:00Z', amount: '77' }, 'live')
  const { currencies, methods } = await sumsOf(accountId, '2026-10-02T23:00:00Z')
  const sums = currencies.map(({ currency, day, amount, succeeded }) => [currency, day, Number(amount), succeeded])
  assert.deepEqual(sums, [
    ['NGN', null, 7, 1],
    ['NGN', '2026-10-02', 7, 1],
    ['USD', null, 12_345_678_901_234.86, 3],
    ['USD', '2026-10-01', 0.3, 2],
    ['USD', '2026-10-02', 12_345_678_901_234.56, 1],
  ])
  assert.deepEqual(methods, [
    { corridor: 'NGN_BANK_TRANSFER', succeeded: 1, failed: 0 },
    { corridor: 'USD_CARD', succeeded: 3, failed: 1 },
  ])
})

test('of 30,000 payments the sums of a month are read from one index, and not from the rows', async () => {
  const { accountId } = await api.addMerchant()
  await stack.sql(
    `insert into payments (id, account_id, environment, status, amount, amount_received, settles, fee, fee_usd,
       fee_preference, currency, corridor, metadata, created_at, updated_at)
     select 'pay_many' || n, ?, 'sandbox', 'succeeded', 0.1, 0.1, 0.1, 0, 0, 'org_pays', 'USD', 'USD_CARD',
       jsonb_build_object('note', repeat('x', 480), 'more', repeat('y', 400)), at, at
     from (
       select n, '2026-05-01Z'::timestamptz + n * interval '6 minutes' as at from generate_series(1, 30000) n
     ) rows`,
    [accountId],
  )
  // A transaction of another process, begun before, keeps the rows from being seen by all: then it is tried again.
  await until(async () => {
    await stack.sql('vacuum analyze payments')
    const [table] = await stack.sql<{ seen: boolean }>(
      `select relallvisible > relpages - 50 as seen from pg_class where relname = 'payments'`,
    )
    return table?.seen === true
  }, 'every transaction sees the rows')
  const owner = { accountId, environment: 'sandbox' } as const
  const range = { from: new Date('2026-08-01T00:00:00Z'), until: new Date('2026-08-31T23:59:59Z') }
  await stack.database.orm.em.fork().transactional(async (em) => {
    const readSoFar = async () => {
      const [row] = await em.execute<{ scans: string; fetched: string }[]>(
        `select seq_scan as scans, idx_tup_fetch as fetched from pg_stat_xact_user_tables where relname = 'payments'`,
      )
      return { scans: Number(row?.scans), fetched: Number(row?.fetched) }
    }
    const before = await readSoFar() // the counters begin before this transaction
    const { currencies } = await sumPayments(em, owner, range)
    const after = await readSoFar()
    assert.equal(currencies.length, 1 + 31)
    assert.equal(currencies[0]?.succeeded, 31 * 24 * 10)
    assert.equal(Number(currencies[0]?.amount), 31 * 24)
    assert.equal(after.scans - before.scans, 0)
    assert.ok(after.fetched - before.fetched < 1_000, `${after.fetched - before.fetched} rows were fetched`)
  })
})
