import { SqlFileMigration } from './sql-file.ts'

/** Products, product groups, and uploads with their contents. */
export class Migration20261125 extends SqlFileMigration {
  readonly file = new URL('./20261125-catalogue.sql', import.meta.url)
}
