import type { Database } from '../../db/core/database.ts'
import { until } from './until.ts'

/**
 * Locks rows while `act` runs; `rows` names them, such as `payments where id = ?`. A call that `act` starts stops where
 * it would write one of them, and goes on after `act`. `isReached` waits until a call has come there.
 */
export async function withHeldRows<T>(
  { orm }: Database,
  rows: string,
  values: string[],
  act: (isReached: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const holding = orm.em.fork()
  await holding.begin()
  try {
    await holding.execute(`select from ${rows} for update`, values)
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const isWaiting = async () => (await orm.em.fork().execute<object[]>(waits)).length > 0
    return await act(() => until(isWaiting, 'a call waits for the rows'))
  } finally {
    await holding.rollback()
  }
}
