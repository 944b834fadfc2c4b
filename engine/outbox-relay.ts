import type { Database } from '../db/core/database.ts'
import type { OutboxRow } from '../db/core/outbox.ts'
import { type Queue, queues } from '../domain/process-contract.ts'
import { type Backlogs, type Engine, queueOf } from './engine.ts'
import type { Logger } from './logger.ts'
import { createOutboxClaimer, createOutboxDeleter, postponeOutboxRow } from './outbox-claim.ts'
import { createFairQueue, type DispatchBatch, type PendingDispatch } from './fair-queue.ts'
import { watchOverload } from './overload.ts'
import { repeatEvery } from './repeat.ts'
import { createStartGate, type StartGate } from './start-gate.ts'

/** Dispatches outbox rows: those of this process's commits at once, all others by a sweep. */
export type OutboxRelay = { close(): Promise<void> }

type RelayEngine = Pick<Engine, 'dispatch'> & Backlogs

type Options = { inFlightMax: number; waitingMax: number; sweepMs: number }

/** How long the rows are ours. A little less than their `retry_at`: 2 s from the commit, 15 s from the claim. */
const committedMs = 1_500
const claimedMs = 14_000

/**
 * Starts the relay. Commits of this process are dispatched at once: at most `inFlightMax` ordering keys at a time, and
 * the rows of each in order, so that the endpoints of one event do not wait for each other. Merchants take turns, and
 * no more processes are started than the workers can take. A sweep dispatches the rows that do not fit into
 * `waitingMax`, waited too long or failed, and the commits of processes without a relay.
 */
export function startOutboxRelay(
  database: Database,
  engine: RelayEngine,
  logger: Logger,
  options: Options,
): OutboxRelay {
  const turns = createFairQueue()
  const claimDue = createOutboxClaimer(database)
  const dispatcher = createDispatcher(database, engine, logger)
  const gateOf = (queue: Queue) => createStartGate(() => engine.backlogOf(queue), pump)
  const gates: Record<Queue, StartGate> = { main: gateOf('main'), webhooks: gateOf('webhooks') }
  const beginningMax = Math.ceil(options.inFlightMax / 4)
  let [inFlight, beginning] = [0, 0]
  let closed = false

  const mayGo = ({ rows: [row] }: DispatchBatch) =>
    row.signal !== null || (!(isOfMainQueue(row) && beginning >= beginningMax) && gates[queueOf(row.process)].isOpen())

  function pump(): void {
    while (!closed && inFlight < options.inFlightMax) {
      const batch = turns.next(mayGo)
      if (!batch) return
      void dispatchFirst(batch)
    }
  }

  /** Dispatches the first row. The later rows of its ordering key wait for it, then for their turn. */
  async function dispatchFirst(batch: DispatchBatch): Promise<void> {
    const [row, ...rest] = batch.rows
    const begins = row.signal === null && isOfMainQueue(row)
    inFlight += 1
    if (begins) beginning += 1
    if (row.signal === null) gates[queueOf(row.process)].started()
    const isDispatched = await dispatcher.dispatch(row)
    inFlight -= 1
    if (begins) beginning -= 1
    if (isDispatched && isNotEmpty(rest)) turns.add({ ...batch, rows: rest }, 'first')
    pump()
  }

  database.onCommitted = (rows) => {
    if (turns.count() >= options.waitingMax) return
    const oursUntil = performance.now() + committedMs
    for (const rowsOfKey of Map.groupBy(rows, (row) => row.orderingKey).values())
      turns.add(batchOf(rowsOfKey.map(pendingDispatchOf), false, oursUntil))
    pump()
  }

  /**
   * The kinds of which so many claimed rows wait here that a sweep claims no more. It claims rows of the others even
   * while their start gate is closed, so that they are here when it opens.
   */
  const fullKinds = () => kinds.filter((kind) => turns.swept(kind) >= options.inFlightMax)

  async function sweep(): Promise<void> {
    for (let more = true; more && !closed;) {
      const left = fullKinds()
      const { rows, isCut } = await claimDue(left.map((kind) => `${kind}/`))
      const oursUntil = performance.now() + claimedMs
      for (const unit of Map.groupBy(rows, unitOf).values())
        turns.add(batchOf(unit.map(pendingDispatchOf), true, oursUntil))
      pump()
      more = isCut || left.some((kind) => turns.swept(kind) > 0)
      if (more) await pause(rows.length > 0 ? 10 : 40)
    }
  }
  const sweeper = repeatEvery(options.sweepMs, sweep, { logger, failed: 'the outbox could not be swept' })
  const watch = watchOverload(database, dispatcher, logger)

  return {
    async close() {
      closed = true
      for (const gate of Object.values(gates)) gate.close()
      await Promise.all([sweeper.stop(), watch.stop()])
      while (inFlight > 0) await pause(20)
      await dispatcher.finished()
    },
  }
}

/** Dispatches rows, and records since when the engine has been answering. */
function createDispatcher(database: Database, engine: RelayEngine, logger: Logger) {
  const deleter = createOutboxDeleter(database, logger)
  let lastDispatchedAt = performance.now()
  let answersSince = performance.now()

  return {
    finished: () => deleter.finished(),
    /** The milliseconds since which the engine has been answering. */
    answersForMs: () => performance.now() - answersSince,
    /** Dispatches a row. On failure returns false, and postpones the row and the later ones of its ordering key. */
    async dispatch(row: PendingDispatch): Promise<boolean> {
      try {
        await engine.dispatch(row)
        lastDispatchedAt = performance.now()
        deleter.add(row.id)
        return true
      } catch (error) {
        const { process, resourceId } = row
        if (performance.now() - lastDispatchedAt > silentMs) answersSince = performance.now()
        logger.warn({ err: error, process, resourceId }, 'an outbox row could not be dispatched yet')
        await postponeOutboxRow(database, row, error)
        return false
      }
    },
  }
}

/** Starts on the main queue get a quarter of the places, so that they do not keep signals and deliveries waiting. */
const isOfMainQueue = ({ process }: PendingDispatch) => queueOf(process) === 'main'

const isNotEmpty = (rows: PendingDispatch[]): rows is [PendingDispatch, ...PendingDispatch[]] => rows.length > 0

const kinds = queues.flatMap((queue) => [`${queue}/begin`, `${queue}/go on`])

/**
 * If a dispatch fails and none has succeeded for this long, the engine is unavailable; the row itself is not at fault.
 */
const silentMs = 1_000

function batchOf(rows: PendingDispatch[], isSwept: boolean, oursUntil: number): DispatchBatch {
  if (!isNotEmpty(rows)) throw new Error('an ordering key has a row at least')
  const [{ process, signal }] = rows
  return { rows, kind: `${queueOf(process)}/${signal === null ? 'begin' : 'go on'}`, isSwept, oursUntil }
}

/** Rows of one commit have the same `created_at`: the database's time at the start of the transaction. */
const unitOf = ({ createdAt, orderingKey }: OutboxRow) => `${createdAt.getTime()}/${orderingKey}`

const pendingDispatchOf = ({
  id,
  process,
  resourceId,
  about,
  orderingKey,
  signal,
  anew,
  attempts,
}: OutboxRow): PendingDispatch => ({
  id,
  process,
  resourceId,
  about,
  orderingKey,
  signal,
  anew,
  attempts,
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
