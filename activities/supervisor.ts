import { type EntityManager, inTransaction } from '../db/core/database.ts'
import { describeProcesses, openPage, type Position, filterOpen } from '../commands/open-rows.ts'
import { countRestarts, forgetRestarts, findPausedRestarts } from '../db/core/process-restart.ts'
import { restartProcess } from '../db/core/start-process.ts'
import { dayMs, minuteMs } from '../domain/duration.ts'
import { type Queue, queues } from '../domain/process-contract.ts'
import { isProcess, processes, processId, processOf, type RowProcess } from '../domain/processes.ts'
import type { Deps } from './deps.ts'

/** What one scan passes on to the next. Times are in milliseconds since the epoch. */
export type SupervisorScan = {
  /** Processes that ended badly before this moment have been handled. */
  lookedUntil: number
  /** How far the comparison of open rows with running processes has come; null: it starts at the beginning. */
  position: Position | null
  /** How many processes this scan has started again. */
  restarted: number
  /** How many of them had been started again several times already. */
  failing: number
  /** The id of the process that was started again last; null where none was. */
  last: string | null
  /** Whether the next scan should follow at once, as there is more to do. */
  isMore: boolean
}

/** Scans overlap by this much: the engine's list lags by seconds, so one scan may miss what the next one then finds. */
const overlapMs = 5 * minuteMs
/** The most ended processes in one scan, which keeps it short. The comparison with open rows finds the rest. */
const endedMax = 1_000
const pageMax = 100
const rowsMax = 5_000
const restartsMax = 200
/** With this many rows of a queue in the outbox, a missing process of it is most likely about to be started. */
const waitingMax = 1_000
/** From this many restarts in a row on, a process counts as failing and staff have to look at it. */
const failingFrom = 3

type Found = { restarted: number; failing: number; last: string | null }

/** The step of the `supervisor` process. */
export const supervisorActivities = (deps: Deps) => ({
  /**
   * Finds open rows that have no running process and starts their processes again, by way of the outbox. Processes that
   * ended badly are found at once. Processes that were never started or completed too early are found by a comparison
   * that goes on from scan to scan. Safe to repeat. A process that ends again and again is restarted after growing
   * pauses. Nothing is started on a queue that is behind.
   */
  restartMissingProcesses: async (before: SupervisorScan | null, at: number): Promise<SupervisorScan> => {
    const found: Found = { restarted: 0, failing: 0, last: null }
    const em = deps.database.orm.em.fork()
    const seen = { lookedUntil: before?.lookedUntil ?? at - dayMs, position: before?.position ?? null }
    const behind = await queuesBehind(em)
    if (behind.size === queues.length) return { ...seen, ...found, isMore: false }
    const look = { at, isSkipped: (process: RowProcess) => behind.has(processes[process].queue) }
    await startEndedBadly(deps, seen.lookedUntil - overlapMs, look, found)
    const position = await startNotListed(deps, seen.position, look, found)
    await inTransaction(deps.database, (writing) => forgetRestarts(writing, at))
    const lookedUntil = behind.size > 0 ? seen.lookedUntil : at
    return { lookedUntil, position, ...found, isMore: position !== null || found.restarted >= restartsMax }
  },
})

/** The queues for which so many rows wait. A receiver that hangs must not stop what watches over the money. */
async function queuesBehind(em: EntityManager): Promise<Set<Queue>> {
  if ((await em.execute(`select from outbox limit ${waitingMax}`)).length < waitingMax) return new Set()
  const rows = await em.execute<{ process: string; count: number }[]>(
    'select process, count(*)::int as count from outbox group by 1',
  )
  const isOf = (process: string, queue: Queue) => isProcess(process) && processes[process].queue === queue
  const waiting = (queue: Queue) =>
    rows.reduce((sum, { process, count }) => sum + (isOf(process, queue) ? count : 0), 0)
  return new Set(queues.filter((queue) => waiting(queue) >= waitingMax))
}

