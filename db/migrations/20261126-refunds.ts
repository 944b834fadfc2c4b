import { SqlFileMigration } from './sql-file.ts'

/** Refunds, the money that they reserve, and the simulated rails' book of them. */
export class Migration20261126 extends SqlFileMigration {
  readonly file = new URL('./20261126-refunds.sql', import.meta.url)
}
