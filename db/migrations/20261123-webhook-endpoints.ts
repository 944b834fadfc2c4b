import { SqlFileMigration } from './sql-file.ts'

/** Several webhook endpoints with filters, rotated secrets and a failing run; recoveries. */
export class Migration20261123 extends SqlFileMigration {
  readonly file = new URL('./20261123-webhook-endpoints.sql', import.meta.url)
}
