import { openDatabase } from '../../db/open-database.ts'
import { endWaiting, startWaiting, type UnderWay } from '../support/under-way.ts'
import { finishAll, makeBusy, restore, type Cluster, startDeployment } from './disaster.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

/**
 * `size` is the number of sales. The database is backed up in the middle of them and restored after their end, while
 * the engine keeps its data: some processes run for rows that are missing or older. The rails keep their own data, as
 * real ones do.
 */
export const databaseRestored: Scenario = {
  promise: 'after the database is restored to an earlier moment, no process, number or order is used twice; all ends',
  size: 300,
  async run(size) {
    const cluster = await startDeployment(size)
    try {
      const [untouched, ended] = [await startWaiting(cluster), await startWaiting(cluster)]
      const busy = await makeBusy(cluster, size)
      await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
      const kept = await backUp(cluster)
      const violations = await busy.done
      await endWaiting(cluster, await cluster.logIn(), ended)
      await startWaiting(cluster)
      await cluster.killAll()
      const lost = await putBack(cluster, kept)
      violations.push(...(await restore(cluster, ['database'], cluster.startAll)))
      await giveUpOn(cluster, [untouched, ended])
      const again = await makeBusy(cluster, Math.max(4, size / 10))
      violations.push(...(await again.done))
      const end = await finishAll(cluster, [untouched, ended])
      const figures = { sales: size, eventsLost: lost, restMs: end.restMs }
      if (lost === 0) violations.push('no event was lost: the database was not put back')
      return { figures, violations: [...violations, ...end.violations] }
    } finally {
      await cluster.stop()
    }
  },
}

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
async function backUp(cluster: Cluster): Promise<string> {
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

/** Replaces the database by the copy, except for the rails' tables; returns how many events are lost by that. */
async function putBack(cluster: Cluster, kept: string): Promise<number> {
  const { sql } = cluster
  const countEvents = async () => Number((await sql<{ count: string }>('select count(*) from events'))[0]?.count)
  const before = await countEvents()
  const written = []
  for (const { table } of books) {
    const [row] = await sql<{ rows: unknown }>(`select coalesce(json_agg(b), '[]') as rows from ${table} b`)
    written.push(JSON.stringify(row?.rows))
  }
  const live = nameOf(cluster)
  await asAdmin([`drop database "${live}" with (force)`, `alter database "${kept}" rename to "${live}"`])
  await until(async () => sql('select').then(Boolean, () => false), 'the database is there again')
  for (const [at, { table, key, of }] of books.entries()) {
    await sql(
      `insert into ${table} select b.* from json_populate_recordset(null::${table}, ?::json) b
       where b.${key} in (select id from ${of})
       on conflict (${key}) do update set status = excluded.status, executions = excluded.executions`,
      [written[at]],
    )
  }
  return before - (await countEvents())
}

/** Cancels the sessions that were open in the backup, as their buyers do not return, except those in `waiting`. */
async function giveUpOn({ sql, merchant }: Cluster, waiting: UnderWay[]): Promise<void> {
  const awaited = waiting.flatMap(({ sessions }) => Object.values(sessions).map((session) => session.checkout_id))
  const open = await sql<{ id: string }>(
    `select id from checkouts where status = 'open' and payment_status <> 'processing' and id not in (?)`,
    [awaited],
  )
  for (const { id } of open) await merchant.cancel(id)
}
