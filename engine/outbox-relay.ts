import type { Database } from '../db/database.ts'
import { OutboxRow } from '../db/outbox.ts'
import type { About, ProcessName } from '../db/start-process.ts'
import type { Engine, Telling } from './engine.ts'
import type { Logger } from './logger.ts'

/** Tells processes what commits have promised: at once for this process's own, and a sweep for whatever is left. */
export type OutboxRelay = { close(): Promise<void> }

type Options = { inFlightMax: number; waitingMax: number; sweepMs: number }

/** A row without its entity, which would keep all that its transaction has read in memory. */
type Promised = Telling & { id: bigint; attempts: number }

/** The rows of one commit and lane, in their order, and until when (performance.now()) no other relay looks at it. */
type News = { rows: Promised[]; oursUntil: number }

const claimMax = 200
/** A little less than what the rows' `retry_at` says: 2 s from their commit, 15 s from being claimed. */
const committedMs = 1_500
const claimedMs = 14_000
/** Told rows are deleted together, as each deletion is a commit; being told again in the meantime is harmless. */
const deleteEveryMs = 100

/**
 * Starts relaying. Commits of this process are told at once, at most `inFlightMax` lanes of them at a time and the rows
 * of each in their order, so that an event to ten endpoints does not reach the last one nine calls later. What does not
 * fit into `waitingMax`, waited too long or failed is left to a sweep, as are the commits of processes without a relay.
 */
export function startOutboxRelay(database: Database, engine: Engine, logger: Logger, options: Options): OutboxRelay {
  const waiting: News[] = []
  const deleter = createDeleter(database, logger)
  let inFlight = 0
  let closed = false

  async function tellAll(rows: Promised[]): Promise<void> {
    for (const [index, row] of rows.entries()) {
      try {
        await engine.tell(row)
        deleter.add(row.id)
      } catch (error) {
        const { process, resourceId } = row
        logger.warn({ err: error, process, resourceId }, 'a process could not be told yet')
        return postpone(database, rows.slice(index), error) // the later ones must not overtake it
      }
    }
  }

  function pump(): void {
    while (!closed && inFlight < options.inFlightMax) {
      const news = waiting.shift()
      if (!news) return
      if (news.oursUntil < performance.now()) continue // a sweep has it by now
      inFlight += 1
      void tellAll(news.rows).finally(() => {
        inFlight -= 1
        pump()
      })
    }
  }

  const take = (commit: OutboxRow[], forMs: number) => {
    if (waiting.length >= options.waitingMax) return
    const oursUntil = performance.now() + forMs
    for (const lane of byLane(commit)) waiting.push({ rows: lane.map(promised), oursUntil })
    pump()
  }
  database.onCommitted = (rows) => take(rows, committedMs)

  async function sweep(): Promise<void> {
    for (let more = true; more && !closed;) {
      const rows = await claimDue(database)
      for (const commit of byCommit(rows)) take(commit, claimedMs)
      more = rows.length === claimMax
      while (waiting.length >= options.inFlightMax && !closed) await pause(10)
    }
  }
  const sweeper = sweepEvery(options.sweepMs, sweep, logger)

  return {
    async close() {
      closed = true
      await sweeper.stop()
      while (inFlight > 0) await pause(20)
      await deleter.finished()
    },
  }
}

const promised = ({ id, process, resourceId, about, signal, anew, attempts }: OutboxRow): Promised => ({
  ...{ id, resourceId, signal, anew, attempts },
  process: process as ProcessName,
  about: about as About,
})

/** Deletes told rows, many at a time. */
function createDeleter({ orm }: Database, logger: Logger) {
  const told: bigint[] = []
  let deleting: Promise<void> | null = null

  async function deleteTold(): Promise<void> {
    while (told.length > 0) {
      await pause(deleteEveryMs)
      const ids = told.splice(0)
      await orm.em
        .fork()
        .nativeDelete(OutboxRow, { id: { $in: ids } })
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'told outbox rows stay; telling them again is harmless')
        })
    }
  }

  return {
    add(id: bigint) {
      told.push(id)
      deleting ??= deleteTold().finally(() => (deleting = null))
    },
    finished: async () => deleting,
  }
}

/** Takes rows that are due, in their order, and puts them out of reach of other relays for a while. */
async function claimDue(database: Database): Promise<OutboxRow[]> {
  const em = database.orm.em.fork()
  const rows = await em.execute(
    `update outbox set retry_at = now() + interval '15 seconds', attempts = attempts + 1
     where id in (select id from outbox where retry_at <= now() order by id limit ${claimMax} for update skip locked)
     returning *`,
  )
  return rows.map((row) => em.map(OutboxRow, row)).toSorted((left, right) => Number(left.id - right.id))
}

/** Rows of one commit carry one time: the database's, of when its transaction began. */
const byCommit = (rows: OutboxRow[]): Iterable<OutboxRow[]> =>
  Map.groupBy(rows, ({ createdAt }) => createdAt.getTime()).values()

const byLane = (commit: OutboxRow[]): Iterable<OutboxRow[]> => Map.groupBy(commit, ({ lane }) => lane).values()

async function postpone(database: Database, rows: Promised[], error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  const seconds = Math.min(30, 2 ** Math.min(rows[0]?.attempts ?? 0, 5))
  const ids = rows.map(({ id }) => id)
  await database.orm.em
    .fork()
    .execute(
      `update outbox set last_error = ?, retry_at = now() + make_interval(secs => ?)
       where id in (${ids.map(() => '?').join(', ')})`,
      [message, seconds, ...ids],
    )
    .catch(() => undefined) // the sweep finds them in any case
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function sweepEvery(ms: number, sweep: () => Promise<void>, logger: Logger): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await sweep().catch((error: unknown) => logger.warn({ err: error }, 'the outbox could not be swept'))
      await Promise.race([pause(ms), new Promise((resolve) => stopped.signal.addEventListener('abort', resolve))])
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await loop
    },
  }
}
