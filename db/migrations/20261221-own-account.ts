import { SqlFileMigration } from './sql-file.ts'

/** What an account sets about itself, and which subscription a payment is of. */
export class Migration20261221 extends SqlFileMigration {
  readonly file = new URL('./20261221-own-account.sql', import.meta.url)
}
