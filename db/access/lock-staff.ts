import type { EntityManager } from '../core/database.ts'

/**
 * Waits until no other command that adds or removes staff is running, and lets none begin before the transaction ends.
 * The lock is called `bootstrap` for the sake of processes of the release before.
 */
export const lockStaffCommands = (em: EntityManager): Promise<unknown> =>
  em.execute(`select pg_advisory_xact_lock(hashtext('bootstrap'))`)
