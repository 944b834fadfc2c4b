import { SqlFileMigration } from './sql-file.ts'

/** The outbox is told in turns, and accounts that are behind with theirs are noted. */
export class Migration20261213 extends SqlFileMigration {
  readonly file = new URL('./20261213-outbox-turns.sql', import.meta.url)
}
