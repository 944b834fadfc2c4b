import { currencyCodes } from '../../domain/currency.ts'
import type { AgendaResource, WaitingOn, WakeReason } from '../../domain/sight/agenda.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { type WaitSource, waitSources } from './wait-sources.ts'

// What waits, read from the rows that wait: no table of its own, so a wait is never written twice and never forgotten.

/** A wait of a resource. `wakesAt` is null where the wait has no end that is known. */
export type Wait = {
  resource: AgendaResource
  id: string
  waitingOn: WaitingOn
  reason: WakeReason
  since: Date
  wakesAt: Date | null
  /** The moment until which the wait is over by our rules; null where nobody promises one. */
  expectedBy: Date | null
}

/** The waits of an account that are asked for. */
export type WaitFilter = {
  resources: readonly AgendaResource[]
  waitingOn?: WaitingOn | undefined
  /** Only waits that end before this moment, in milliseconds since the epoch. */
  before?: number | undefined
  /** Only waits that come after this place in the list, or before it if the list is read backwards. */
  from?: WaitPlace | undefined
  isBackwards?: boolean
}

/** A place in the list of waits, which is sorted by these three. `wakesAt` is in milliseconds since the epoch. */
export type WaitPlace = { wakesAt: number; id: string; reason: string }

/**
 * The next waits of an account whose ends are known, the earliest first, or the latest first if the list is read
 * backwards; at most `limit`. `at` is the moment of the question, in milliseconds since the epoch.
 */
export async function listWaits(
  em: EntityManager,
  owner: Tenant,
  filter: WaitFilter,
  limit: number,
  at: number,
): Promise<Wait[]> {
  const { resources, waitingOn } = filter
  if (resources.length === 0) return []
  const further = conditionsOf(filter)
  const sort = filter.isBackwards ? 'desc' : 'asc'
  const order = `order by wakes_at ${sort}, id ${sort}, reason ${sort} limit ${limit}`
  const where = `where account_id = ? and environment = ? and wakes_at is not null ${further.sql}`
  const params = [owner.accountId, owner.environment, ...further.params]
  const parts = agendaSources
    .filter((source) => resources.includes(source.resource))
    .filter((source) => !waitingOn || source.waitingOn === waitingOn)
    .map((source) => ({
      sql: `(${labelled(source)} ${where} ${order})`,
      params: [...momentsOf(source.rows, at), ...params],
    }))
  // Money of no other resource waits: it is not looked for among all that is pending.
  const maturing = resources.filter((resource) => isMaturing.has(resource))
  const isMoney = (!waitingOn || waitingOn === 'maturity') && maturing.length > 0
  if (isMoney && !maturing.includes('payment')) {
    parts.push({
      sql: `(${selectOtherMaturities} ${where} and ${isOwners} and resource in (?) ${order})`,
      params: [new Date(at), new Date(at), ...params, maturing],
    })
  } else if (isMoney) {
    const ofCurrency = `${selectNextMaturities} ${where} and currency = code ${order}`
    parts.push({
      sql: `(select m.* from jsonb_array_elements_text(?) as code, lateral (${ofCurrency}) m ${order})`,
      params: [JSON.stringify(currencyCodes), maturing, new Date(at), ...params],
    })
  }
  return parts.length === 0 ? [] : readWaits(em, parts, order)
}

/** Every wait of these resources of an account, those with a known end first. */
export async function waitsOf(em: EntityManager, owner: Tenant, ids: string[], at: number): Promise<Wait[]> {
  if (ids.length === 0) return []
  const own = [owner.accountId, owner.environment, ids]
  const parts = agendaSources.map((source) => ({
    sql: `(${labelled(source)} where account_id = ? and environment = ? and id in (?))`,
    params: [...momentsOf(source.rows, at), ...own],
  }))
  // The owner of the transaction is named too: its index finds the few of these resources among all that is pending.
  const sql = `(${selectMaturities} where account_id = ? and environment = ? and id in (?) and ${isOwners})`
  parts.push({ sql, params: [new Date(at), ...own] })
  return readWaits(em, parts, 'order by wakes_at, id, reason')
}

/** All that waits for a moment or somebody, except pending money, each by its own time. */
export const agendaSources: readonly WaitSource[] = waitSources.flatMap(byOwnTime)

/** The resources whose money may be pending: with one of these words begins the type of a balance transaction. */
const isMaturing = new Set<AgendaResource>(['payment', 'refund', 'payout', 'conversion', 'dispute'])

const columns = 'id, reason, since, wakes_at as "wakesAt", expected_by as "expectedBy"'
const kept = 'id, reason, since, wakes_at, expected_by'

