import { SqlFileMigration } from './sql-file.ts'

/** What databases lack that applied a migration before it was edited. */
export class Migration20261215Repair extends SqlFileMigration {
  readonly file = new URL('./20261215-repair.sql', import.meta.url)
}
