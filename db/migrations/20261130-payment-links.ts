import { SqlFileMigration } from './sql-file.ts'

/** Payment links, and which of them a session comes from. */
export class Migration20261130 extends SqlFileMigration {
  readonly file = new URL('./20261130-payment-links.sql', import.meta.url)
}
