import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import { listOpen, describeOpen, rowProcesses, filterOpen } from '../../commands/open-rows.ts'
import { restartProcess } from '../../db/core/start-process.ts'
import { processId, type RowProcess } from '../../domain/processes.ts'
import type { ProcessView } from '../../activities/process-view.ts'

export type Report = (line: string) => void

type Options = {
  /** Leaves alone what runs; null where nothing that runs is to be trusted. */
  runs: Pick<ProcessView, 'listedRunning'> | null
  /** Milliseconds since the epoch. */
  at: number
  isDry: boolean
  report: Report
}

const batchMax = 200
const everyMs = 200
const patienceMs = 10_000

/**
 * Promises the processes of all open rows anew, as when the rows were made, some at a time: the next ones once the
 * workers have started these. Harmless where a process runs, and so while others work and when it is done again.
 * Answers how many were promised, by kind.
 */
export async function promiseAnew(database: Database, options: Options): Promise<Map<RowProcess, number>> {
  const { runs, at, isDry, report } = options
  // A start that was promised before would not begin a process anew that has completed in the engine.
  if (!isDry) await database.orm.em.fork().execute('update outbox set anew = true where signal is null')
  const counts = new Map<RowProcess, number>()
  for (const process of rowProcesses) {
    const open = await readAll(database, (em) => listOpen(em, process, at))
    const running = runs ? await runs.listedRunning(open.map((id) => processId(process, id))) : new Set<string>()
    const missing = open.filter((id) => !running.has(processId(process, id)))
    counts.set(process, missing.length)
    report(`  ${process.padEnd(20)} ${open.length} open, ${isDry ? 'would promise' : 'promises'} ${missing.length}`)
    if (!isDry) await promise(database, process, missing, options)
  }
  return counts
}

/** However many rows there are, they are read by one statement that may take its time. */
const readAll = <T>(database: Database, read: (em: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(database, async (em) => {
    await em.execute('set local statement_timeout = 0')
    return read(em)
  })

async function promise(database: Database, process: RowProcess, ids: string[], { at, report }: Options) {
  // Two batches of one lane must not be told beside each other; other processes have a lane of their own each.
  const leftMax = process === 'webhook-delivery' ? 0 : batchMax
  for (let from = 0; from < ids.length; from += batchMax) {
    if (from > 0) await told(database, leftMax, report)
    await inTransaction(database, async (em) => {
      const open = await filterOpen(em, process, ids.slice(from, from + batchMax), at)
      for (const { resourceId, about, orderingKey: lane } of await describeOpen(em, process, open)) {
        restartProcess(em, process, resourceId, about, lane)
      }
    })
  }
}

/** Waits until workers have started what was promised, but for so many. */
async function told(database: Database, leftMax: number, report: Report): Promise<void> {
  let least = Infinity
  let sayAt = performance.now() + patienceMs
  for (;;) {
    const left = await countPromised(database.orm.em.fork())
    if (left <= leftMax) return
    if (left < least) sayAt = performance.now() + patienceMs
    least = Math.min(least, left)
    if (performance.now() > sayAt) {
      report(`  ${left} promises wait, and no worker starts them: start the workers, or look at their logs.`)
      sayAt = performance.now() + 6 * patienceMs
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** How many promises of this kind the workers have not taken up. */
export async function countPromised(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ count: string }[]>('select count(*) from outbox where anew')
  return Number(row?.count ?? 0)
}
