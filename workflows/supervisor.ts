import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { SupervisorScan, SupervisorActivities } from '../activities/supervisor.ts'
import { scanPolicy } from './policies.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'
import { minuteMs } from '../domain/duration.ts'

const { restartMissingProcesses } = proxyActivities<SupervisorActivities>(scanPolicy('Restart missing processes'))

/** The pause between scans while there is more to do, so that other work gets its turn. */
const stepMs = 1_000
/** Steps of one run: about three hours of scans. Then a new run continues with an empty history. */
const stepsMax = 200

/** Every minute finds open rows that have no running process and starts their processes again. Never ends. */
export async function supervisor(id: string, before: SupervisorScan | null = null): Promise<never> {
  let seen = before
  let shown = ''
  for (let step = 0; step < stepsMax; step++) {
    setCurrentDetails('Looking for open rows that have no running process.')
    seen = await restartMissingProcesses(seen, now())
    const status = statusOf(seen)
    if (status !== shown) showStatus((shown = status), 'next look')
    const next = now() + (seen.isMore ? stepMs : minuteMs)
    await waitUntil(next, { for: 'next look', unless: () => false, helps: words(seen) })
  }
  return continueAsNew<typeof supervisor>(id, seen)
}

/** What operators search for: whether the last scan restarted processes, and whether some of them keep failing. */
function statusOf({ restarted, failing }: SupervisorScan): string {
  if (failing > 0) return 'keeps ending'
  return restarted > 0 ? 'restarted' : 'all run'
}

function words({ restarted, failing, last }: SupervisorScan): string {
  if (restarted === 0) return 'Every open row that was looked at has its process.'
  const again = failing > 0 ? ` ${failing} of them keep failing: see the table process_restarts.` : ''
  return `Restarted the processes of ${restarted} open rows, most recently ${last}.${again}`
}
