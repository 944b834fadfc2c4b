import type { Database } from '../../db/core/database.ts'
import { untilLockWaits } from './lock-waits.ts'

/**
 * Locks rows while `act` runs; `rows` names them, such as `payments where id = ?`. A call that `act` starts stops where
 * it would write one of them, and goes on after `act`. `isReached` waits until a call has come there.
 */
export async function withHeldRows<T>(
  database: Database,
  rows: string,
  values: string[],
  act: (isReached: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const holding = database.orm.em.fork()
  await holding.begin()
  try {
    await holding.execute(`select from ${rows} for update`, values)
    return await act(() => untilLockWaits(database, 'a call waits for the rows'))
  } finally {
    await holding.rollback()
  }
}
