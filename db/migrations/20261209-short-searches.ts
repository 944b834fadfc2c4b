import { SqlFileMigration } from './sql-file.ts'

/** Customers are found by one or two letters. */
export class Migration20261209 extends SqlFileMigration {
  readonly file = new URL('./20261209-short-searches.sql', import.meta.url)
}
