import { SqlFileMigration } from './sql-file.ts'

/** Ids of deposits are unique per rail, environment and payment or virtual account, and never across accounts. */
export class Migration20261211Deposits extends SqlFileMigration {
  readonly file = new URL('./20261211-deposit-ids.sql', import.meta.url)
}
