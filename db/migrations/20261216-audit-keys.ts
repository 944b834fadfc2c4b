import { SqlFileMigration } from './sql-file.ts'

/** The audit log says which API key has acted. */
export class Migration20261216 extends SqlFileMigration {
  readonly file = new URL('./20261216-audit-keys.sql', import.meta.url)
}
