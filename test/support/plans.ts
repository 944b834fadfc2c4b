import type { EntityManager } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import type { Stack } from './stack.ts'

/** Runs a query once, and returns how Postgres has read it, as JSON. */
export async function planOf(
  { database }: Pick<Stack, 'database'>,
  query: (em: EntityManager) => Promise<unknown>,
): Promise<string> {
  const em = database.orm.em.fork()
  let plan: unknown
  const explaining = {
    async execute(sql: string, params: unknown[]) {
      ;[plan] = await em.execute(`explain (analyze, format json) ${sql}`, params as never)
      return []
    },
  } as unknown as EntityManager
  await query(explaining)
  return JSON.stringify(plan)
}

type Node = Record<string, unknown> & { Plans?: Node[] }

/** The rows that the scans of a table have read, in this step of a plan and in those below it. */
function rowsIn(node: Node, table: string): number {
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsIn(each, table), 0)
  if (node['Relation Name'] !== table) return below
  const each = Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)
  return below + Math.round(each * Number(node['Actual Loops']))
}

/** Runs queries, and returns what they have found and how many rows of a table were read for it. */
export async function rowsRead<T>(
  { database }: Pick<Stack, 'database'>,
  table: string,
  queries: (em: EntityManager) => Promise<T>,
): Promise<{ found: T; read: number }> {
  const em = database.orm.em.fork()
  let read = 0
  const explaining = {
    async execute(sql: string, params: unknown[]) {
      const [row] = await em.execute<Record<'QUERY PLAN', { Plan: Node }[]>[]>(
        `explain (analyze, format json) ${sql}`,
        params,
      )
      read += rowsIn(row?.['QUERY PLAN'][0]?.Plan ?? {}, table)
      return em.execute(sql, params)
    },
  } as unknown as EntityManager
  return { found: await queries(explaining), read }
}

/** Inserts open sessions of the sandbox, each of which expires one `pause` later than the one before. */
export const addOpenSessions = (
  { sql }: Pick<Stack, 'sql'>,
  accountId: string,
  { count, pause }: { count: number; pause: '1 second' | '1 minute' },
) =>
  sql(
    `insert into checkouts (id, account_id, environment, source_type, amount, currency, fee_preference, success_url,
       metadata, client_secret_hash, created_at, updated_at, expires_at)
     select ? || lpad(n::text, 8, '0'), ?, 'sandbox', 'API', 1, 'USD', 'org_pays', 'https://example.com', '{}', '',
       now(), now(), now() + n * ?::interval from generate_series(1, ?) n`,
    [newId('chk', 0).slice(0, -8), accountId, pause, count],
  )
