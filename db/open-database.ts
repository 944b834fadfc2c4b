import { MikroORM } from '@mikro-orm/postgresql'
import type { Database } from './core/database.ts'
import { dropReadOnlyConnections } from './core/read-only-connections.ts'
import { BindParametersDriver } from './core/bind-parameters-driver.ts'
import { entities } from './entities.ts'
import { declareForeignKeys } from './foreign-keys.ts'

/**
 * Opens the pool. Statements are cut off after 10 s and idle transactions after 30 s, so that no lock stays for ever.
 */
export async function openDatabase(url: string, poolMax = 10): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: url,
    driver: BindParametersDriver,
    entities,
    migrations: { tableName: 'migrations' }, // no entity's table, and so no drift
    discovery: { onMetadata: declareForeignKeys },
    forceUtcTimezone: true,
    pool: { min: 0, max: poolMax },
    driverOptions: {
      connectionTimeoutMillis: 2_000,
      statement_timeout: 10_000,
      idle_in_transaction_session_timeout: 30_000,
      application_name: 'steadypay',
      onPoolCreated: dropReadOnlyConnections,
    },
    logger: () => undefined,
  })
  // Opens the pool without a first query: until then the connection would call itself down, and `/readyz` would too.
  await orm.em.getConnection().connect({ skipOnConnect: true })
  return { orm, onCommitted: null, clock: null }
}
