import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { isUnavailable } from './unavailable.ts'
import type { Logger } from './logger.ts'

const retryMs = 1_000

/**
 * Waits until the database answers. Throws `SchemaMismatch` unless it has exactly this code's migrations: with another
 * schema some calls would answer 500, and others would write rows that the newer code cannot read.
 */
export async function awaitSchema(database: Database, logger: Logger): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await checkSchema(database)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (attempt === 0) logger.warn('the database cannot be reached yet; it is asked again every second')
      await setTimeout(retryMs)
    }
  }
}
