import { type EntityManager, inTransaction } from '../db/core/database.ts'
import { describeOpen, openPage, type Position, filterOpen } from '../commands/open-rows.ts'
import { countRestarts, forgetRestarts, findPausedRestarts } from '../db/core/process-restart.ts'
import { restartProcess } from '../db/core/start-process.ts'
import { processId, processOf, type RowProcess } from '../domain/processes.ts'
import type { Deps } from './deps.ts'

/** What one look leaves for the next; times are in milliseconds since the epoch. */
export type SupervisorScan = {
  /** What has ended badly before this moment was looked at. */
  lookedUntil: number
  /** How far the comparison of open rows with running processes has come; null begins it anew. */
  position: Position | null
  /** How many processes this look has started again, how many of those again and again, and the last one. */
  restarted: number
  failing: number
  last: string | null
  /** Whether the next look has more to do at once. */
  isMore: boolean
}

/** The engine's list is late by seconds; what a look may have missed the next ones see. */
const overlapMs = 5 * 60_000
const dayMs = 86_400_000
/** A look is short: so much at a time, and the rest a second later. */
const endedMax = 1_000
const pageMax = 100
const rowsMax = 5_000
const restartsMax = 200
/** While so many promises wait in the outbox, what is missing is most likely on its way. */
const waitingMax = 1_000
/** From the third restart in a row on it is not bad luck any more, and somebody has to look. */
const failingFrom = 3

type Found = { restarted: number; failing: number; last: string | null }

/** The step of the `supervisor` process. */
export const supervisorActivities = (deps: Deps) => ({
  /**
   * Finds open rows that no process works for and promises their processes again: those whose process has ended badly,
   * at once, and by a comparison that goes on from look to look those whose process was never started or has completed
   * too early. Safe to repeat. One that ends again and again is started after growing pauses.
   */
  restartMissingProcesses: async (before: SupervisorScan | null, at: number): Promise<SupervisorScan> => {
    const found: Found = { restarted: 0, failing: 0, last: null }
    const em = deps.database.orm.em.fork()
    const seen = { lookedUntil: before?.lookedUntil ?? at - dayMs, position: before?.position ?? null }
    if (await isBehind(em)) return { ...seen, ...found, isMore: false }
    await startEndedBadly(deps, seen.lookedUntil - overlapMs, at, found)
    const position = await compare(deps, seen.position, at, found)
    await inTransaction(deps.database, (writing) => forgetRestarts(writing, at))
    return { lookedUntil: at, position, ...found, isMore: position !== null || found.restarted >= restartsMax }
  },
})

async function isBehind(em: EntityManager): Promise<boolean> {
  return (await em.execute(`select from outbox limit ${waitingMax}`)).length === waitingMax
}

async function startEndedBadly(deps: Deps, since: number, at: number, found: Found): Promise<void> {
  const ended = (await deps.processView.endedBadly(since, endedMax)).flatMap((id) => processOf(id) ?? [])
  for (const [process, some] of Map.groupBy(ended, (each) => each.process)) {
    if (process === 'housekeeping' || process === 'supervisor') continue // every worker sees to these
    const ids = some.map(({ resourceId }) => resourceId)
    for (let from = 0; from < ids.length; from += pageMax) {
      await startStranded(deps, process, ids.slice(from, from + pageMax), at, found)
    }
  }
}

/** Goes on with the comparison; answers how far it has come, null when it has come to the end. */
async function compare(deps: Deps, from: Position | null, at: number, found: Found): Promise<Position | null> {
  const em = deps.database.orm.em.fork()
  let position = from
  for (let rows = 0; rows < rowsMax && found.restarted < restartsMax;) {
    const { process, ids, next } = await openPage(em, position, pageMax, at)
    rows += ids.length
    const running = await deps.processView.listedRunning(ids.map((id) => processId(process, id)))
    const missing = ids.filter((id) => !running.has(processId(process, id)))
    await startStranded(deps, process, missing, at, found)
    position = next
    if (position === null) break
  }
  return position
}

/** Promises the processes of those rows again that are open, promised by nobody, and have no running process. */
async function startStranded(deps: Deps, process: RowProcess, ids: string[], at: number, found: Found): Promise<void> {
  const em = deps.database.orm.em.fork()
  const open = await filterOpen(em, process, ids, at)
  if (open.length === 0) return
  const left = new Set([...(await promised(em, process, open)), ...(await findPausedRestarts(em, process, open, at))])
  const stranded: string[] = []
  for (const id of open.filter((each) => !left.has(each))) {
    if (!(await deps.processView.isRunning(processId(process, id)))) stranded.push(id)
  }
  // Read after the engine was asked: a process that has just ended has closed its row before.
  const restarted = await inTransaction(deps.database, async (writing) => {
    const still = await describeOpen(writing, process, await filterOpen(writing, process, stranded, at))
    if (still.length === 0) return new Map<string, number>()
    for (const { resourceId, about, orderingKey } of still)
      restartProcess(writing, process, resourceId, about, orderingKey)
    const started = still.map(({ resourceId }) => resourceId)
    return countRestarts(writing, process, started, at)
  })
  for (const [id, restarts] of restarted) {
    found.restarted += 1
    found.last = processId(process, id)
    say(deps, process, id, restarts)
    if (restarts >= failingFrom) found.failing += 1
  }
}

function say({ logger }: Deps, process: RowProcess, resourceId: string, restarts: number): void {
  const about = { process, resourceId, restarts }
  if (restarts < failingFrom) logger.warn(about, 'an open row had no running process, which is started again')
  else logger.error(about, 'an open row has lost its process again and again; it is started again, ever later')
}

async function promised(em: EntityManager, process: RowProcess, ids: string[]): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    'select distinct resource_id as id from outbox where process = ? and resource_id in (?)',
    [process, ids],
  )
  return rows.map(({ id }) => id)
}

/** The types of the activities, for the process that calls them. */
export type SupervisorActivities = ReturnType<typeof supervisorActivities>
