import type { Config } from './config.ts'
import type { Engine, Dispatch } from './engine.ts'
import type { Logger } from './logger.ts'
import { minuteMs } from '../domain/duration.ts'
import { repeatEvery } from './repeat.ts'

type Own = Omit<Dispatch, 'signal'>
type Deployment = Pick<Config, 'taskQueue'>
const platform = { accountId: 'platform', environment: 'all', status: 'running' }

// Each deployment has its own two, named after its task queue, as several deployments may share an engine.

/** Deletes old rows and merges shards every hour. */
export const housekeeping = ({ taskQueue }: Deployment): Own => ({
  process: 'housekeeping',
  resourceId: taskQueue,
  about: { ...platform, waitingOn: 'next hour', summary: 'Deletes rows past their retention time, every hour' },
})

/** Checks every minute that each open row has its process. */
export const supervisor = ({ taskQueue }: Deployment): Own => ({
  process: 'supervisor',
  resourceId: taskQueue,
  about: { ...platform, waitingOn: 'next look', summary: 'Restarts missing processes of open rows' },
})

const everyMs = minuteMs

/**
 * Starts the deployment's own processes, and starts them again every minute if they have ended. The workers must do
 * this, as no process watches the supervisor.
 */
export function keepOwnProcesses(engine: Engine, logger: Logger, config: Deployment) {
  const start = async () => {
    for (const own of [housekeeping(config), supervisor(config)]) {
      await engine.dispatch({ ...own, signal: null }).catch((error: unknown) => {
        logger.warn({ err: error, process: own.process }, 'a process of the deployment could not be started yet')
      })
    }
  }
  return repeatEvery(everyMs, start, { logger, failed: 'the processes of the deployment could not be started' })
}
