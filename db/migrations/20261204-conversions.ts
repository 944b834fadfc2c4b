import { SqlFileMigration } from './sql-file.ts'

/** Quotes, conversions, the money that they move, and the simulated exchange's book of them. */
export class Migration20261204 extends SqlFileMigration {
  readonly file = new URL('./20261204-conversions.sql', import.meta.url)
}
