import { SqlFileMigration } from './sql-file.ts'

/** Money out: payout destinations, payouts, and the queue of what staff have to decide. */
export class Migration20261203 extends SqlFileMigration {
  readonly file = new URL('./20261203-payouts.sql', import.meta.url)
}
