import { SqlFileMigration } from './sql-file.ts'

/** What a live provider asks of a charge, and what it may leave out or take back. */
export class Migration20261208 extends SqlFileMigration {
  readonly file = new URL('./20261208-rail-fit.sql', import.meta.url)
}
