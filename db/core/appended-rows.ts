import type { EntityManager } from '@mikro-orm/postgresql'
import { insertStatementOf } from './insert-statement.ts'
import { metaOfRow } from './metadata.ts'
import { runOneOfMany } from './prepared-statement.ts'

/**
 * What a commit writes down about the changes that it makes. No row of another table refers to these, so they can be
 * inserted after all others; and they are read no more in the commit that makes them.
 */
export const appendedTables: readonly string[] = [
  'events',
  'deliveries',
  'outbox',
  'timeline_items',
  'ledger_transactions',
  'ledger_entries',
  'balance_transactions',
]

/** Takes the new rows of these tables from the flush that would insert them, a statement for each table. */
export function takeAppendedRows(em: EntityManager): object[] {
  const work = em.getUnitOfWork()
  const tableOf = (row: object) => metaOfRow(em, row).tableName
  const taken = [...work.getPersistStack()].filter((row) => appendedTables.includes(tableOf(row)))
  for (const row of taken) {
    work.getPersistStack().delete(row)
    work.getIdentityMap().delete(row) // new rows with an id are there too, and a flush inserts what it finds there
  }
  return taken
}

/** A statement may have 65,535 values; a row of these tables has less than twenty. */
const rowsAtOnce = 1_000

/** Inserts them in the running transaction: with one statement, or with one for each thousand rows. */
export async function insertAppendedRows(em: EntityManager, rows: readonly object[]): Promise<void> {
  for (let done = 0; done < rows.length; done += rowsAtOnce) {
    const { text, values, setIds } = insertStatementOf(em, rows.slice(done, done + rowsAtOnce))
    const [answer] = await runOneOfMany(em, text, values)
    setIds(answer ?? {})
  }
}
