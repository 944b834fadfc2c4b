import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { checkSchema } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { Refusal } from '../../domain/refusal.ts'
import { systemClock } from '../../engine/clock.ts'
import { loadDatabaseUrl } from '../../engine/config.ts'

type Change = (em: EntityManager, by: { userId: null; address: string }, now: number) => Promise<string>

/**
 * Changes the database of `DATABASE_URL` in one transaction and prints what `change` says. `accountId` is the account
 * that it is about: if there is none of this id, the error names it. Returns the exit code.
 */
export async function changeByOperator(change: Change, accountId: string | null = null): Promise<number> {
  const database = await openDatabase(loadDatabaseUrl(), 1)
  try {
    await checkSchema(database)
    const now = await systemClock.now()
    console.log(await inTransaction(database, (em) => change(em, { userId: null, address: 'command line' }, now)))
    return 0
  } catch (error) {
    const isUnknown = accountId !== null && error instanceof Refusal && error.code === 'NOT_FOUND'
    throw isUnknown ? new Refusal('NOT_FOUND', `There is no account ${accountId}. Nothing has changed.`) : error
  } finally {
    await database.orm.close()
  }
}