type Look = { at: number; isSkipped: (process: RowProcess) => boolean }

async function startEndedBadly(deps: Deps, since: number, { at, isSkipped }: Look, found: Found): Promise<void> {
  const ended = (await deps.processView.endedBadly(since, endedMax)).flatMap((id) => processOf(id) ?? [])
  for (const [process, some] of Map.groupBy(ended, (each) => each.process)) {
    if (process === 'housekeeping' || process === 'supervisor') continue // every worker starts these two itself
    if (isSkipped(process)) continue
    const ids = some.map(({ resourceId }) => resourceId)
    for (let from = 0; from < ids.length; from += pageMax) {
      await startStranded(deps, process, ids.slice(from, from + pageMax), at, found)
    }
  }
}

/**
 * Compares the next open rows with the engine's list, and starts the processes that the list does not have. Returns how
 * far it has come; null once it has come to the end.
 */
async function startNotListed(deps: Deps, from: Position | null, look: Look, found: Found): Promise<Position | null> {
  const em = deps.database.orm.em.fork()
  let position = from
  for (let rows = 0; rows < rowsMax && found.restarted < restartsMax;) {
    const { process, ids, next } = await openPage(em, position, pageMax, look.at)
    rows += ids.length
    const missing = look.isSkipped(process) ? [] : await notListed(deps, process, ids)
    await startStranded(deps, process, missing, look.at, found)
    position = next
    if (position === null) break
  }
  return position
}

async function notListed({ processView }: Deps, process: RowProcess, ids: string[]): Promise<string[]> {
  const running = await processView.listedRunning(ids.map((id) => processId(process, id)))
  return ids.filter((id) => !running.has(processId(process, id)))
}

/**
 * Starts processes again, by way of the outbox, for those rows that are open, have no row in the outbox and no running
 * process.
 */
async function startStranded(deps: Deps, process: RowProcess, ids: string[], at: number, found: Found): Promise<void> {
  const em = deps.database.orm.em.fork()
  const open = await filterOpen(em, process, ids, at)
  if (open.length === 0) return
  const skipped = new Set([
    ...(await withOutboxRow(em, process, open)),
    ...(await findPausedRestarts(em, process, open, at)),
  ])
  const stranded: string[] = []
  for (const id of open.filter((each) => !skipped.has(each))) {
    if (!(await deps.processView.isRunning(processId(process, id)))) stranded.push(id)
  }
  // The rows are read after the engine was asked, because a process closes its row before it ends.
  const restarted = await inTransaction(deps.database, async (writing) => {
    const still = await describeProcesses(writing, process, await filterOpen(writing, process, stranded, at))
    if (still.length === 0) return new Map<string, number>()
    for (const { resourceId, about, orderingKey, signal } of still)
      restartProcess(writing, process, resourceId, about, orderingKey, signal)
    const started = still.map(({ resourceId }) => resourceId)
    return countRestarts(writing, process, started, at)
  })
  for (const [id, restarts] of restarted) {
    found.restarted += 1
    found.last = processId(process, id)
    logRestart(deps, process, id, restarts)
    if (restarts >= failingFrom) found.failing += 1
  }
}

function logRestart({ logger }: Deps, process: RowProcess, resourceId: string, restarts: number): void {
  const about = { process, resourceId, restarts }
  if (restarts < failingFrom) logger.warn(about, 'an open row had no running process, which is started again')
  else logger.error(about, 'an open row has lost its process again and again; it is started again, ever later')
}

async function withOutboxRow(em: EntityManager, process: RowProcess, ids: string[]): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    'select distinct resource_id as id from outbox where process = ? and resource_id in (?)',
    [process, ids],
  )
  return rows.map(({ id }) => id)
}

/** The types of the activities, for the process that calls them. */
export type SupervisorActivities = ReturnType<typeof supervisorActivities>
