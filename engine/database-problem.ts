import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { isReadOnly } from './unavailable.ts'

const answersWithinMs = 3_000

/** What keeps the database from being written to, in words without secrets; null if nothing does. Takes 3 s at most. */
export function databaseProblem(database: Pick<Database, 'orm'>): Promise<string | null> {
  const noAnswer = setTimeout(answersWithinMs, 'the database is unavailable', { ref: false })
  return Promise.race([problemOf(database), noAnswer])
}

/**
 * Runs a write that matches no row. A read replica or a read-only database refuses it, so the check finds these too.
 * Only reading the setting would keep connections in use that were opened while the database was read-only.
 */
async function problemOf({ orm }: Pick<Database, 'orm'>): Promise<string | null> {
  try {
    await orm.em.fork().execute('delete from rate_windows where false')
    return null
  } catch (error) {
    return isReadOnly(error) ? 'the database cannot be written' : 'the database is unavailable'
  }
}
