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
 * again because of this note. A row that another transaction is changing gets none: to wait for it here could be a
 * deadlock, and its process has the signal. `at`: now, in milliseconds since the epoch.
 */
export async function noteNews(em: EntityManager, process: keyof typeof rows, id: string, at: number): Promise<void> {
  const { table, noted } = rows[process]
  const note = `update ${table} set news_due_at = least(news_due_at, ?)
    where id in (select id from ${table} where id = ? and ${noted} for no key update skip locked)`
  await em.execute(note, [new Date(at), id])
}

/** Takes the note away, once the rail was asked and its answer changes nothing. */
export const forgetNews = (em: EntityManager, process: 'refund' | 'payout', id: string) =>
  em.execute(`update ${rows[process].table} set news_due_at = null where id = ? and news_due_at is not null`, [id])
