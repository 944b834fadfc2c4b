import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { outboxKinds, type OutboxRow } from '../db/core/outbox.ts'
import { type Queue, queues } from '../domain/process-contract.ts'
import { type Backlogs, type Engine, queueOf } from './engine.ts'
import type { Logger } from './logger.ts'
import { createOutboxClaimer, createOutboxDeleter, postponeOutboxRow } from './outbox-claim.ts'
import { createFirstAttempts, type FirstAttempt, isNewDelivery } from './first-attempts.ts'
import { createFairQueue, type DispatchBatch, type PendingDispatch } from './fair-queue.ts'
import { watchOverload } from './overload.ts'
import { repeatEvery } from './repeat.ts'
import { createStartGate, type StartGate } from './start-gate.ts'
import { watchUnknownProcesses } from './unknown-processes.ts'

/** Dispatches outbox rows: those of this process's commits at once, all others by a sweep. */
export type OutboxRelay = {
  /** Makes no more first attempts of deliveries, whose receivers may take long: their processes are started instead. */
  stopAttempts(): void
  close(): Promise<void>
}

type RelayEngine = Pick<Engine, 'dispatch'> & Backlogs

type Options = {
  inFlightMax: number
  waitingMax: number
  sweepMs: number
  attempt: FirstAttempt
  /** The queues whose processes it starts and signals; all if left out. Rows of the others are left to other relays. */
  queues?: readonly Queue[]
}

/** How long the rows are ours. A little less than their `retry_at`: 2 s from the commit, 15 s from the claim. */
const committedMs = 1_500
const claimedMs = 14_000

