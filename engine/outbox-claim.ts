import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { metaOf } from '../db/core/metadata.ts'
import { isKnownProcess, outboxKinds, OutboxRow, outboxTurn, outboxTurnsOfKinds } from '../db/core/outbox.ts'
import { numbered, runPrepared } from '../db/core/prepared-statement.ts'
import type { Logger } from './logger.ts'

const claimMax = 80
/** The most rows of one turn in one claim, so that a claim contains rows of many merchants. */
const claimOfTurnMax = 20

/** The rows of a claim, in order. `isCut`: there may be more. */
export type Claim = { rows: OutboxRow[]; isCut: boolean }

/** A row that a claim has met, and the place of its kind among those of the claim. If it was left, its id is null. */
type Met = Record<string, unknown> & { place: number; turn: string }

/**
 * Makes a function that claims due rows for 15 s, during which no other relay takes them. It claims some rows of each
 * turn (a kind and a merchant). Each kind begins where its last claim has ended, and a kind that has filled a claim is
 * the last one of the next claim. So ten thousand rows of one merchant, or kind, do not delay the others. Turns that
 * begin with one of `closed` are left out: a closed kind stays where it is. A row is claimed only together with, or
 * after, all earlier rows of its commit and ordering key. Processes that only other releases know are left to them.
 */
export function createOutboxClaimer({ orm }: Database): (closed: string[]) => Promise<Claim> {
  const claim = claimOf(metaOf(orm.em, OutboxRow).props.flatMap(({ fieldNames }) => fieldNames))
  const preparedClaim = numbered(claim)
  let kinds = outboxKinds
  /** The last turn of a kind in its last claim, if there may be more of them. */
  const lastTurns = new Map<string, string>()
  let isBacklog = false

  return async (closed) => {
    const open = kinds.filter((kind) => !closed.some((turns) => `${kind}/`.startsWith(turns)))
    if (open.length === 0) return { rows: [], isCut: false }
    const em = orm.em.fork()
    const starts = open.map((kind) => lastTurns.get(kind) ?? kind)
    const values = [open.join(','), starts.join(','), closed.join(',')]
    // Where little is due, planning takes longer than running, and a worker asks ten times a second. A plan that is
    // kept may have been made for an empty table, so a backlog is claimed without one.
    const met = isBacklog ? await em.execute<Met[]>(claim, values) : await runPrepared<Met>(em, preparedClaim, values)
    isBacklog = met.length >= claimOfTurnMax
    const last = met.length >= claimMax ? met.at(-1) : undefined
    const filling = last && open[last.place - 1]
    for (const kind of filling ? open.slice(0, open.indexOf(filling)) : open) lastTurns.delete(kind)
    if (filling) {
      lastTurns.set(filling, last.turn)
      kinds = [...kinds.filter((kind) => kind !== filling), filling]
    }
    const claimed = met.filter((row) => row['id'] !== null).map((row) => em.map(OutboxRow, row))
    const isFromStart = starts.every((turn, place) => turn === open[place])
    const isTurnCut = [...Map.groupBy(met, ({ turn }) => turn).values()].some((of) => of.length >= claimOfTurnMax)
    const rows = claimed.toSorted((left, right) => Number(left.id - right.id))
    return { rows, isCut: !isFromStart || isTurnCut || filling !== undefined }
  }
}

// Rows of one commit have the same `created_at`: the database's time at the start of the transaction. `picked` skips
// rows that another relay has locked, and the later rows of the same commit and ordering key are then left too.
// The columns have names: a prepared statement with `*` fails once per connection when a migration adds one.
const claimOf = (columns: string[]): string => `
  with recursive ${outboxTurnsOfKinds},
  picked as materialized (
    select t.place, t.turn, o.* from turns t cross join lateral (
      select id, created_at, lane from outbox o
      where ${outboxTurn} = t.turn and retry_at <= now() and ${isKnownProcess} and not exists (
        select from outbox e where e.created_at = o.created_at and e.lane = o.lane and e.id < o.id
        and (e.retry_at > now() or not e.${isKnownProcess}))
      order by id limit ${claimOfTurnMax} for update skip locked) o
    where t.has_rows and not t.turn ^@ any (string_to_array(?, ',')) limit ${claimMax}),
  claimed as (
    update outbox set retry_at = now() + interval '15 seconds', attempts = attempts + 1
    where id in (select p.id from picked p where not exists (
      select from outbox e where e.created_at = p.created_at and e.lane = p.lane and e.id < p.id
      and not exists (select from picked q where q.id = e.id)))
    returning ${columns.join(', ')})
  select ${columns.map((column) => `c.${column}`).join(', ')}, p.place, p.turn
  from picked p left join claimed c on c.id = p.id order by p.place, p.turn, p.id`

/** Postpones a row after a failure, with the later rows of its commit and ordering key, so that none overtakes it. */
export async function postponeOutboxRow(
  { orm }: Database,
  { id, attempts }: Pick<OutboxRow, 'id' | 'attempts'>,
  error: unknown,
): Promise<void> {
  const message = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  const seconds = Math.min(30, 2 ** Math.min(attempts, 5))
  await orm.em
    .fork()
    .execute(
      `update outbox o set last_error = ?, retry_at = now() + make_interval(secs => ?)
       from outbox failed where failed.id = ? and o.created_at = failed.created_at and o.lane = failed.lane
       and o.id >= failed.id`,
      [message, seconds, id],
    )
    .catch(() => undefined) // a sweep finds the rows in any case
}

/**
 * Keeps a row for 15 s more, while its delivery's first attempt waits for a slow receiver. Meanwhile the later rows of
 * its commit and ordering key do not wait for it, and its merchant does not count as one whose dispatches wait.
 */
export async function keepOutboxRow({ orm }: Database, { id }: Pick<OutboxRow, 'id'>): Promise<void> {
  await orm.em
    .fork()
    .execute(
      `update outbox set retry_at = now() + interval '15 seconds', lane = id::text,
       last_error = 'the receiver has not answered yet' where id = ?`,
      [id],
    )
    .catch(() => undefined) // the attempt may then be made twice, which is recorded once
}

/**
 * Dispatched rows are deleted in batches, as each deletion is a commit. If a row is dispatched again before that, this
 * is harmless.
 */
const deleteEveryMs = 100

/** Deletes dispatched rows in batches. */
export function createOutboxDeleter({ orm }: Database, logger: Logger) {
  const dispatched: bigint[] = []
  let deleting: Promise<void> | null = null

  async function deleteDispatched(): Promise<void> {
    while (dispatched.length > 0) {
      await setTimeout(deleteEveryMs)
      const ids = dispatched.splice(0)
      await orm.em
        .fork()
        .nativeDelete(OutboxRow, { id: { $in: ids } })
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'dispatched outbox rows stay; dispatching them again is harmless')
        })
    }
  }

  return {
    add(id: bigint) {
      dispatched.push(id)
      deleting ??= deleteDispatched().finally(() => (deleting = null))
    },
    finished: async () => deleting,
  }
}
