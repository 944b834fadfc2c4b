import { SqlFileMigration } from './sql-file.ts'

/** Sales that are paid in another currency, at a rate that is kept, and sessions that save a card. */
export class Migration20261201 extends SqlFileMigration {
  readonly file = new URL('./20261201-billing-currency.sql', import.meta.url)
}
