import { setTimeout } from 'node:timers/promises'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import { liftTimeLimits } from '../../db/core/time-limits.ts'
import { listOpen, describeProcesses, rowProcesses, filterOpen } from '../../commands/open-rows.ts'
import { isKnownProcess } from '../../db/core/outbox.ts'
import { restartProcess } from '../../db/core/start-process.ts'
import { processId, type RowProcess } from '../../domain/processes.ts'
import type { ProcessView } from '../../activities/process-view.ts'
import { dayMs } from '../../domain/duration.ts'

export type Report = (line: string) => void

type Options = {
  /** Finds the running processes, which are left alone; null to start the processes of all open rows. */
  runs: Pick<ProcessView, 'listedRunning'> | null
  /** Milliseconds since the epoch. */
  at: number
  isDry: boolean
  report: Report
}

/**
 * Sessions whose time for late money has ended this long ago at most, in milliseconds, get their process too: it may
 * have been lost before it asked the last time, or sent short payments back. Otherwise it ends at once.
 */
const missedMs = dayMs
const batchMax = 200
const everyMs = 200
const patienceMs = 10_000

/**
 * Starts the processes of all open rows again, by way of the outbox. The next batch follows when the workers have
 * started this one. A process that runs already is not disturbed, so this is safe beside workers, and to repeat.
 * Returns the number of starts by kind of process.
 */
export async function restartProcesses(database: Database, options: Options): Promise<Map<RowProcess, number>> {
  const { runs, isDry, report } = options
  const at = options.at - missedMs
  // A start that has waited in the outbox would not begin a process that has completed in the engine. One of a process
  // that only another release knows waits for that release, and nobody here would start it.
  const starts = `update outbox set anew = true where signal is null and ${isKnownProcess}`
  if (!isDry) await withoutLimit(database, (em) => em.execute(starts))
  const counts = new Map<RowProcess, number>()
  for (const process of rowProcesses) {
    const open = await withoutLimit(database, (em) => listOpen(em, process, at))
    const running = runs ? await runs.listedRunning(open.map((id) => processId(process, id))) : new Set<string>()
    const missing = open.filter((id) => !running.has(processId(process, id)))
    counts.set(process, missing.length)
    report(`  ${process.padEnd(20)} ${open.length} open, ${isDry ? 'would start' : 'starts'} ${missing.length}`)
    if (!isDry) await writeStarts(database, process, missing, { at, report })
  }
  return counts
}

/** Runs a statement about all rows, without a time limit. */
const withoutLimit = <T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(database, async (em) => {
    await liftTimeLimits(em)
    return work(em)
  })

type Writing = Pick<Options, 'at' | 'report'>

async function writeStarts(database: Database, process: RowProcess, ids: string[], { at, report }: Writing) {
  // Two batches of one ordering key must not be dispatched side by side. Other kinds have an ordering key per process.
  const leftMax = process === 'webhook-delivery' ? 0 : batchMax
  for (let from = 0; from < ids.length; from += batchMax) {
    if (from > 0) await untilStarted(database, leftMax, report)
    await inTransaction(database, async (em) => {
      const open = await filterOpen(em, process, ids.slice(from, from + batchMax), at)
      for (const { resourceId, about, orderingKey, signal } of await describeProcesses(em, process, open)) {
        restartProcess(em, process, resourceId, about, orderingKey, signal)
      }
    })
  }
}

/** Waits until at most `leftMax` processes in the outbox have not been started by workers. */
async function untilStarted(database: Database, leftMax: number, report: Report): Promise<void> {
  let least = Infinity
  let sayAt = performance.now() + patienceMs
  for (;;) {
    const left = await countWaitingStarts(database.orm.em.fork())
    if (left <= leftMax) return
    if (left < least) sayAt = performance.now() + patienceMs
    least = Math.min(least, left)
    if (performance.now() > sayAt) {
      report(
        `  ${left} processes wait in the outbox, and no worker starts them: start the workers, or look at their logs.`,
      )
      sayAt = performance.now() + 6 * patienceMs
    }
    await setTimeout(everyMs)
  }
}

/** The number of processes put into the outbox here that the workers have not started yet. */
export async function countWaitingStarts(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ count: string }[]>(`select count(*) from outbox where anew and ${isKnownProcess}`)
  return Number(row?.count ?? 0)
}
