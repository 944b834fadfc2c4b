import { environments } from '../../domain/access/scope.ts'
import { minuteMs } from '../../domain/duration.ts'
import { queues } from '../../domain/process-contract.ts'
import type { StuckResource, WaitingOn } from '../../domain/sight/agenda.ts'
import type { EntityManager } from '../core/database.ts'
import { countStuckWaits } from './stuck.ts'

// What the metrics show of the database. No figure is about a single account, and none holds an id.

/** What each figure means, and its labels. */
export const figures = {
  outbox_rows: {
    means: 'Dispatches that wait in the outbox, counted up to 20,000 of all queues.',
    labels: ['queue'],
  },
  outbox_oldest_seconds: {
    means: 'How long the oldest dispatch in the outbox has waited; 0 if none does.',
    labels: ['queue'],
  },
  overloaded_accounts: {
    means: 'Accounts whose dispatches have waited so long that new calls of theirs are refused.',
    labels: ['queue'],
  },
  deliveries_pending: { means: 'Deliveries of webhooks that have not ended, counted up to 20,000.', labels: [] },
  endpoints_failing: {
    means: 'Webhook endpoints that are enabled and whose last attempt failed.',
    labels: ['environment'],
  },
  processes_restarted: {
    means: 'Processes that the supervisor has had to start again in the last hour.',
    labels: ['process'],
  },
  stuck_waits: {
    means:
      'Waits that are overdue for 5 minutes, or whose rail has not answered for an hour: the list of what is stuck.',
    labels: ['resource', 'waiting_on', 'environment'],
  },
  stuck_money: {
    means:
      'Money of these waits that a provider or staff have for longer than is usual: an hour, of refunds 14 days, of ' +
      'what staff hold a day. A decision of a dispute counts only while nobody asks for it.',
    labels: ['resource', 'waiting_on', 'environment'],
  },
  ledger_unfolded_entries: {
    means:
      'Available entries that no debit has rolled up into its balance yet, of accounts with 10,000 balance ' +
      'transactions or more, counted up to 100,000.',
    labels: [],
  },
  ledger_unfolded_entries_max: {
    means: 'The same of the balance that has most: so many entries its next debit rolls up.',
    labels: [],
  },
} satisfies Record<string, { means: string; labels: readonly string[] }>

export type FigureName = keyof typeof figures

export type Figure = { name: FigureName; labels: Record<string, string>; value: number }

/** No more rows of a backlog are counted, so that a long one does not make counting it slow. */
const rowsMax = 20_000
/** The same for ledger entries, of which more are read in the same time. */
const entriesMax = 100_000

/** Longer than any of these statements takes on a healthy database, in milliseconds. */
const statementMaxMs = 2_000

/** As the list of what is stuck has it (api/sight/stuck.ts). */
const stuck = { olderThanMs: 60 * minuteMs, overdueByMs: 5 * minuteMs }

/** Reads some figures. `at` is the moment of the question, in milliseconds; `withinMs` is how long it may take. */
export type ReadFigures = (em: EntityManager, at: number, withinMs: number) => Promise<Figure[]>

/** Runs a statement that takes `withinMs` at most, and never more than 2 seconds. */
const soon =
  (read: (em: EntityManager, at: number) => Promise<Figure[]>): ReadFigures =>
  (em, at, withinMs) =>
    em.fork().transactional(
      async (reader) => {
        await reader.execute(`set local statement_timeout = ${Math.min(statementMaxMs, withinMs)}`)
        return read(reader, at)
      },
      { readOnly: true },
    )

/** What can be read, or not, by itself: a statement that fails takes no other figures with it. */
type Sources = Record<string, ReadFigures>

/** The figures that change from second to second, each by a statement of a few milliseconds. */
export const queueSources: Sources = {
  outbox: soon(readOutbox),
  overloaded: soon(readOverloaded),
  deliveries: soon(readPending),
  endpoints: soon(readFailing),
  restarts: soon(readRestarts),
}

/** The figures about what has waited for minutes. */
export const backlogSources: Sources = { stuck: soon(readStuck), ledger: soon(readLedger) }

