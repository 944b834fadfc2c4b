import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { OutboxRow, outboxTurn } from '../db/core/outbox.ts'
import type { Logger } from './logger.ts'

const claimMax = 80
/** Of one turn in one claim, so that many merchants have theirs in it. */
const claimOfTurnMax = 20

/** A claim's rows, in their order; and whether there may be more. */
export type Claim = { rows: OutboxRow[]; isCut: boolean }

/**
 * Makes a function that takes rows which are due and puts them out of reach of other relays for 15 s: some of each turn
 * (a queue, a merchant), beginning where the claim before has ended, so that ten thousand rows of one merchant delay
 * nobody else's. Turns that begin with one of `closed` are left out. A row is taken only together with, or after, all
 * rows before it of its commit and ordering key.
 */
export function createOutboxClaimer({ orm }: Database): (closed: string[]) => Promise<Claim> {
  let after = ''

  return async (closed) => {
    const em = orm.em.fork()
    const found = await em.execute<(Record<string, unknown> & { turn: string })[]>(claim, [after, closed.join(',')])
    const rows = found.map((row) => em.map(OutboxRow, row)).toSorted((left, right) => Number(left.id - right.id))
    const isFromStart = after === ''
    const turns = Map.groupBy(found, ({ turn }) => turn)
    const last = [...turns.keys()].toSorted().at(-1) ?? ''
    after = rows.length >= claimMax ? last : ''
    const isCut = !isFromStart || [...turns.values()].some((of) => of.length >= claimOfTurnMax)
    return { rows, isCut: isCut || rows.length >= claimMax }
  }
}

// Rows of one commit carry one time: the database's, of when its transaction began. `picked` has locked its rows, so
// what of a commit's ordering key another relay holds is in nobody's `picked`, and the rest of that ordering key stays
// where it is.
const claim = `
  with recursive turns as (
    (select ${outboxTurn} as turn from outbox where ${outboxTurn} > ? order by turn limit 1)
    union all
    select next.turn from turns t cross join lateral (
      select ${outboxTurn} as turn from outbox where ${outboxTurn} > t.turn order by turn limit 1) next),
  picked as materialized (
    select o.id, o.created_at, o.lane from turns t cross join lateral (
      select id, created_at, lane from outbox o where ${outboxTurn} = t.turn and retry_at <= now() and not exists (
        select from outbox e where e.created_at = o.created_at and e.lane = o.lane and e.id < o.id
        and e.retry_at > now())
      order by id limit ${claimOfTurnMax} for update skip locked) o
    where not t.turn ^@ any (string_to_array(?, ',')) limit ${claimMax})
  update outbox set retry_at = now() + interval '15 seconds', attempts = attempts + 1
  where id in (select p.id from picked p where not exists (
    select from outbox e where e.created_at = p.created_at and e.lane = p.lane and e.id < p.id
    and not exists (select from picked q where q.id = e.id)))
  returning *, ${outboxTurn} as turn`

/**
 * Puts off, after a failure, a row and what of its commit and ordering key comes after it, so that nothing overtakes
 * it.
 */
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
    .catch(() => undefined) // the sweep finds them in any case
}

/**
 * Dispatched rows are deleted together, as each deletion is a commit; being dispatched again in the meantime is
 * harmless.
 */
const deleteEveryMs = 100

/** Deletes dispatched rows, many at a time. */
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
