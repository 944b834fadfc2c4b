import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import type { Report } from '../testbed.ts'

const statements = readFileSync(new URL('./fill.sql', import.meta.url), 'utf8')
/** Indexes of these tables stay while they are filled: they have few rows, or their triggers look rows up. */
const KEEPS_INDEXES = ['row_counts', 'ledger_sums', 'migrations']

/** How a database is divided: everything is of one merchant, or a tenth is, and the rest is of 10,000 others. */
export type Division = 'one merchant' | 'many merchants'

type Filling = { merchant: string; payments: number; accounts: number; division: Division }

/** How many rows of each kind there are: in proportion to the sales, and as many as a list shows on a few pages. */
function rowsOf({ payments, accounts, merchant, division }: Filling): Record<string, string | number | boolean> {
  // A merchant with fewer than a thousand sales has few of everything.
  const atLeast = (rows: number) => (payments < 1_000 ? Math.ceil(rows) : Math.max(rows, 1_000))
  return {
    merchant,
    accounts,
    payments,
    all_of_one: division === 'one merchant',
    customers: Math.ceil(payments / 10),
    many: atLeast(payments / 20),
    some: atLeast(payments / 100),
    few: payments < 1_000 ? 10 : 1_000,
    calls: atLeast(payments / 4),
    waiting: Math.max(Math.ceil(payments / 100), Math.min(payments, 100)),
  }
}

/** Fills a new database. The indexes are made when the rows are there, which takes a third of the time. */
export async function fillDatabase(databaseUrl: string, filling: Filling, report: Report): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const startedAt = performance.now()
    const values = Object.entries(rowsOf(filling))
    const text = statements.replaceAll(/^--.*$/gm, '').replaceAll(/ -- .*$/gm, '')
    const filled = values.reduce((all, [name, value]) => all.replaceAll(`:${name}`, String(value)), text)
    for (const setting of [
      'statement_timeout = 0',
      'transaction_timeout = 0',
      "maintenance_work_mem = '1GB'",
      "work_mem = '256MB'",
      'synchronous_commit = off',
      // No foreign key is checked and nothing is counted row by row. The counts come at the end.
      'session_replication_role = replica',
    ])
      await client.query(`set ${setting}`)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       join pg_class t on t.oid = indrelid
       where relnamespace = 'public'::regnamespace and t.relname <> all($1)
         and not exists (select from pg_constraint where conindid = indexrelid)`,
      [KEEPS_INDEXES],
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const statement of filled.split(';\n')) if (statement.trim() !== '') await client.query(statement)
    const rowsAt = performance.now()
    for (const { definition } of indexes) await client.query(definition)
    await client.query('vacuum analyze')
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(0)
    const took = `rows ${seconds(startedAt, rowsAt)} s, indexes ${seconds(rowsAt, performance.now())} s`
    report(`${filling.payments.toLocaleString('en')} payments of ${filling.division}: ${took}`)
  } finally {
    await client.end()
  }
}