/** What waits for a provider or for staff is money, but for deliveries. */
const isMoney = ({ resource, waitingOn }: { resource: StuckResource; waitingOn: WaitingOn }) =>
  (waitingOn === 'rail' || waitingOn === 'operator') && resource !== 'webhook_delivery'

async function readStuck(em: EntityManager, at: number): Promise<Figure[]> {
  const counts = await countStuckWaits(em, stuck, at)
  return counts.flatMap(({ count, unusual, ...kind }): Figure[] => {
    const labels = { resource: kind.resource, waiting_on: kind.waitingOn, environment: kind.environment }
    const money: Figure = { name: 'stuck_money', labels, value: unusual }
    return [{ name: 'stuck_waits', labels, value: count }, ...(isMoney(kind) ? [money] : [])]
  })
}

async function readOutbox(em: EntityManager): Promise<Figure[]> {
  const rows = await em.execute<{ queue: string; count: number; seconds: number }[]>(
    `select queue, count(*)::int as count, extract(epoch from now() - min(created_at))::float8 as seconds from (
       select case when process like 'webhook-%' then 'webhooks' else 'main' end as queue, created_at
       from outbox order by created_at limit ${rowsMax}) o group by queue`,
  )
  return queues.flatMap((queue): Figure[] => {
    const found = rows.find((row) => row.queue === queue)
    return [
      { name: 'outbox_rows', labels: { queue }, value: found?.count ?? 0 },
      { name: 'outbox_oldest_seconds', labels: { queue }, value: Math.max(0, found?.seconds ?? 0) },
    ]
  })
}

async function readOverloaded(em: EntityManager): Promise<Figure[]> {
  const rows = await em.execute<{ queue: string; count: number }[]>(
    'select queue, count(*)::int as count from overloaded_accounts where until > now() group by queue',
  )
  return queues.map((queue) => ({
    name: 'overloaded_accounts',
    labels: { queue },
    value: rows.find((row) => row.queue === queue)?.count ?? 0,
  }))
}

async function readPending(em: EntityManager): Promise<Figure[]> {
  const [pending] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from (select from deliveries where status = 'pending' limit ${rowsMax}) d`,
  )
  return [{ name: 'deliveries_pending', labels: {}, value: pending?.count ?? 0 }]
}

async function readFailing(em: EntityManager): Promise<Figure[]> {
  const failing = await em.execute<{ environment: string; count: number }[]>(
    `select environment, count(*)::int as count from webhook_endpoints
     where enabled and failing_since is not null group by environment`,
  )
  return environments.map((environment) => ({
    name: 'endpoints_failing',
    labels: { environment },
    value: failing.find((row) => row.environment === environment)?.count ?? 0,
  }))
}

async function readRestarts(em: EntityManager): Promise<Figure[]> {
  const rows = await em.execute<{ process: string; count: number }[]>(
    `select process, count(*)::int as count from process_restarts
     where restarted_at > now() - interval '1 hour' group by process`,
  )
  return rows.map(({ process, count }) => ({ name: 'processes_restarted', labels: { process }, value: count }))
}

/**
 * Only accounts with many balance transactions are looked at, which `counted_lists` names: of others a debit has little
 * to roll up, and an index would be searched for each of them.
 */
async function readLedger(em: EntityManager, at: number): Promise<Figure[]> {
  const [row] = await em.execute<{ all: number; most: number }[]>(
    `select coalesce(sum(n), 0)::int as "all", coalesce(max(n), 0)::int as most from (
       select count(*) as n from (
         select account_id, environment, currency from counted_lists l cross join lateral (
           select currency from ledger_entries e
           where e.account_id = l.account_id and e.environment = l.environment and e.book = 'merchant'
             and not e.folded and e.available_at <= ? offset 0) e
         where l.table_name = 'balance_transactions' limit ${entriesMax}) e
       group by account_id, environment, currency) b`,
    [new Date(at)],
  )
  return [
    { name: 'ledger_unfolded_entries', labels: {}, value: row?.all ?? 0 },
    { name: 'ledger_unfolded_entries_max', labels: {}, value: row?.most ?? 0 },
  ]
}
