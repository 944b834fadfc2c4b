import { SqlFileMigration } from './sql-file.ts'

/** The price that the buyer was shown, stored with their choice. */
export class Migration20261223 extends SqlFileMigration {
  readonly file = new URL('./20261223-quoted-prices.sql', import.meta.url)
}
