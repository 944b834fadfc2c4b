import { MikroORM } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { AnsweringClient } from './core/answering-client.ts'
import type { Database } from './core/database.ts'
import { dropReadOnlyConnections } from './core/read-only-connections.ts'
import { PostgresDriver } from './core/postgres-driver.ts'
import { dropSilentConnections } from './core/silent-connections.ts'
import { timeLimits } from './core/time-limits.ts'
import { tlsOf } from './core/tls.ts'
import { entities } from './entities.ts'
import { declareForeignKeys } from './foreign-keys.ts'
import { NoteChanges } from './sight/note-changes.ts'

/** Opens the pool. Each of its connections has these time limits; with `isReadOnly` none of them can write. */
export async function openDatabase(
  url: string,
  poolMax = 10,
  limits = timeLimits,
  { isReadOnly = false } = {},
): Promise<Database> {
  const readOnly = isReadOnly ? ' -c default_transaction_read_only=on' : ''
  const orm = await MikroORM.init({
    clientUrl: url,
    driver: PostgresDriver,
    entities,
    migrations: { tableName: 'migrations' }, // not the table of an entity, so it counts as no drift
    discovery: { onMetadata: declareForeignKeys },
    subscribers: [new NoteChanges()],
    forceUtcTimezone: true,
    pool: { min: 0, max: poolMax },
    driverOptions: {
      ssl: tlsOf(url), // MikroORM does not read it from the address
      connectionTimeoutMillis: limits.connectMs,
      statement_timeout: limits.statementMs,
      idle_in_transaction_session_timeout: limits.idleMs,
      options: `-c transaction_timeout=${limits.transactionMs}${readOnly}`, // the driver has no field for it
      application_name: 'steadypay',
      // Where a statement may take as long as it needs, the system itself closes a connection whose other end is gone.
      // Idle ones are closed by the pool, before the first probe.
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      onPoolCreated(pool: Pool) {
        Object.assign(pool, { Client: AnsweringClient })
        dropReadOnlyConnections(pool)
        dropSilentConnections(limits.silenceMs)(pool)
      },
    },
    logger: () => undefined,
  })
  // Connects without a first query. Before that the connection reports itself as down, and so would `/readyz`.
  await orm.em.getConnection().connect({ skipOnConnect: true })
  return { orm, onCommitted: null, clock: null, publicUrl: '' }
}
