import { type Database, type EntityManager, joinClock, prepareCommit } from './database.ts'
import { type Guard, insertionOf } from './insert-statement.ts'
import { runPrepared } from './prepared-statement.ts'

/**
 * Inserts and commits all rows that `work` creates in one statement, and so in one round trip. If the guard inserts
 * nothing, no row is inserted and the result is null.
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
  const { text, values, setIds } = insertionOf(em, rows, guardOf(result))
  const [answer] = await runPrepared(em, text, values)
  if (!answer) return null
  setIds(answer)
  announceCommit()
  return result
}
