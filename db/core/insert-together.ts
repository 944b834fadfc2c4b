import { type Database, type EntityManager, joinClock, prepareCommit } from './database.ts'
import { type Guard, insertionOf, setSerialKeys } from './insert-form.ts'
import { insertAmongOthers } from './insert-queue.ts'

/**
 * Inserts and commits all rows that `work` creates in one statement, and so in one round trip. If the guard inserts
 * nothing, no row is inserted and the result is null. Many calls at once share statements (docs/decisions/0115).
 */
export async function insertTogether<T>(
  database: Database,
  work: (em: EntityManager) => Promise<T>,
  guardOf: (result: T) => Guard | null,
): Promise<T | null> {
  const { em, announceCommit } = prepareCommit(database)
  const result = await work(em)
  const rows = [...em.getUnitOfWork().getPersistStack()]
  joinClock(em, rows)
  const answer = await insertAmongOthers(database, em, insertionOf(em, rows, guardOf(result)))
  if (!answer) return null
  setSerialKeys(em, rows, answer)
  announceCommit()
  return result
}
