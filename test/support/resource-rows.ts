import type { Stack } from './stack.ts'

/** The types of the events about a resource, in order. */
export async function eventsAbout({ sql }: Pick<Stack, 'sql'>, resourceId: string): Promise<string[]> {
  const rows = await sql<{ type: string }>('select type from events where resource_id = ? order by sequence', [
    resourceId,
  ])
  return rows.map(({ type }) => type)
}

/** How much a resource has moved on each ledger account, by kind of transaction. */
export async function postedBy({ sql }: Pick<Stack, 'sql'>, sourceId: string): Promise<Record<string, string>> {
  const rows = await sql<{ line: string; amount: string }>(
    `select t.kind || ' ' || e.book as line, sum(e.amount)::numeric(20, 2) as amount
     from ledger_transactions t join ledger_entries e on e.transaction_id = t.id where t.source_id = ? group by 1`,
    [sourceId],
  )
  return Object.fromEntries(rows.map(({ line, amount }) => [line, amount]))
}
