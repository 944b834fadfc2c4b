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
export function keepOwnProcesses(engine: Pick<Engine, 'dispatch'>, logger: Logger, config: Deployment) {
  const loops = [housekeeping(config), supervisor(config)].map((own) =>
    repeatEvery(everyMs, () => engine.dispatch({ ...own, signal: null }), {
      logger,
      failed: `the process ${own.process} of the deployment could not be started yet`,
    }),
  )
  return {
    /** Begins no more starts, and waits for those that are under way. */
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
