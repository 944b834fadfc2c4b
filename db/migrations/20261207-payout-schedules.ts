import { SqlFileMigration } from './sql-file.ts'

/** When balances are paid out by themselves. */
export class Migration20261207 extends SqlFileMigration {
  readonly file = new URL('./20261207-payout-schedules.sql', import.meta.url)
}
