import { SqlFileMigration } from './sql-file.ts'

/** Counted rows for a database that was begun before they were a part of the first migration. */
export class Migration20261215FirstHour extends SqlFileMigration {
  readonly file = new URL('./20261215-first-hour.sql', import.meta.url)
}
