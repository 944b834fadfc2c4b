import { listOpen } from '../../commands/open-rows.ts'
import type { RowProcess } from '../../domain/processes.ts'
import { restartProcesses } from '../../scripts/restore/restart-processes.ts'
import type { Stack } from './stack.ts'

/** Starts the processes of all open rows, as `npm run restore` does. Returns the open rows of a kind. */
export async function restartLost(stack: Stack, process: RowProcess): Promise<string[]> {
  const at = await stack.clock.now()
  const open = await listOpen(stack.database.orm.em.fork(), process, at)
  await restartProcesses(stack.database, { runs: null, at, isDry: false, report: () => undefined })
  await stack.dispatched()
  return open
}
