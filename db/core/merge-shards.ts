import type { EntityManager } from './database.ts'

/**
 * A table in which each connection adds to its own shard: its key without the shard, and the columns that are added up.
 */
type ShardedTable = { table: string; key: string[]; values: string[]; isOld?: string }

const tables: ShardedTable[] = [
  { table: 'row_counts', key: ['table_name', 'account_id', 'environment', 'facet'], values: ['count'] },
  {
    table: 'payment_days',
    key: ['account_id', 'environment', 'day', 'corridor', 'currency'],
    values: ['amount', 'succeeded', 'failed'],
  },
  {
    table: 'ledger_sums',
    key: ['account_id', 'environment', 'book', 'minutes', 'currency', 'created_from', 'matures_from'],
    values: ['amount'],
    isOld: "created_from < ?::timestamptz - interval '1 day'",
  },
]

/** Rows merged in one transaction, which keeps it short. */
const rowsMax = 2_000

/**
 * Adds shards up into shard 0, which no connection uses: shards of closed connections, and of hours that are over. Rows
 * that are locked by a connection are left for the next time. Returns whether there may be more of them.
 */
export async function mergeShards(em: EntityManager, at: Date): Promise<boolean> {
  let most = 0
  for (const table of tables) most = Math.max(most, await mergeTable(em, table, at))
  return most === rowsMax
}

async function mergeTable(em: EntityManager, { table, key, values, isOld }: ShardedTable, at: Date): Promise<number> {
  const columns = key.join(', ')
  const sums = values.map((value) => `sum(${value})`).join(', ')
  const added = values.map((value) => `${value} = t.${value} + excluded.${value}`).join(', ')
  const isGone = 'slot not in (select pid from pg_stat_activity where pid is not null)'
  const [row] = await em.execute<{ merged: string }[]>(
    `with picked as (
       select ${columns}, slot from ${table} where slot <> 0 and (${isGone}${isOld ? ` or ${isOld}` : ''})
       limit ${rowsMax} for update skip locked
     ), taken as (
       delete from ${table} where (${columns}, slot) in (select ${columns}, slot from picked) returning *
     ), merged as (
       insert into ${table} as t (${columns}, slot, ${values.join(', ')})
       select ${columns}, 0, ${sums} from taken group by ${columns}
       on conflict (${columns}, slot) do update set ${added}
     ) select count(*) as merged from taken`,
    isOld ? [at] : [],
  )
  return Number(row?.merged ?? 0)
}
