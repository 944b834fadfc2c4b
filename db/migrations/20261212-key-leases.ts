import { SqlFileMigration } from './sql-file.ts'

/** Idempotency keys are held by a call that says that it lives. */
export class Migration20261212 extends SqlFileMigration {
  readonly file = new URL('./20261212-key-leases.sql', import.meta.url)
}
