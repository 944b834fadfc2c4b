import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBalances } from '../../db/balance/balance.ts'
import { balancesAfter, BalanceTransaction } from '../../db/balance/transaction.ts'
import { migrate } from '../../db/migrate.ts'
import { useDatabase } from '../support/use-database.ts'
import { checkInvariants, checkLedger } from '../support/invariants.ts'
import { applyAsBefore, migrationNames } from '../support/migrations.ts'

// A database that was in use before balances were summed, payments counted, short searches indexed, payouts bound to a
// statement and deposits named by their payments.
const owner = { accountId: 'acct_old', environment: 'live' as const }
const start = Date.UTC(2026, 9, 1)

const database = await useDatabase({ connections: 2, template: 'template1' })

const sql = <T extends object>(text: string, params: unknown[] = []) =>
  database.orm.em.fork().execute<T[]>(text, params)

const linksDone = migrationNames.indexOf('0012-payment-links') + 1
const searchesDone = migrationNames.indexOf('0021-short-searches') + 1

test('the migrations sum, count and index the rows of an earlier database', async () => {
  await applyAsBefore(sql, migrationNames.slice(0, linksDone))
  const at = `'2026-10-01Z'::timestamptz + n * interval '7 minutes'`
  await sql(`insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
    values ('cust_1', 'acct_old', 'live', 'a@example.com', 'Żółw', '{}', now(), now()),
      ('cust_2', 'acct_old', 'live', 'b@example.com', null, '{}', now(), now())`)
  await sql(`insert into checkouts (id, account_id, environment, status, source_type, amount, currency, fee_preference,
      success_url, metadata, client_secret_hash, created_at, updated_at, expires_at)
    select 'chk_' || n, 'acct_old', 'live', 'completed', 'CHECKOUT_SESSION', 3, 'USD', 'org_pays',
      'https://example.com', '{}', 'x', ${at}, ${at}, ${at} from generate_series(1, 500) n`)
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

  await sql(`insert into simulated_deposits (session_id, payment_id, amount, created_at, sender_name, sender_bank,
    sender_account_number) values ('S-1', 'pay_1', 3, now(), 'A', 'B', '1')`)
  await sql(`insert into simulated_coins (tx_hash, payment_id, coins, worth, seen_at)
    values ('T-1', 'pay_2', 3, 3, now())`)
  await sql(`insert into ledger_transactions (id, kind, source_id, created_at)
    values ('txn_d1', 'deposit', 'S-1', now()), ('txn_d2', 'deposit', 'T-1', now())`)
  await applyAsBefore(sql, migrationNames.slice(linksDone, searchesDone))
  await sql(`insert into payout_destinations (id, account_id, environment, name, type, currency, status, revision,
      reviewed_at, metadata, created_at, updated_at)
    values ('pd_1', 'acct_old', 'sandbox', 'Own', 'bank_account', 'NGN', 'approved', 3, now(), '{}', now(), now())`)
  await sql(`insert into payouts (id, account_id, environment, destination_id, destination_type, status, amount,
      currency, source_amount, source_currency, fee, quote_fee, metadata, created_at, updated_at, completed_at,
      submitted_at, destination_revision, failure_reason)
    select 'pay_' || status, 'acct_old', 'sandbox', 'pd_1', 'bank_account', status, 1, 'NGN', 1, 'NGN', 0, 0, '{}',
      now(), now(), case status when 'completed' then now() end, case status when 'completed' then now() end,
      case status when 'completed' then 2 end, case status when 'failed' then 'f' end
    from unnest(array['pending', 'completed', 'failed']) as status`)

  await sql(
    `insert into accounts (id, name, created_at) values ('acct_old', 'Old', now()), ('acct_idle', 'Idle', now())`,
  )
  await sql(`insert into api_keys (id, account_id, environment, name, hash, last_four, scopes, created_at, last_used_at)
    select 'key_' || id, id, 'live', 'A key', id, '1234', '{}', now(), case id when 'acct_old' then now() end
    from accounts`)

  await migrate(database.url)
  assert.deepEqual(await sql(`select id, api_version from accounts order by id`), [
    { id: 'acct_idle', api_version: null },
    { id: 'acct_old', api_version: '2026-11-20' },
  ])
  const bound = await sql(`select status, destination_revision as revision, held_again from payouts order by status`)
  assert.deepEqual(bound, [
    { status: 'completed', revision: 2, held_again: 0 },
    { status: 'failed', revision: null, held_again: 0 },
    { status: 'pending', revision: 3, held_again: 0 },
  ])
  const sources = await sql(`select source_id from ledger_transactions where kind = 'deposit' order by id`)
  assert.deepEqual(sources, [{ source_id: 'pay_1/S-1' }, { source_id: 'pay_2/T-1' }])
  assert.deepEqual(
    await sql(`select account_id from simulated_deposits union all select account_id from simulated_coins`),
    [{ account_id: 'acct_old' }, { account_id: 'acct_old' }],
  )
  assert.deepEqual(await checkLedger(database), [])
  const violations = await checkInvariants(database)
  assert.deepEqual(
    violations.filter((violation) => violation.startsWith('the counted rows')),
    [],
  )
  const minute = 60_000
  const em = database.orm.em.fork()
  const [balance] = await readBalances(em, owner, ['merchant'], start + 2 * 1440 * minute + 105 * minute, 'now')
  assert.deepEqual([balance?.available, balance?.pending], ['24', '776'], 'of 15 sales 12 are available')
  const rows = await em.find(BalanceTransaction, owner, { orderBy: { createdAt: 'asc', id: 'asc' } })
  const totals = await balancesAfter(em, owner, rows)
  assert.deepEqual(
    rows.map(({ id }) => Number(totals.get(id))),
    Array.from({ length: 400 }, (_, index) => 2 * (index + 1)),
  )
  const parted = await sql(`select id from customers where not short_parts @> array[hashtext('acct_old/live/żó')]`)
  assert.deepEqual(parted, [{ id: 'cust_2' }])
})
