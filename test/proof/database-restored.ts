import { openDatabase } from '../../db/open-database.ts'
import { endWaiting, startWaiting, type UnderWay } from '../support/under-way.ts'
import { comeToAnEnd, makeBusy, restore, type Ruin, startDeployment } from './disaster.ts'
import type { Scenario } from './scenario.ts'
import { until } from './until.ts'

/**
 * `size` is the number of sales. The database is backed up in the middle of them and put back after their end, while
 * the engine keeps what it has: processes run for rows that are not there, or are set back. What rails have done since
 * they still know, as real ones do.
 */
export const databaseRestored: Scenario = {
  promise: 'the database is put back to an earlier moment: no process, number or order is used twice, and all ends',
  size: 300,
  async run(size) {
    const ruin = await startDeployment()
    try {
      const [untouched, ended] = [await startWaiting(ruin), await startWaiting(ruin)]
      const busy = await makeBusy(ruin, size)
      await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
      const kept = await backUp(ruin)
      const violations = await busy.done
      await endWaiting(ruin, await ruin.logIn(), ended)
      await startWaiting(ruin)
      await ruin.killAll()
      const lost = await putBack(ruin, kept)
      violations.push(...(await restore(ruin, ['database'], ruin.startAll)))
      await giveUpOn(ruin, [untouched, ended])
      const again = await makeBusy(ruin, Math.max(4, size / 10))
      violations.push(...(await again.done))
      const end = await comeToAnEnd(ruin, [untouched, ended])
      const figures = { sales: size, eventsLost: lost, restMs: end.restMs }
      if (lost === 0) violations.push('no event was lost: the database was not put back')
      return { figures, violations: [...violations, ...end.violations] }
    } finally {
      await ruin.stop()
    }
  },
}

/** Something said to the server itself, beside the database that is copied; again while it is too busy to listen. */
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

const nameOf = ({ databaseUrl }: Ruin) => new URL(databaseUrl).pathname.slice(1)
const cutOff = (name: string) => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`

/** Copies the database as it is at one moment, at which nobody is connected; answers the copy's name. */
async function backUp(ruin: Ruin): Promise<string> {
  const [live, kept] = [nameOf(ruin), `${nameOf(ruin)}_kept`]
  ruin.freeze()
  try {
    const copy = () => asAdmin([cutOff(live), `create database "${kept}" template "${live}"`])
    await until(() => copy().then(() => true, isInUse), 'the database is copied')
  } finally {
    ruin.wake()
  }
  return kept
}

/** Somebody has connected since all were cut off: they are cut off again. */
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

/** Puts the copy in the database's place, but for the rails' own books; answers how many events are lost by that. */
async function putBack(ruin: Ruin, kept: string): Promise<number> {
  const { sql } = ruin
  const countEvents = async () => Number((await sql<{ count: string }>('select count(*) from events'))[0]?.count)
  const before = await countEvents()
  const written = []
  for (const { table } of books) {
    const [row] = await sql<{ rows: unknown }>(`select coalesce(json_agg(b), '[]') as rows from ${table} b`)
    written.push(JSON.stringify(row?.rows))
  }
  const live = nameOf(ruin)
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

/** The buyers of sessions that were set back do not come a second time, but for those that are waited for. */
async function giveUpOn({ sql, merchant }: Ruin, waiting: UnderWay[]): Promise<void> {
  const awaited = waiting.flatMap(({ sessions }) => Object.values(sessions).map((session) => session.checkout_id))
  const open = await sql<{ id: string }>(
    `select id from checkouts where status = 'open' and payment_status <> 'processing' and id not in (?)`,
    [awaited],
  )
  for (const { id } of open) await merchant.cancel(id)
}
