import type { Stack } from './stack.ts'

/** The types of the events of a session and its payments, in their order. */
export async function eventsOf(stack: Stack, checkoutId: string): Promise<string[]> {
  const rows = await stack.sql<{ type: string }>(
    `select type from events where resource_id = ? or resource_id in (select id from payments where checkout_id = ?)
     order by sequence`,
    [checkoutId, checkoutId],
  )
  return rows.map(({ type }) => type)
}
