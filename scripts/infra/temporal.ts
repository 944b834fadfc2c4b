import { Connection } from '@temporalio/client'
import { join } from 'node:path'
import { type Child, type ChildOptions, logTail, startChild } from './child.ts'
import { lookUntil } from './look-until.ts'
import { ROOT } from './paths.ts'
import { askedPort, freePort } from './ports.ts'
import { registerSearchAttributes } from './search-attributes.ts'
import { SetupError } from './session.ts'
import { temporalBinary, type Report } from './temporal-binary.ts'

const START_MS = 180_000 // a machine may be busy

export type Temporal = { child: Child; address: string; uiUrl: string | null }
export type TemporalOptions = Pick<ChildOptions, 'logFile' | 'yields'> & {
  databaseFile: string
  /** The UI too, unless TEMPORAL_UI_PORT is `off`, and the ports of the environment. */
  ui: boolean
  /** After how many events a process is to continue in a new run; 4,096 if left out. */
  eventsOfRun?: number
  /** The ports of the last start, used again with the UI if they are free and the environment sets none. */
  last?: Record<'temporal' | 'temporalUi', number | undefined>
  report: Report
}

/**
 * Starts the tuned development service on free ports (with the UI the last ones, 7233 and 8233, if they are free). One
 * that ends at once is started again: it takes further ports for itself, which somebody else may have got first.
 */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const binary = await temporalBinary(options.report)
  for (let triesLeft = 3; ; triesLeft--) {
    const temporal = await tryToStart(binary, options)
    if (await untilReady(temporal)) return temporal
    const { child } = temporal
    const isHung = child.isRunning()
    await child.stop()
    if (isHung || triesLeft === 1)
      throw new SetupError(
        `The Temporal service did not start. The end of ${child.logFile}:\n${logTail(child.logFile)}`,
      )
  }
}

async function tryToStart(binary: string, options: TemporalOptions): Promise<Temporal> {
  const { databaseFile, logFile, yields = false, ui, eventsOfRun, last } = options
  const hasUi = ui && process.env['TEMPORAL_UI_PORT'] !== 'off'
  const port = await freePort(ui ? (askedPort('TEMPORAL_PORT') ?? last?.temporal ?? 7233) : undefined)
  const uiPort = hasUi ? await freePort(askedPort('TEMPORAL_UI_PORT') ?? last?.temporalUi ?? 8233) : null
  const child = startChild({
    name: 'the Temporal service',
    command: [join(ROOT, 'temporal-dev.sh')],
    logFile,
    yields,
    env: {
      ...process.env,
      TEMPORAL_BINARY: binary,
      TEMPORAL_DB_FILE: databaseFile,
      TEMPORAL_PORT: String(port),
      TEMPORAL_UI_PORT: uiPort === null ? 'off' : String(uiPort),
      ...(eventsOfRun !== undefined && { TEMPORAL_EVENTS_OF_RUN: String(eventsOfRun) }),
    },
  })
  return { child, address: `127.0.0.1:${port}`, uiUrl: uiPort === null ? null : `http://127.0.0.1:${uiPort}` }
}

/** False if the service has ended, or has not answered in time. */
const untilReady = ({ child, address }: Temporal): Promise<boolean> =>
  lookUntil(() => answers(address), { limitMs: START_MS, isPossible: child.isRunning })

/** Whether the service has its namespace and our search attributes, so that processes can start. */
async function answers(address: string): Promise<boolean> {
  let connection: Connection | undefined
  try {
    connection = await Connection.connect({ address, connectTimeout: 1_000 })
    await connection.workflowService.describeNamespace({ namespace: 'default' })
    await registerSearchAttributes(connection, 'default')
    return true
  } catch {
    return false
  } finally {
    await connection?.close()
  }
}
