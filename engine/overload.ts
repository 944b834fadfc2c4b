import type { Database } from '../db/core/database.ts'
import { behindMaxMs, noteOverloaded } from '../db/core/overloaded-account.ts'
import type { Logger } from './logger.ts'
import { repeatEvery } from './repeat.ts'

/**
 * Says every second, in the database, which accounts ask for more than the workers do: something of theirs was promised
 * long ago and has not begun, although the engine has answered all that time. While the engine is unavailable, and
 * while it catches up after that, nobody is overloaded: the API goes on accepting.
 */
export const watchOverload = (database: Database, engine: { answersForMs(): number }, logger: Logger) =>
  repeatEvery(
    1_000,
    async () => {
      if (engine.answersForMs() < behindMaxMs) return
      const accounts = await noteOverloaded(database.orm.em.fork())
      if (accounts > 0) logger.warn({ accounts }, 'accounts ask for more than the workers do')
    },
    { logger, failed: 'overload could not be noted' },
  )
