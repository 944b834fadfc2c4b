import { defineEntity, p } from '@mikro-orm/core'
import { type Tenant, tenant } from './columns.ts'
import type { EntityManager } from './database.ts'

const schema = defineEntity({
  name: 'RowCount',
  tableName: 'row_counts',
  properties: {
    tableName: p.string().length(63).primary(),
    ...tenant,
    accountId: p.string().primary(),
    environment: tenant.environment.primary(),
    // Connections count in different slots, so that they do not wait for each other's commits.
    slot: p.smallint().primary(),
    count: p.bigint(),
  },
})
/** How many rows of a table an account has; kept by a trigger in the statement that inserts them. */
export class RowCount extends schema.class {}
schema.setClass(RowCount)

/**
 * The tables whose triggers count. Two transactions of one slot wait for each other's commit, so one that inserts into
 * two counted tables must not meet one that does so the other way round. Only a new session with a new customer inserts
 * into two, and in one order: session, then customer. A sale makes its customer after its payment has been committed.
 */
const countedTables = ['checkouts', 'payments', 'customers']

export const isCounted = (tableName: string): boolean => countedTables.includes(tableName)

/** How many rows of a counted table a tenant has, without reading them. */
export async function countedRows(
  em: EntityManager,
  tableName: string,
  { accountId, environment }: Tenant,
): Promise<number> {
  const [row] = await em.execute<{ total: string }[]>(
    `select coalesce(sum(count), 0) as total from row_counts
     where table_name = ? and account_id = ? and environment = ?`,
    [tableName, accountId, environment],
  )
  return Number(row?.total)
}
