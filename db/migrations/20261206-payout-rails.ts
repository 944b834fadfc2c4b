import { SqlFileMigration } from './sql-file.ts'

/** What a payout's way to its rail needs: the simulated rails' book, and what staff have done about a stuck one. */
export class Migration20261206 extends SqlFileMigration {
  readonly file = new URL('./20261206-payout-rails.sql', import.meta.url)
}