/**
 * Starts the relay. Commits of this process are dispatched at once: at most `inFlightMax` ordering keys at a time, and
 * the rows of each in order, so that the endpoints of one event do not wait for each other. Merchants take turns, and
 * no more processes are started than the workers can take. The first attempt of a delivery is made here, and its
 * process is started if it has to wait for anything. A sweep dispatches the rows that do not fit into `waitingMax`,
 * waited too long or failed, and the commits of processes without a relay.
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
  const { queues: ours = queues } = options
  const isOurs = ({ process }: Pick<OutboxRow, 'process'>) => ours.includes(queueOf(process))
  const others = queues.filter((queue) => !ours.includes(queue)).map((queue) => `${queue}/`)
  const attempts = createFirstAttempts({ database, logger, attempt: options.attempt })
  const beginningMax = Math.ceil(options.inFlightMax / 4)
  let inFlight = 0
  let beginning = 0
  let makesAttempts = true
  let closed = false

  const isToBeAttempted = ({ rows: [row], kind }: DispatchBatch) =>
    makesAttempts && kind !== waitKind && isNewDelivery(row)
  const mayGo = (batch: DispatchBatch) => {
    const [row] = batch.rows
    if (row.signal !== null || isToBeAttempted(batch)) return true
    return !(isOfMainQueue(row) && beginning >= beginningMax) && gates[queueOf(row.process)].isOpen()
  }

  function pump(): void {
    while (!closed && inFlight < options.inFlightMax) {
      const batch = turns.next(mayGo)
      if (!batch) return
      void dispatchFirst(batch)
    }
  }

  /** Dispatches the first row. The later rows of its ordering key wait for it, then for their turn. */
  async function dispatchFirst(batch: DispatchBatch): Promise<void> {
    const begins = batch.rows[0].signal === null && isOfMainQueue(batch.rows[0])
    inFlight += 1
    if (begins) beginning += 1
    const left = isToBeAttempted(batch) ? await attemptFirst(batch) : await sendFirst(batch)
    inFlight -= 1
    if (begins) beginning -= 1
    // What waits for the gate goes behind what has waited for longer.
    if (left) turns.add(left, left.kind === waitKind ? 'last' : 'first')
    pump()
  }

  /** Starts or signals a process. Returns what is left of the batch, if it may go on. */
  async function sendFirst({ rows: [row, ...rest], ...batch }: DispatchBatch): Promise<DispatchBatch | null> {
    if (row.signal === null) gates[queueOf(row.process)].started()
    const isDispatched = await dispatcher.dispatch(row)
    return isDispatched && isNotEmpty(rest) ? { ...batch, kind: kindOf(rest[0]), rows: rest } : null
  }

  /** Makes the first attempt of a delivery. Returns what is left of the batch, if it may go on. */
  async function attemptFirst(batch: DispatchBatch): Promise<DispatchBatch | null> {
    const [row, ...rest] = batch.rows
    const outcome = await attempts.make(batch, async (later) => {
      if (later === 'ended') dispatcher.done(row)
      if (later === 'waits') await sendFirst({ ...batch, rows: [row] })
    })
    if (outcome === 'ended') dispatcher.done(row)
    if (outcome === 'waits') return { ...batch, kind: waitKind }
    return outcome !== 'postponed' && isNotEmpty(rest) ? { ...batch, rows: rest } : null
  }

  database.isDispatchedHere = (process) => isOurs({ process })
  database.onCommitted = (committed) => {
    if (turns.count() >= options.waitingMax) return
    const rows = committed.filter(isOurs)
    const oursUntil = performance.now() + committedMs
    for (const rowsOfKey of Map.groupBy(rows, (row) => row.orderingKey).values())
      turns.add(batchOf(rowsOfKey.map(pendingDispatchOf), false, oursUntil))
    pump()
  }

  /**
   * The turns of which so many claimed rows wait here that a sweep claims no more. It claims rows of the others even
   * while their start gate is closed, so that they are here when it opens. A merchant whose deliveries wait for the
   * gate keeps no other merchant's first attempts waiting.
   */
  function fullTurns(): string[] {
    const full = outboxKinds.filter((kind) => turns.swept(kind) >= options.inFlightMax)
    if (turns.swept(waitKind) >= waitingProcessesMax) full.push(newKind)
    const ofMerchants = turns.merchantsWith(waitKind, options.inFlightMax).map((merchant) => `${newKind}/${merchant}`)
    return [...full.map((kind) => `${kind}/`), ...ofMerchants]
  }

  async function sweep(): Promise<void> {
    for (let more = true; more && !closed;) {
      const left = fullTurns()
      const { rows, isCut } = await claimDue([...left, ...others])
      const oursUntil = performance.now() + claimedMs
      for (const unit of Map.groupBy(rows, unitOf).values())
        turns.add(batchOf(unit.map(pendingDispatchOf), true, oursUntil))
      pump()
      more = isCut || left.length > 0
      if (more) await pause(rows.length > 0 ? 10 : 40)
    }
  }
  const sweeper = repeatEvery(options.sweepMs, sweep, { logger, failed: 'the outbox could not be swept' })
  const watches = [watchOverload(database, dispatcher, logger), watchUnknownProcesses(database, logger)]

  return {
    stopAttempts: () => void (makesAttempts = false),
    async close() {
      closed = true
      for (const gate of Object.values(gates)) gate.close()
      await Promise.all([sweeper, ...watches].map((each) => each.stop()))
      while (inFlight > 0) await pause(20)
      await attempts.finished()
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
    /** Nothing more is to be dispatched for a row. */
    done: (row: PendingDispatch) => deleter.add(row.id),
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

const kindOf = ({ process, signal }: PendingDispatch) => `${queueOf(process)}/${signal === null ? 'begin' : 'go on'}`
/** How many deliveries that need their process wait for the gate at a time, of all merchants. */
const waitingProcessesMax = 500
/** The kind of new deliveries. */
const newKind = 'webhooks/begin'
/** The kind of deliveries whose first attempt has left something to wait for. */
const waitKind = 'webhooks/wait'

/**
 * If a dispatch fails and none has succeeded for this long, the engine is unavailable; the row itself is not at fault.
 */
const silentMs = 1_000

function batchOf(rows: PendingDispatch[], isSwept: boolean, oursUntil: number): DispatchBatch {
  if (!isNotEmpty(rows)) throw new Error('an ordering key has a row at least')
  return { rows, kind: kindOf(rows[0]), isSwept, oursUntil }
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
