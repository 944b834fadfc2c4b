import { derivedId } from '../../domain/id.ts'
import type { EntityManager } from './database.ts'

/** What a process makes by itself, and the moment at which its row has it due, in milliseconds since the epoch. */
type Due = { purpose: string; dueAt: number }

/**
 * The id of a payment or payout that a process makes by itself, in the transaction that has locked the process's row.
 * It is the first derived id that has no row yet: each further attempt for the same purpose has the next one, and an
 * older database, which has lost some of them, gives out the same ids again (decision 0118).
 */
export async function repeatableId(
  em: EntityManager,
  table: 'payments' | 'payouts',
  { purpose, dueAt }: Due,
): Promise<string> {
  for (let number = 1; ; number++) {
    const id = await derivedId('pay', dueAt, `${purpose} ${number}`)
    const taken = await em.execute<object[]>(`select id from ${table} where id = ?`, [id])
    if (taken.length === 0) return id
  }
}
