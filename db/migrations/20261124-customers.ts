import { SqlFileMigration } from './sql-file.ts'

/** Customers are listed, searched and counted. */
export class Migration20261124 extends SqlFileMigration {
  readonly file = new URL('./20261124-customers.sql', import.meta.url)
}
