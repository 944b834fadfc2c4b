import { staffRoles } from '../../domain/access/role.ts'
import type { Environment } from '../../domain/access/scope.ts'
import type { StuckResource, WaitingOn, WaitingProcess, WakeReason } from '../../domain/sight/agenda.ts'
import type { EntityManager } from '../core/database.ts'
import { type WaitSource, waitSources } from './wait-sources.ts'

// What is stuck, of all accounts: a moment has passed at which something should have happened, or a rail has not
// answered for long. It is read from the agenda.

/** A wait that lasts too long. `overdueMs` is null where the next moment has not passed, or only just. */
export type StuckWait = {
  resource: StuckResource
  id: string
  accountId: string
  environment: Environment
  waitingOn: WaitingOn
  reason: WakeReason
  since: Date
  wakesAt: Date | null
  overdueMs: number | null
}

export type StuckFilter = {
  resource?: StuckResource | undefined
  accountId?: string | undefined
  environment?: Environment | undefined
  /** A rail that has not answered for longer than this has been silent for too long. */
  olderThanMs: number
  /** A moment that has passed for longer than this is overdue. */
  overdueByMs: number
  limit: number
  offset: number
}

type Read = Omit<StuckWait, 'since' | 'wakesAt' | 'overdueMs'> &
  Record<'wakesAt' | 'overdueMs', string | null> & { since: string }

/**
 * One page of what is stuck, the longest wait first, and how much there is in all. `at` is the moment of the question,
 * in milliseconds since the epoch. What is on a test clock is stuck by the time of its clock.
 */
export async function listStuckWaits(
  em: EntityManager,
  filter: StuckFilter,
  at: number,
): Promise<{ total: number; waits: StuckWait[] }> {
  const { resource, accountId, environment, limit, offset } = filter
  const sources = waitSources.filter(
    (source) => !resource || source.resource === (resource === 'deposit' ? 'payment' : resource),
  )
  const selects = sources.flatMap((source) => [inRealTime(source, filter, at), onClocks(source, filter)])
  const wanted = Object.entries({ resource, account_id: accountId, environment }).filter(([, value]) => value)
  const where = wanted
    .map(([column]) => `where ${column} = ?`)
    .join(' ')
    .replaceAll(' where', ' and')
  // The list is read once, for the number and for the page. The number is there also where the page is empty.
  const rows = await em.execute<({ total: number } & (Read | { id: null }))[]>(
    `with stuck as materialized (select * from (${selects.join(' union all ')}) waits ${where}),
      page as (select * from stuck order by since, id, reason limit ? offset ?)
     select counted.total, page.resource, page.id, account_id as "accountId", environment, waiting_on as "waitingOn",
       reason, since, wakes_at as "wakesAt", overdue_ms as "overdueMs"
     from (select count(*)::int as total from stuck) counted left join page on true order by since, id, reason`,
    [...wanted.map(([, value]) => value), limit, offset],
  )
  const waits = rows.flatMap((row) => (row.id === null ? [] : waitOf(row)))
  return { total: rows[0]?.total ?? 0, waits }
}

/**
 * How many waits of all accounts are stuck, of each kind that has some, and how many of them take longer than is usual
 * of their kind.
 */
export async function countStuckWaits(
  em: EntityManager,
  limits: Pick<StuckFilter, 'olderThanMs' | 'overdueByMs'>,
  at: number,
): Promise<(Pick<StuckWait, 'resource' | 'waitingOn' | 'environment'> & { count: number; unusual: number })[]> {
  const selects = waitSources.flatMap((source) => [inRealTime(source, limits, at), onClocks(source, limits)])
  return em.execute(
    `select resource, waiting_on as "waitingOn", environment, count(*)::int as count,
       (count(*) filter (where is_unusual))::int as unusual
     from (${selects.join(' union all ')}) waits group by 1, 2, 3`,
  )
}

const waitOf = ({ resource, id, accountId, environment, waitingOn, reason, ...row }: Read): StuckWait => ({
  resource,
  id,
  accountId,
  environment,
  waitingOn,
  reason,
  since: new Date(row.since),
  wakesAt: row.wakesAt === null ? null : new Date(row.wakesAt),
  overdueMs: row.overdueMs === null ? null : Number(row.overdueMs),
})

type Limits = Pick<StuckFilter, 'olderThanMs' | 'overdueByMs'>

function inRealTime(source: WaitSource, limits: Limits, at: number): string {
  const moment = (ms: number) => `'${new Date(at - ms).toISOString()}'::timestamptz`
  const rows = source.rows.replaceAll('?', moment(0))
  return `${selected(source, limits, moment)} from (${rows}) w
    where w.clock_id is null and ${isStuck(source, limits, moment)}`
}

function onClocks(source: WaitSource, limits: Limits): string {
  const moment = (ms: number) => `(c.frozen_time - interval '${ms} milliseconds')`
  const rows = source.rows.replaceAll('?', moment(0))
  return `${selected(source, limits, moment)} from test_clocks c, lateral (${rows}) w
    where w.clock_id = c.id and ${isStuck(source, limits, moment)}`
}

/** The moment so many milliseconds before now, as SQL. */
type Before = (ms: number) => string

