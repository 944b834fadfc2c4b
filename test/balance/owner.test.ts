import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../db/open-database.ts'
import { migrate } from '../../db/migrate.ts'
import { createDatabase } from '../support/database.ts'
import { applyAsBefore, migrationNames } from '../support/migrations.ts'

type Sql = <T extends object>(sql: string, params?: unknown[]) => Promise<T[]>

async function withDatabase(template: string, work: (url: string, sql: Sql) => Promise<void>): Promise<void> {
  const { url, drop } = await createDatabase(template)
  const { orm } = await openDatabase(url, 1)
  try {
    await work(url, (text, params = []) => orm.em.fork().execute(text, params))
  } finally {
    await orm.close()
    await drop()
  }
}

const customer = `insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
  values ('cust_1', '', 'sandbox', 'a@example.com', '{}', now(), now())`

test('every table with an account_id refuses a row without an owner', async () => {
  await withDatabase('steadypay_template', async (_url, sql) => {
    const owned = await sql<{ table: string }>(
      `select table_name as table from information_schema.columns
       where table_schema = current_schema() and column_name = 'account_id' order by 1`,
    )
    assert.ok(owned.length > 25)
    const checked = await sql<{ table: string }>(
      `select conrelid::regclass::text as table from pg_constraint where contype = 'c' and convalidated
       and pg_get_constraintdef(oid) = 'CHECK (((account_id)::text <> ''''::text))' order by 1`,
    )
    assert.deepEqual(checked, owned)
    await assert.rejects(sql(customer), /customers_account_id_check/)
  })
})

test('the migration gives rows without an owner a placeholder, and their processes can go on', async () => {
  await withDatabase('template1', async (url, sql) => {
    await applyAsBefore(sql, migrationNames.slice(0, migrationNames.indexOf('0029-storage')))
    await sql(customer)
    await sql(
      `insert into ledger_transactions (id, kind, source_id, created_at) values ('txn_1', 'surplus', 'x', now())`,
    )
    await sql(`insert into ledger_entries (transaction_id, account_id, environment, book, currency,
        amount, available_at, created_at)
      values ('txn_1', '', 'sandbox', 'rail', 'USD', -5, now(), now()),
        ('txn_1', '', 'sandbox', 'merchant', 'USD', 5, now(), now())`)
    await sql(`insert into payout_schedules (id, account_id, environment, currency, interval, weekly_payout_days,
        monthly_payout_days,
        anchor_hour_utc, minimum_amount, created_at, updated_at)
      values ('/sandbox/NGN', '', 'sandbox', 'NGN', 'manual', '{}', '{}', 0, 0, now(), now())`)
    await migrate(url)
    const owner = 'acct_without_owner'
    assert.deepEqual(await sql('select account_id from customers'), [{ account_id: owner }])
    assert.deepEqual(await sql('select distinct account_id from ledger_entries'), [{ account_id: owner }])
    assert.deepEqual(await sql('select distinct account_id from ledger_sums'), [{ account_id: owner }])
    assert.deepEqual(await sql('select distinct account_id from row_counts'), [{ account_id: owner }])
    assert.deepEqual(await sql('select id from payout_schedules'), [{ id: `${owner}/sandbox/NGN` }])
    await sql(`update customers set name = 'Somebody' where id = 'cust_1'`)
    await assert.rejects(sql(`update ledger_entries set amount = 7`), /append-only/, 'the triggers are back')
  })
})
