import type { Database } from '../../db/core/database.ts'
import { until } from './until.ts'

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Whether a statement of the database waits for what another transaction has locked. */
export const isAnybodyWaiting = async ({ orm }: Pick<Database, 'orm'>): Promise<boolean> =>
  (await orm.em.fork().execute<object[]>(waiting)).length > 0

/** Waits until a statement waits for a lock; `what` says which one that is. */
export const untilLockWaits = (database: Pick<Database, 'orm'>, what: string): Promise<number> =>
  until(() => isAnybodyWaiting(database), what)