/** The start of the wait is compared too: a wait that has only just begun is not late, whatever its row says. */
const isOverdue = ({ overdueByMs }: Limits, before: Before) =>
  `(w.wakes_at < ${before(overdueByMs)} and w.since < ${before(overdueByMs)})`

/** Of a rail that has not answered, the first comparison says nothing new: it lets an index find the rows. */
function isStuck({ isForAnswer }: WaitSource, limits: Limits, before: Before): string {
  if (!isForAnswer) return isOverdue(limits, before)
  const { olderThanMs, overdueByMs } = limits
  return `w.since < ${before(Math.min(olderThanMs, overdueByMs))}
    and (w.since < ${before(olderThanMs)} or ${isOverdue(limits, before)})`
}

/** A stuck wait is unusual if a moment has passed, or if the one awaited takes longer than others of its kind. */
const isUnusual = ({ isForAnswer, usualMs = 0 }: WaitSource, limits: Limits, before: Before) =>
  isForAnswer && usualMs > limits.olderThanMs
    ? `(${isOverdue(limits, before)}${Number.isFinite(usualMs) ? ` or w.since < ${before(usualMs)}` : ''})`
    : 'true'

function selected(source: WaitSource, limits: Limits, before: Before): string {
  const { resource, waitingOn } = source
  const isDeposit = 'exists (select from deposits d where d.id = w.id)'
  const name = resource === 'payment' ? `case when ${isDeposit} then 'deposit' else 'payment' end` : `'${resource}'`
  return `select ${name} as resource, '${waitingOn}' as waiting_on, w.id, w.account_id, w.environment, w.reason,
    w.since, w.wakes_at, case when ${isOverdue(limits, before)}
      then (extract(epoch from ${before(0)} - w.wakes_at) * 1000)::bigint end as overdue_ms,
    ${isUnusual(source, limits, before)} as is_unusual`
}

/** What the list shows of a resource beside its wait. */
export type StuckSubject = {
  resource: StuckResource
  id: string
  status: string
  amount: string | null
  currency: string | null
  traceId: string | null
  /** An operator action that waits for a second person. */
  proposed: string | null
  destinationId: string | null
  /** The resource whose process works for it, such as the session of a payment. */
  processOf: string
  /** The name of that process, where not every resource of the kind has the same. */
  process: WaitingProcess | null
}

const none = { trace: 'null', destination: 'null', processOf: 'id', process: 'null' }

const ofStaff = staffRoles.map((role) => `'${role}'`).join(', ')

/** A proposal of somebody who is not staff any more counts for nothing. */
const proposedAction = `(select action from operator_actions where resource_id = r.id and state = 'proposed'
  and proposed_by in (select id from users where account_id is null and role in (${ofStaff})) limit 1)`

const subjectOf = (
  table: string,
  shown: { status: string; amount: string; currency: string } & Partial<typeof none>,
) => {
  const { status, amount, currency, trace, destination, processOf, process } = { ...none, ...shown }
  return `select id, ${status} as status, ${amount} as amount, ${currency} as currency, ${trace} as "traceId",
    ${proposedAction} as proposed, ${destination} as "destinationId", ${processOf} as "processOf",
    ${process} as process from ${table} r`
}

const sum = { status: 'status', amount: 'amount', currency: 'currency' }
const noSum = { status: 'status', amount: 'null::numeric', currency: 'null' }

const subjects: Record<StuckResource, string> = {
  checkout_session: subjectOf('checkouts', sum),
  payment: subjectOf('payments', {
    ...sum,
    processOf: 'coalesce(checkout_id, subscription_id, id)',
    process: `case when checkout_id is null then 'subscription' end`,
  }),
  deposit: subjectOf('payments', sum),
  refund: subjectOf('refunds', { ...sum, amount: 'requested_amount' }),
  conversion: subjectOf('conversions', { ...sum, amount: 'from_amount', currency: 'from_currency' }),
  payout: subjectOf('payouts', {
    ...sum,
    trace: 'trace_id',
    destination: 'destination_id',
  }),
  payout_destination: subjectOf('payout_destinations', { ...noSum, destination: 'id' }),
  payout_schedule: subjectOf('payout_schedules', { ...noSum, status: "'scheduled'" }),
  account: subjectOf('account_profiles', noSum),
  webhook_delivery: subjectOf('deliveries', noSum),
  webhook_endpoint: subjectOf('webhook_endpoints', { ...noSum, status: "'failing'" }),
  subscription: subjectOf('subscriptions', sum),
  dispute: subjectOf('disputes', sum),
}

/** What the list shows of these resources. */
export async function readSubjects(em: EntityManager, waits: readonly StuckWait[]): Promise<StuckSubject[]> {
  if (waits.length === 0) return []
  const parts = [...Map.groupBy(waits, ({ resource }) => resource)].map(([resource, of]) => ({
    sql: `select '${resource}' as resource, s.* from (${subjects[resource]}) s where id in (?)`,
    ids: of.map(({ id }) => id),
  }))
  return em.execute<StuckSubject[]>(
    parts.map(({ sql }) => sql).join(' union all '),
    parts.map(({ ids }) => ids),
  )
}
