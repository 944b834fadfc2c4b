import { dropNeedlessStarts } from '../db/checkout/needless-start.ts'
import type { Database } from '../db/core/database.ts'
import { behindMaxMs, noteOverloaded } from '../db/core/overloaded-account.ts'
import type { Logger } from './logger.ts'
import { repeatEvery } from './repeat.ts'

/**
 * Stores every second which accounts are overloaded: they have outbox rows that have waited long, although the engine
 * answered all that time. While the engine is unavailable, and while it catches up after that, no account counts as
 * overloaded, so the API continues to accept calls. What has been started in another way does not wait.
 */
export const watchOverload = (database: Database, engine: { answersForMs(): number }, logger: Logger) =>
  repeatEvery(
    1_000,
    async () => {
      await dropNeedlessStarts(database.orm.em.fork()).catch((error: unknown) => {
        logger.warn({ err: error }, 'needless starts could not be dropped')
      })
      if (engine.answersForMs() < behindMaxMs) return
      const accounts = await noteOverloaded(database.orm.em.fork())
      if (accounts > 0) logger.warn({ accounts }, 'accounts ask for more than the workers do')
    },
    { logger, failed: 'overload could not be noted' },
  )