/** A source's rows with its resource and whom they wait for. */
export const labelled = ({ resource, waitingOn, rows }: WaitSource): string =>
  `select '${resource}' as resource, '${waitingOn}' as waiting_on, ${kept} from (${rows}) w`

const resourceOf = "split_part(b.type, '_', 1)"
const isOfEntry = 'b.ledger_transaction_id = e.transaction_id and b.currency = e.currency'

/** Pending money, by the resource whose money it is, as far as a condition holds. */
const maturities = (condition: string, transaction = `balance_transactions b on ${isOfEntry}`): string => `
  select resource, 'maturity' as waiting_on, ${kept} from (
    select ${resourceOf} as resource, b.source_id as id, 'maturity' as reason, e.account_id, e.environment,
      e.currency, e.created_at as since, e.available_at as wakes_at, e.available_at as expected_by,
      b.account_id as owner_id, b.environment as owner_environment
    from ledger_entries e join ${transaction}
    where e.book = 'merchant' and not e.folded and e.amount > 0 and ${condition}) w`

/** Of all resources; the first parameter is the moment of the question. */
const selectMaturities = maturities('e.available_at > ?')

/**
 * Of the resources that the first parameter names; the second is the moment of the question. The transaction is looked
 * up for each entry by itself (`offset 0`): Postgres takes the condition on resources for one that few entries meet,
 * and would read all that is pending before it sorts it, instead of the next entries by an index.
 */
const selectNextMaturities = maturities(
  'e.available_at > ?',
  `lateral (
      select * from balance_transactions b where ${isOfEntry} and ${resourceOf} in (?) offset 0
    ) b on true`,
)

/**
 * Of all but payments; the first two parameters are the moment of the question. An index has the few such transactions
 * that are pending. A transaction names the latest moment of its entries.
 */
const selectOtherMaturities = maturities("e.available_at > ? and b.available_at > ? and b.type <> 'payment'")
const isOwners = 'owner_id = account_id and owner_environment = environment'

function conditionsOf({ before, from, isBackwards }: WaitFilter): { sql: string; params: unknown[] } {
  const isBefore = before === undefined ? '' : 'and wakes_at < ?'
  const than = isBackwards ? '<' : '>'
  // The first condition is implied by the second. It is there because the index of pending money can use it.
  const isBeyond = from ? `and wakes_at ${than}= ? and (wakes_at, id, reason) ${than} (?, ?, ?)` : ''
  return {
    sql: `${isBefore} ${isBeyond}`,
    params: [
      ...(before === undefined ? [] : [new Date(before)]),
      ...(from ? [new Date(from.wakesAt), new Date(from.wakesAt), from.id, from.reason] : []),
    ],
  }
}

/**
 * A source that asks for the moment is read twice: what is on a test clock goes by the time of its clock, which may be
 * far from the real one.
 */
function byOwnTime({ rows, ...source }: WaitSource): WaitSource[] {
  if (!rows.includes('?')) return [{ ...source, rows }]
  const onClock = rows.replaceAll('?', 'coalesce((select frozen_time from test_clocks t where t.id = clock_id), ?)')
  return [
    { ...source, rows: `select * from (${rows}) r where clock_id is null` },
    { ...source, rows: `select * from (${onClock}) r where clock_id is not null` },
  ]
}

/** A parameter for each `?` of a source. */
export const momentsOf = (rows: string, at: number): Date[] =>
  rows
    .split('?')
    .slice(1)
    .map(() => new Date(at))

export type Read = Omit<Wait, 'since' | 'wakesAt' | 'expectedBy'> & {
  since: string
  wakesAt: string | null
  expectedBy: string | null
}

export type Run = (em: EntityManager, sql: string, params: unknown[]) => Promise<Read[]>

const runOnce: Run = (em, sql, params) => em.execute<Read[]>(sql, params)

/** Reads the waits of all these statements together. */
export async function readWaits(
  em: EntityManager,
  parts: { sql: string; params: unknown[] }[],
  order: string,
  run: Run = runOnce,
): Promise<Wait[]> {
  const all = parts.map(({ sql }) => sql).join(' union all ')
  const rows = await run(
    em,
    `select resource, waiting_on as "waitingOn", ${columns} from (${all}) waits ${order}`,
    parts.flatMap(({ params }) => params),
  )
  const moment = (text: string | null) => (text === null ? null : new Date(text))
  return rows.map((row): Wait => ({
    ...row,
    since: new Date(row.since),
    wakesAt: moment(row.wakesAt),
    expectedBy: moment(row.expectedBy),
  }))
}
