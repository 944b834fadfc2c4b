import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Migrator } from '@mikro-orm/migrations'
import { readBalances } from '../db/balance.ts'
import { balancesAfter, BalanceTransaction } from '../db/balance-transaction.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { createDatabase } from './support/database.ts'
import { checkInvariants, checkLedger } from './support/invariants.ts'

// A database that was in use before balances were summed, payments counted and short searches indexed.
const owner = { accountId: 'acct_old', environment: 'live' as const }
const start = Date.UTC(2026, 9, 1)

let database: Database
let drop: () => Promise<void>
before(async () => {
  const made = await createDatabase('template1')
  database = await openDatabase(made.url, 2)
  drop = made.drop
})
after(async () => {
  await database.orm.close()
  await drop()
})

const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)

test('what was booked, counted and named before is summed, counted and found after the migrations', async () => {
  await new Migrator(database.orm.em).up({ to: '20261130-payment-links' })
  const at = `'2026-10-01Z'::timestamptz + n * interval '7 minutes'`
  await sql(`insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
    values ('cust_1', 'acct_old', 'live', 'a@example.com', 'Żółw', '{}', now(), now()),
      ('cust_2', 'acct_old', 'live', 'b@example.com', null, '{}', now(), now())`)
  await sql(`insert into payments
    (id, account_id, environment, checkout_id, status, amount, amount_received, settles, fee,
      fee_usd, fee_preference, currency, corridor, customer_id, customer_details, metadata, created_at, updated_at)
    select 'pay_' || n, 'acct_old', 'live', 'chk_' || n,
      case when n % 5 = 0 then 'failed' else 'succeeded' end, 3, 3, 2,
      1, 1, 'org_pays', 'USD', 'USD_CARD', 'cust_1', '{}', '{}', ${at}, ${at} from generate_series(1, 500) n`)
  await sql(`insert into ledger_transactions (id, kind, source_id, created_at)
    select 'txn_' || n, 'settlement', 'pay_' || n, ${at} from generate_series(1, 500) n where n % 5 > 0`)
  await sql(`insert into ledger_entries
      (transaction_id, account_id, environment, book, currency, amount, available_at, created_at)
    select 'txn_' || n, 'acct_old', 'live', book, 'USD', amount,
      ${at} + case book when 'merchant' then interval '2 days' else interval '-1 second' end, ${at}
    from generate_series(1, 500) n, (values ('rail', -3), ('merchant', 2), ('fees', 1)) as e (book, amount)
    where n % 5 > 0`)

  await new Migrator(database.orm.em).up()
  assert.deepEqual(await checkLedger(database), [])
  const violations = await checkInvariants(database)
  assert.deepEqual(
    violations.filter((violation) => violation.startsWith('the counted rows')),
    [],
  )
  const minute = 60_000
  const em = database.orm.em.fork()
  const [balance] = await readBalances(em, owner, ['merchant'], start + 2 * 1440 * minute + 105 * minute, 'now')
  assert.deepEqual([balance?.available, balance?.pending], ['24', '776'], 'of 15 sales 12 have matured')
  const rows = await em.find(BalanceTransaction, owner, { orderBy: { createdAt: 'asc', id: 'asc' } })
  const totals = await balancesAfter(em, owner, rows)
  assert.deepEqual(
    rows.map(({ id }) => Number(totals.get(id))),
    Array.from({ length: 400 }, (_, index) => 2 * (index + 1)),
  )
  const parted = await sql(`select id from customers where not short_parts @> array[hashtext('acct_old/live/żó')]`)
  assert.deepEqual(parted, [{ id: 'cust_2' }])
})
