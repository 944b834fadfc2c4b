import { SqlFileMigration } from './sql-file.ts'

/** What staff have decided, by whom and from where, and when they were reminded of what waits for them. */
export class Migration20261205 extends SqlFileMigration {
  readonly file = new URL('./20261205-destinations.sql', import.meta.url)
}
