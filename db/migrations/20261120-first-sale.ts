import { SqlFileMigration } from './sql-file.ts'

/** Accounts, keys, customers, checkouts, payments, ledger, events, deliveries, outbox and the simulators' books. */
export class Migration20261120 extends SqlFileMigration {
  readonly file = new URL('./20261120-first-sale.sql', import.meta.url)
}
