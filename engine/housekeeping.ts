import type { Config } from './config.ts'
import type { Engine, Dispatch } from './engine.ts'
import type { Logger } from './logger.ts'

/** The process that keeps the deployment's tables small: `housekeeping/hourly`. */
export const housekeepingId = 'hourly'

type Own = Omit<Dispatch, 'signal'>
const platform = { accountId: 'platform', environment: 'all', status: 'running' }

/** Deletes and adds up every hour. */
export const housekeeping: Own = {
  process: 'housekeeping',
  resourceId: housekeepingId,
  about: { ...platform, waitingOn: 'next hour', summary: 'Deletes every hour what has been kept for long enough' },
}

/** Looks every minute whether each open row has its process; one a deployment, as several may share an engine. */
export const supervisor = ({ taskQueue }: Pick<Config, 'taskQueue'>): Own => ({
  process: 'supervisor',
  resourceId: taskQueue,
  about: { ...platform, waitingOn: 'next look', summary: 'Starts again the processes that open rows have lost' },
})

/** Starts the deployment's housekeeping; where it is running it goes on as it was. */
export const startHousekeeping = (engine: Engine): Promise<void> => engine.dispatch({ ...housekeeping, signal: null })

const everyMs = 60_000

/**
 * Starts the deployment's own processes, and sees to it every minute that they run, however they ended: nothing looks
 * after the supervisor but the workers.
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
