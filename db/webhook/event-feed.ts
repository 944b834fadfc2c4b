import type { Environment } from '../../domain/access/scope.ts'
import type { EventType } from '../../domain/webhook/event.ts'
import type { EntityManager } from '../core/database.ts'
import { runPrepared } from '../core/prepared-statement.ts'

/** An event as the feed of new events reads it. */
export type FedEvent = { sequence: number; type: EventType; resourceId: string; body: string }
/** An event of any account. Its `body` is null if no stream follows its account, and if it is a test event. */
export type NewEvent = Omit<FedEvent, 'body'> & { accountId: string; environment: Environment; body: string | null }

type Numbered<T> = Omit<T, 'sequence'> & { sequence: string }
const toNumber = <T>(row: Numbered<T>) => ({ ...row, sequence: Number(row.sequence) }) as T

/** The events of all accounts after a sequence number, in its order. Those of `followed` accounts have their bodies. */
export async function readNewEvents(
  em: EntityManager,
  { after, followed, limit }: { after: number; followed: readonly string[]; limit: number },
): Promise<NewEvent[]> {
  const rows = await runPrepared<Numbered<NewEvent>>(
    em,
    `select sequence, type, resource_id as "resourceId", account_id as "accountId", environment,
       case when account_id = any($2) and not is_test then body end as body
     from events where sequence > $1 order by sequence limit $3`,
    [after, followed, limit],
  )
  return rows.map(toNumber)
}

type Wanted = {
  accountId: string
  environment: Environment
  /** Null: all. */
  types: readonly EventType[] | null
  after: number
  upTo: number
  /** In milliseconds since the epoch. Older events are no longer shown. */
  createdAfter: number
  limit: number
}

const isShown = "account_id = $1 and environment = $2 and not is_test and body <> '' and created_at > $3"
const columns = 'sequence, type, resource_id as "resourceId", body'

/** Between so few sequence numbers, those of all accounts, it does not matter how events are found. */
const SHORT = 5_000
/** So many events of the types that are asked for are read by their types, again for each page. */
const FEW = 5_000

/** The events of one account within a range of sequence numbers, in their order. */
export async function readEventsInOrder(em: EntityManager, wanted: Wanted): Promise<FedEvent[]> {
  const { accountId, environment, types, after, upTo, createdAfter, limit } = wanted
  const isRare = types !== null && upTo - after > SHORT && (await countOfTypes(em, wanted, types)) <= FEW
  const rows = await runPrepared<Numbered<FedEvent>>(em, isRare ? byTypes : inOrder, [
    accountId,
    environment,
    new Date(createdAfter),
    after,
    upTo,
    types,
    limit,
  ])
  return rows.map(toNumber)
}

/** Reads on in the order of the sequence until the page is full, also past events of other types. */
const inOrder = `
  select ${columns} from events
  where ${isShown} and sequence > $4 and sequence <= $5 and ($6::text[] is null or type = any($6))
  order by sequence limit $7`

/**
 * Reads all events of the types, each type by itself. What came between them is not read: it may be nearly everything.
 * The order and the limit, which is never reached, make Postgres read the index of types. It knows no rare type where
 * any is asked for: of one merchant with 3,000,000 events it would read the whole table.
 */
const byTypes = `
  with found as materialized (
    select e.sequence from (select distinct unnest($6::text[]) as type) asked,
      lateral (select sequence from events where ${isShown} and type = asked.type
        order by created_at, id limit ${2 * FEW}) e
  )
  select ${columns} from events where sequence = any(array(
    select sequence from found where sequence > $4 and sequence <= $5 order by sequence limit $7))
  order by sequence`

async function countOfTypes(
  em: EntityManager,
  { accountId, environment }: Wanted,
  types: readonly EventType[],
): Promise<number> {
  const [row] = await runPrepared<{ total: string }>(
    em,
    `select coalesce(sum(count), 0) as total from row_counts
     where table_name = 'events' and account_id = $1 and environment = $2 and facet = any($3)`,
    [accountId, environment, types],
  )
  return Number(row?.total)
}

/** The highest sequence number that a commit has shown; 0 if there is none. */
export async function lastSequence(em: EntityManager): Promise<number> {
  const [row] = await runPrepared<{ last: string | null }>(em, 'select max(sequence) as last from events', [])
  return Number(row?.last ?? 0)
}

/**
 * The running transactions that have recorded an event, or are about to. Each locks the table before it takes its
 * sequence number, and until it has ended. A replica does not know them, so there this fails.
 */
export async function writersOfEvents(em: EntityManager): Promise<string[]> {
  const [row] = await runPrepared<{ isReplica: boolean; writers: string[] }>(
    em,
    `select pg_is_in_recovery() as "isReplica", array(
       select virtualtransaction from pg_locks
       where locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())
     ) as writers`,
    [],
  )
  if (!row || row.isReplica) throw new Error('the events are read from a replica')
  return row.writers
}
