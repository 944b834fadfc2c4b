import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readBalances } from '../../db/balance/balance.ts'
import { balancesAfter, BalanceTransaction } from '../../db/balance/transaction.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { type LedgerAccount, LedgerEntry } from '../../db/ledger/tables.ts'
import { post } from '../../db/ledger/ledger.ts'
import { readBalance } from '../support/ledger.ts'
import { useDatabase } from '../support/use-database.ts'
import { checkLedger } from '../support/invariants.ts'

// A ledger of 60,000 settlements, one every 10 s: what a call reads must not grow with it.
const owner = { accountId: 'acct_large', environment: 'sandbox' as const }
const start = Date.UTC(2026, 9, 1)
const size = 60_000
const anHour = 360
const tenMinutes = 60

const database = await useDatabase()
before(async () => {
  const sql = (text: string) => database.orm.em.fork().execute(text)
  const at = `'2026-10-01Z'::timestamptz + n * interval '10 seconds'`
  const id = `'txn_' || lpad(n::text, 34, '0')`
  await sql(`set statement_timeout = 0`)
  await sql(`set transaction_timeout = 0`)
  await sql(`insert into ledger_transactions (id, kind, source_id, created_at)
    select ${id}, 'settlement', 'pay_' || n, ${at} from generate_series(1, ${size}) n`)
  await sql(`insert into ledger_entries
      (transaction_id, account_id, environment, book, currency, amount, available_at, created_at)
    select ${id}, 'acct_large', 'sandbox', book, 'USD', case book when 'rail' then -1 else 1 end,
      ${at} + interval '2 days' * (n % 2), ${at}
    from generate_series(1, ${size}) n, unnest(array['rail', 'merchant']) book`)
  await sql(`insert into balance_transactions
    (id, account_id, environment, ledger_transaction_id, type, currency, amount, source_id, available_at, created_at)
    select ${id}, 'acct_large', 'sandbox', ${id}, case when n % 1000 = 0 then 'adjustment' else 'payment' end, 'USD', 1,
      'pay_' || n, ${at} + interval '2 days' * (n % 2), ${at}
    from generate_series(1, ${size}) n`)
  await sql('vacuum analyze ledger_entries, ledger_sums, balance_transactions, row_counts')
})

/** What a call reads of the large tables: rows fetched, sums fetched, and sequential scans. */
async function cost(call: (em: EntityManager) => Promise<unknown>) {
  return inTransaction(database, async (em) => {
    const first = await readSoFar(em) // the counters begin before this transaction
    await call(em)
    const then = await readSoFar(em)
    return {
      fetched: then.fetched - first.fetched,
      sums: then.sums - first.sums,
      scans: then.scans - first.scans,
    }
  })
}

async function readSoFar(em: EntityManager) {
  const isSum = `relname = 'ledger_sums'`
  const [row] = await em.execute<{ fetched: string; sums: string; scans: string }[]>(
    `select sum(idx_tup_fetch) filter (where not ${isSum}) as fetched,
       sum(idx_tup_fetch) filter (where ${isSum}) as sums, sum(seq_scan) as scans
     from pg_stat_xact_user_tables where relname in ('ledger_entries', 'balance_transactions', 'ledger_sums')`,
  )
  return { fetched: Number(row?.fetched), sums: Number(row?.sums), scans: Number(row?.scans) }
}

const ledgerAccounts: LedgerAccount[] = ['merchant', 'reserved']

test('balances, also past ones, are read from few sums and the entries of ten to twenty minutes', async () => {
  for (const [at, asOf] of [
    [start + size * 10_000, 'now'],
    [start + size * 5_000 + 1_234_567, 'then'],
  ] as const) {
    const [balance] = await readBalances(database.orm.em.fork(), owner, ledgerAccounts, at, asOf)
    const made = Math.floor((at - start) / 10_000)
    const becameAvailable = made - 48 * anHour
    const pending = Math.ceil(made / 2) - Math.ceil(becameAvailable / 2)
    assert.deepEqual(balance, {
      ledgerAccount: 'merchant',
      currency: 'USD',
      pending: String(pending),
      available: String(made - pending),
    })
    const { fetched, sums, scans } = await cost((em) => readBalances(em, owner, ledgerAccounts, at, asOf))
    assert.equal(scans, 0)
    assert.ok(fetched <= 3 * tenMinutes, `${fetched} rows`)
    assert.ok(sums <= 60, `${sums} sums: days, and hours of one day`)
  }
})

test('the balances of a page read minutes of entries, or ten minutes for each row of a rare type', async () => {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const
  for (const { where, offset, spans } of [
    { where: {}, offset: 0, spans: 2 },
    { where: {}, offset: 30_000, spans: 2 },
    { where: { type: 'adjustment' as const }, offset: 0, spans: 50 },
  ]) {
    const em = database.orm.em.fork()
    const rows = await em.find(BalanceTransaction, { ...owner, ...where }, { orderBy, offset, limit: 50 })
    const balances = await balancesAfter(em, owner, rows)
    for (const { id } of rows) assert.equal(Number(balances.get(id)), Number(id.slice(4)))
    const { fetched, sums, scans } = await cost((reader) => balancesAfter(reader, owner, rows))
    assert.equal(scans, 0)
    assert.ok(fetched <= spans * tenMinutes, `${fetched} rows`)
    assert.ok(sums <= 60 + 10 * spans, `${sums} sums`)
  }
})

test('pages are found by an index for every filter', async () => {
  const plan = async (condition: string) => {
    const rows = await database.orm.em.fork().execute<Record<'QUERY PLAN', string>[]>(
      `explain select * from balance_transactions where account_id = 'acct_large' and environment = 'sandbox'
       and ${condition} order by created_at desc, id desc limit 51`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const far = `created_at <= '2026-10-03Z' and (created_at < '2026-10-03Z' or id < 'zzz')`
  assert.match(await plan('true'), /Index Scan Backward using balance_transactions_newest/)
  for (const condition of [far, `type = 'adjustment'`, `type = 'adjustment' and ${far}`, `currency = 'USD'`]) {
    assert.doesNotMatch(await plan(condition), /Seq Scan|Sort/, condition)
  }
  assert.match(await plan(`source_id = 'pay_77'`), /balance_transactions_by_source/)
})

test('the first debit of a long ledger account rolls up no more than it needs', async () => {
  const spend = (amount: string, at: number) =>
    inTransaction(database, (em) =>
      post(
        em,
        {
          kind: 'refund_hold',
          sourceId: `ref_${amount}`,
          owner,
          postings: [
            {
              ledgerAccount: 'merchant',
              currency: 'USD',
              amount: `-${amount}`,
            },
            {
              ledgerAccount: 'reserved',
              currency: 'USD',
              amount,
            },
          ],
        },
        at,
      ),
    )
  const rolledUp = () => database.orm.em.fork().count(LedgerEntry, { ...owner, rolledUp: true, amount: '1' })
  const at = start + size * 10_000 + 60 * 86_400_000
  await spend('10', at)
  assert.ok((await rolledUp()) <= 5_010, 'only a part is rolled up')
  await spend('50000', at + 1)
  assert.ok((await rolledUp()) > 50_000)
  await assert.rejects(spend('9991', at + 2), /too low/)
  await spend('9990', at + 3)
  const em = database.orm.em.fork()
  assert.deepEqual(await readBalance(em, owner, 'merchant', 'USD', at + 4), { available: '0', pending: '0' })
  assert.deepEqual(await checkLedger(database), [])
})
