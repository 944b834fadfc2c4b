import { SqlFileMigration } from './sql-file.ts'

/** Attempts that another one has replaced, short payments that find a way out, and a bound on tries of one session. */
export class Migration20261210 extends SqlFileMigration {
  readonly file = new URL('./20261210-second-success.sql', import.meta.url)
}
