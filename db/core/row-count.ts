import { defineEntity, p } from '@mikro-orm/core'
import { isOwned, type Tenant, tenant } from './columns.ts'
import type { EntityManager } from './database.ts'

const schema = defineEntity({
  name: 'RowCount',
  tableName: 'row_counts',
  properties: {
    tableName: p.string().length(63).primary(),
    ...tenant,
    accountId: p.string().primary().check(isOwned),
    environment: tenant.environment.primary(),
    // For a table that is also counted by some columns: their values, joined by `/`. Otherwise empty.
    facet: p.string().length(100).primary().default(''),
    // Connections use different shards, so that they do not wait for each other's commits.
    shard: p.integer().primary().fieldName('slot'),
    count: p.bigint(),
  },
  indexes: [{ name: 'row_counts_shards', properties: ['shard'], where: 'slot <> 0' }],
})
/** How many rows of a table an account has; kept by triggers in the statements that insert and change them. */
export class RowCount extends schema.class {}
schema.setClass(RowCount)

/** The tables whose triggers count, each with the properties that its facet is made of, in their order. */
const countedTables: Record<string, readonly string[]> = {
  balance_transactions: ['type', 'currency'],
  checkouts: ['status', 'paymentStatus'],
  conversions: ['status'],
  customers: [],
  deliveries: ['endpointId', 'status', 'eventType'],
  disputes: ['status', 'reason'],
  events: ['type'],
  invoices: ['status'],
  payment_links: [],
  payments: ['status', 'corridor'],
  // Those that are not deactivated.
  payout_destinations: ['status', 'currency', 'type'],
  payouts: ['status'],
  products: [],
  refunds: ['status'],
  subscriptions: ['status'],
  transfers: ['kind'],
  virtual_accounts: [],
}

/** Whether the number of rows that match these filters is kept by a trigger. */
export const isCounted = (tableName: string, filters: Record<string, unknown>): filters is Record<string, string> =>
  Object.entries(filters).every(
    ([name, value]) => countedTables[tableName]?.includes(name) && typeof value === 'string',
  ) && tableName in countedTables

/** How many rows of a counted table a tenant has, without reading them. */
export async function countedRows(
  em: EntityManager,
  tableName: string,
  { accountId, environment }: Tenant,
  filters: Record<string, string>,
): Promise<number> {
  const places = Object.keys(filters).map((name) => (countedTables[tableName]?.indexOf(name) ?? 0) + 1)
  const [row] = await em.execute<{ total: string }[]>(
    `select coalesce(sum(count), 0) as total from row_counts where table_name = ? and account_id = ?
     and environment = ? ${places.map((place) => `and split_part(facet, '/', ${place}) = ?`).join(' ')}`,
    [tableName, accountId, environment, ...Object.values(filters)],
  )
  return Number(row?.total)
}
