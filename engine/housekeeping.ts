import type { Config } from './config.ts'
import type { Engine, Dispatch } from './engine.ts'
import type { Logger } from './logger.ts'

/** The id of the process that keeps the tables small: `housekeeping/hourly`. */
export const housekeepingId = 'hourly'

type Own = Omit<Dispatch, 'signal'>
const platform = { accountId: 'platform', environment: 'all', status: 'running' }

/** Deletes old rows and merges shards every hour. */
export const housekeeping: Own = {
  process: 'housekeeping',
  resourceId: housekeepingId,
  about: { ...platform, waitingOn: 'next hour', summary: 'Deletes rows past their retention time, every hour' },
}

/** Checks every minute that each open row has its process. One per deployment, as several may share an engine. */
export const supervisor = ({ taskQueue }: Pick<Config, 'taskQueue'>): Own => ({
  process: 'supervisor',
  resourceId: taskQueue,
  about: { ...platform, waitingOn: 'next look', summary: 'Restarts missing processes of open rows' },
})

/** Starts the deployment's housekeeping, unless it is running. */
export const startHousekeeping = (engine: Engine): Promise<void> => engine.dispatch({ ...housekeeping, signal: null })

const everyMs = 60_000

/**
 * Starts the deployment's own processes, and starts them again every minute if they have ended. The workers must do
 * this, as no process watches the supervisor.
 */
export function keepOwnProcesses(engine: Engine, logger: Logger, config: Pick<Config, 'taskQueue'>) {
  const start = async () => {
    for (const own of [housekeeping, supervisor(config)]) {
      await engine.dispatch({ ...own, signal: null }).catch((error: unknown) => {
        logger.warn({ err: error, process: own.process }, 'a process of the deployment could not be started yet')
      })
    }
  }
  void start()
  const timer = setInterval(() => void start(), everyMs)
  return { stop: () => clearInterval(timer) }
}
