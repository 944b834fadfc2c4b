import { SqlFileMigration } from './sql-file.ts'

/** A payout is bound to the statement of its destination that was there when it was accepted. */
export class Migration20261211 extends SqlFileMigration {
  readonly file = new URL('./20261211-bound-payouts.sql', import.meta.url)
}
