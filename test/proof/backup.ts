import { openDatabase } from '../../db/open-database.ts'
import { findMoved, type Moved, movedTwice } from '../support/moved-twice.ts'
import { until } from '../support/until.ts'
import type { Cluster } from './disaster.ts'

// A backup of the database, and what is lost when it is put back.

/** Runs statements on the server's admin database, and waits for the server while it refuses connections. */
async function asAdmin(statements: string[]): Promise<void> {
  const { orm } = await openDatabase(process.env['TEST_DATABASE_ADMIN_URL'] ?? '', 1)
  const execute = (sql: string) => orm.em.fork().execute(sql)
  try {
    await until(async () => execute('select').then(Boolean, () => false), 'the server listens')
    for (const sql of statements) await execute(sql)
  } finally {
    await orm.close()
  }
}

const nameOf = ({ databaseUrl }: Cluster) => new URL(databaseUrl).pathname.slice(1)
const cutOff = (name: string) => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`

/** Copies the database at a moment without connections, and returns the copy's name. */
export async function backUp(cluster: Cluster): Promise<string> {
  const [live, kept] = [nameOf(cluster), `${nameOf(cluster)}_kept`]
  cluster.freeze()
  try {
    const copy = () => asAdmin([cutOff(live), `create database "${kept}" template "${live}"`])
    await until(() => copy().then(() => true, isInUse), 'the database is copied')
  } finally {
    cluster.wake()
  }
  return kept
}

/** False when a client has connected since all were cut off; then they are cut off again. */
function isInUse(error: unknown): boolean {
  if ((error as { code?: string }).code === '55006') return false
  throw error
}

const books = [
  { table: 'simulated_charges', key: 'payment_id', of: 'payments' },
  { table: 'simulated_payouts', key: 'payout_id', of: 'payouts' },
  { table: 'simulated_refunds', key: 'refund_id', of: 'refunds' },
  { table: 'simulated_conversions', key: 'conversion_id', of: 'conversions' },
]

/** What the rails had done that the restored rows do not know, by the table of the rail. */
export type Lost = {
  events: number
  /** Orders that have a row and are further at the rail than the row knows. */
  ahead: Record<string, string[]>
  /** Orders of the rails whose row is lost: staff settle them by hand. */
  unknown: Record<string, string[]>
  /** What all rails had moved money for. */
  moved: Moved
}

/** Where the database was not put back. */
export const nothingLost: Lost = { events: 0, ahead: {}, unknown: {}, moved: new Map() }

/**
 * Replaces the database by the copy, except for the rails' tables, which stay whole as those of real rails do: they
 * have the orders whose row is lost too.
 */
export async function putBack(cluster: Cluster, kept: string): Promise<Lost> {
  const { sql } = cluster
  const countEvents = async () => Number((await sql<{ count: string }>('select count(*) from events'))[0]?.count)
  const before = await countEvents()
  const moved = await findMoved(cluster)
  const written = []
  for (const { table } of books) {
    const [row] = await sql<{ rows: unknown }>(`select coalesce(json_agg(b), '[]') as rows from ${table} b`)
    written.push(JSON.stringify(row?.rows))
  }
  const live = nameOf(cluster)
  await asAdmin([`drop database "${live}" with (force)`, `alter database "${kept}" rename to "${live}"`])
  await until(async () => sql('select').then(Boolean, () => false), 'the database is there again')
  const lost: Lost = { events: before - (await countEvents()), ahead: {}, unknown: {}, moved }
  for (const [at, { table, key, of }] of books.entries()) {
    const [found] = await sql<{ ahead: string[]; unknown: string[] }>(
      `select coalesce(array_agg(b.${key}) filter (where o.id is not null and k.status is distinct from b.status), '{}')
         as ahead, coalesce(array_agg(b.${key}) filter (where o.id is null), '{}') as unknown
       from json_populate_recordset(null::${table}, ?::json) b left join ${of} o on o.id = b.${key}
         left join ${table} k on k.${key} = b.${key}`,
      [written[at]],
    )
    Object.assign(lost.ahead, { [table]: found?.ahead ?? [] })
    Object.assign(lost.unknown, { [table]: found?.unknown ?? [] })
    await sql(
      `insert into ${table} select b.* from json_populate_recordset(null::${table}, ?::json) b
       on conflict (${key}) do update set status = excluded.status, executions = excluded.executions`,
      [written[at]],
    )
  }
  return lost
}

/**
 * Takes the lost orders that no process has made again out of the rails' books, as staff settle them by hand. An order
 * that was made since and has no row is none of them.
 */
export async function settleByHand({ sql }: Cluster, { unknown }: Lost): Promise<void> {
  for (const { table, key, of } of books) {
    await sql(
      `delete from ${table} where ${key} = any(array(select json_array_elements_text(?)))
         and ${key} not in (select id from ${of})`,
      [JSON.stringify(unknown[table] ?? [])],
    )
  }
}

/** What the rails have been asked to do, each order once, for people to read. */
export async function askedOfRails(
  cluster: Cluster,
  { ahead, unknown, ...lost }: Lost,
): Promise<Record<string, string>> {
  const { sql } = cluster
  const lines: Record<string, string> = {}
  for (const { table, key } of books) {
    const further = ahead[table] ?? []
    const [row] = await sql<{ orders: number; moved: number; again: number }>(
      `select count(*)::int as orders, coalesce(sum(executions), 0)::int as moved,
         count(*) filter (where ${key} = any(array(select json_array_elements_text(?)))
           and status not in ('processing', 'requires_action'))::int as again
       from ${table}`,
      [JSON.stringify(further)],
    )
    const says = [`${row?.orders} orders, ${row?.moved} moved money`]
    if (further.length > 0)
      says.push(`${further.length} were further than our rows: asked by the same id, ${row?.again} ended as there`)
    const orphans = unknown[table]?.length ?? 0
    if (orphans > 0) says.push(`${orphans} had lost their row: made again by the same id, or settled by staff`)
    lines[`rail: ${table.replace('simulated_', '')}`] = says.join('; ')
  }
  const moved = await findMoved(cluster, lost.moved)
  lines['money moved'] = `for ${moved.size} purposes, for ${movedTwice(moved).length} of them twice`
  return lines
}
