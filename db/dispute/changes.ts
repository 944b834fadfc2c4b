import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

/** How many bytes the events have that report changes of an account's disputes, with all evidence, since a moment. */
export async function changedBytesOf(em: EntityManager, { accountId, environment }: Tenant, since: Date) {
  // In the words of the index, which needs none of the bodies.
  const [row] = await em.execute<{ bytes: number }[]>(
    `select coalesce(sum(octet_length(body)), 0)::float8 as bytes from events where account_id = ? and environment = ?
       and type = 'dispute.updated' and not is_test and body <> '' and created_at > ?`,
    [accountId, environment, since],
  )
  return row?.bytes ?? 0
}
