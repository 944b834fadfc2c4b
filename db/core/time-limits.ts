import type { EntityManager } from './database.ts'

/**
 * How long we wait for a connection, and how long one may take, so that no lock stays for ever: for a statement, for a
 * transaction in which nothing happens, and for a transaction as a whole. Postgres ends what takes longer, and its work
 * is undone. Streams of events wait for every transaction that may have written one (docs/decisions/0064), so the last
 * one is also how long they can be held back.
 *
 * `silenceMs` is how long a statement may stay without any answer before we close its connection ourselves, as a
 * database that is gone ends nothing. Postgres has said by then that the statement took too long. 0: for ever.
 */
export const timeLimits = {
  connectMs: 2_000,
  statementMs: 10_000,
  idleMs: 30_000,
  transactionMs: 60_000,
  silenceMs: 15_000,
}

/**
 * For commands and other work that nobody waits for: a busy machine may take long to give a connection. They may lift
 * their limits, and then a statement says nothing until it is done.
 */
export const patientLimits = { ...timeLimits, connectMs: 30_000, silenceMs: 0 }

/** For reading through whole tables: a statement may take as long as it needs. */
export const noTimeLimits = { ...patientLimits, statementMs: 0, transactionMs: 0 }

/**
 * Lets the running transaction take as long as it needs, for work that goes through whole tables. Its database has been
 * opened without `silenceMs`, which cannot be lifted.
 */
export async function liftTimeLimits(em: EntityManager): Promise<void> {
  await em.execute('set local statement_timeout = 0')
  await em.execute('set local transaction_timeout = 0')
}
