import { SqlFileMigration } from './sql-file.ts'

/** Balances and their transactions, at any size. */
export class Migration20261202 extends SqlFileMigration {
  readonly file = new URL('./20261202-balances.sql', import.meta.url)
}
