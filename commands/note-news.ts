import type { EntityManager } from '../db/core/database.ts'

/** Not those that are asked about in any case, nor those that the rail itself has failed or cancelled. */
const attempts = {
  table: 'payments',
  noted: "(status in ('succeeded', 'underpaid') or (status = 'canceled' and cancelling is distinct from 'done'))",
}

/** The rows whose rail may have news that change the books. */
const rows = {
  checkout: attempts,
  subscription: attempts,
  deposit: { table: 'payments', noted: "status = 'failed'" },
  refund: { table: 'refunds', noted: "status in ('processing', 'succeeded')" },
  payout: { table: 'payouts', noted: "status in ('processing', 'completed') and returned_at is null" },
  dispute: { table: 'disputes', noted: "status not in ('won', 'lost')" },
}

/**
 * Notes in a row that its rail has news, until the rail was asked. The signal is in the engine alone while the rail is
 * away, and the provider does not announce the news again: a process that is lost then, or that staff end, is started
 * again because of this note. A row that another transaction has locked gets none: its process is just changing it, and
 * to wait for it here could be a deadlock. `at`: now, in milliseconds since the epoch.
 */
export async function noteNews(em: EntityManager, process: keyof typeof rows, id: string, at: number): Promise<void> {
  const { table, noted } = rows[process]
  const note = `update ${table} set news_due_at = least(news_due_at, ?)
    where id in (select id from ${table} where id = ? and ${noted} for update skip locked)`
  await em.execute(note, [new Date(at), id])
}
