import type { Database } from '../db/core/database.ts'
import type { OutboxRow } from '../db/core/outbox.ts'
import { type Queue, queues } from '../domain/process-contract.ts'
import { type Backlogs, type Engine, queueOf } from './engine.ts'
import type { Logger } from './logger.ts'
import { createClaims, createDeleter, postpone } from './outbox-claim.ts'
import { createTurns, type News, type Promised } from './outbox-turns.ts'
import { watchOverload } from './overload.ts'
import { repeat } from './repeat.ts'
import { createStartGate, type StartGate } from './start-gate.ts'

/** Tells processes what commits have promised: at once for this process's own, and a sweep for whatever is left. */
export type OutboxRelay = { close(): Promise<void> }

type Told = Pick<Engine, 'tell'> & Backlogs

type Options = { inFlightMax: number; waitingMax: number; sweepMs: number }

/** A little less than what the rows' `retry_at` says: 2 s from their commit, 15 s from being claimed. */
const committedMs = 1_500
const claimedMs = 14_000

/**
 * Starts relaying. Commits of this process are told at once, at most `inFlightMax` lanes of them at a time and the rows
 * of each in their order, so that an event to ten endpoints does not reach the last one nine calls later. Merchants
 * take turns, and no more processes are started than the workers take. What does not fit into `waitingMax`, waited too
 * long or failed is left to a sweep, as are the commits of processes without a relay.
 */
export function startOutboxRelay(database: Database, engine: Told, logger: Logger, options: Options): OutboxRelay {
  const turns = createTurns()
  const claimDue = createClaims(database)
  const teller = createTeller(database, engine, logger)
  const gateOf = (queue: Queue) => createStartGate(() => engine.backlogOf(queue), pump)
  const gates: Record<Queue, StartGate> = { main: gateOf('main'), webhooks: gateOf('webhooks') }
  const beginningMax = Math.ceil(options.inFlightMax / 4)
  let [inFlight, beginning] = [0, 0]
  let closed = false

  const mayGo = ({ rows: [row] }: News) =>
    row.signal !== null || (!(isSale(row) && beginning >= beginningMax) && gates[queueOf(row.process)].isOpen())

  function pump(): void {
    while (!closed && inFlight < options.inFlightMax) {
      const news = turns.next(mayGo)
      if (!news) return
      void tellFirst(news)
    }
  }

  /** Tells the first row; the others of its lane wait for that and then for their turn. */
  async function tellFirst(news: News): Promise<void> {
    const [row, ...rest] = news.rows
    const begins = row.signal === null && isSale(row)
    inFlight += 1
    if (begins) beginning += 1
    if (row.signal === null) gates[queueOf(row.process)].started()
    const isTold = await teller.tell(row)
    inFlight -= 1
    if (begins) beginning -= 1
    if (isTold && isNotEmpty(rest)) turns.add({ ...news, rows: rest }, 'first')
    pump()
  }

  database.onCommitted = (rows) => {
    if (turns.count() >= options.waitingMax) return
    const oursUntil = performance.now() + committedMs
    for (const lane of Map.groupBy(rows, (row) => row.lane).values())
      turns.add(newsOf(lane.map(promised), false, oursUntil))
    pump()
  }

  /** Kinds of which there is enough here. Some are taken even while no more may start: they are the next ones then. */
  const fullKinds = () => kinds.filter((kind) => turns.swept(kind) >= options.inFlightMax)

  async function sweep(): Promise<void> {
    for (let more = true; more && !closed;) {
      const left = fullKinds()
      const { rows, isCut } = await claimDue(left.map((kind) => `${kind}/`))
      const oursUntil = performance.now() + claimedMs
      for (const unit of Map.groupBy(rows, unitOf).values()) turns.add(newsOf(unit.map(promised), true, oursUntil))
      pump()
      more = isCut || left.some((kind) => turns.swept(kind) > 0)
      if (more) await pause(rows.length > 0 ? 10 : 40)
    }
  }
  const sweeper = repeat(options.sweepMs, sweep, { logger, failed: 'the outbox could not be swept' })
  const watch = watchOverload(database, teller, logger)

  return {
    async close() {
      closed = true
      for (const gate of Object.values(gates)) gate.close()
      await Promise.all([sweeper.stop(), watch.stop()])
      while (inFlight > 0) await pause(20)
      await teller.finished()
    },
  }
}

/** Tells rows, and knows since when the engine has answered. */
function createTeller(database: Database, engine: Told, logger: Logger) {
  const deleter = createDeleter(database, logger)
  let lastToldAt = performance.now()
  let answersSince = performance.now()

  return {
    finished: () => deleter.finished(),
    /** For how many milliseconds the engine has been answering. */
    answersForMs: () => performance.now() - answersSince,
    /** Whether a process has been told; if not, the row and what follows it in its lane is put off. */
    async tell(row: Promised): Promise<boolean> {
      try {
        await engine.tell(row)
        lastToldAt = performance.now()
        deleter.add(row.id)
        return true
      } catch (error) {
        const { process, resourceId } = row
        if (performance.now() - lastToldAt > silentMs) answersSince = performance.now()
        logger.warn({ err: error, process, resourceId }, 'a process could not be told yet')
        await postpone(database, row, error)
        return false
      }
    },
  }
}

/** What begins something for the money takes few of the places: what has begun, and what tells of its end, go first. */
const isSale = ({ process }: Promised) => queueOf(process) === 'main'

const isNotEmpty = (rows: Promised[]): rows is [Promised, ...Promised[]] => rows.length > 0

const kinds = queues.flatMap((queue) => [`${queue}/begin`, `${queue}/go on`])

/** Who has told nothing for so long, and now fails, has an engine that is away, and not a row that it does not take. */
const silentMs = 1_000

function newsOf(rows: Promised[], isSwept: boolean, oursUntil: number): News {
  if (!isNotEmpty(rows)) throw new Error('a lane has a row at least')
  const [{ process, signal }] = rows
  return { rows, kind: `${queueOf(process)}/${signal === null ? 'begin' : 'go on'}`, isSwept, oursUntil }
}

/** Rows of one commit carry one time: the database's, of when its transaction began. */
const unitOf = ({ createdAt, lane }: OutboxRow) => `${createdAt.getTime()}/${lane}`

const promised = ({ id, process, resourceId, about, lane, signal, anew, attempts }: OutboxRow): Promised => ({
  id,
  process,
  resourceId,
  about,
  lane,
  signal,
  anew,
  attempts,
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
