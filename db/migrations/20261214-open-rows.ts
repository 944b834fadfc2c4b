import { SqlFileMigration } from './sql-file.ts'

/** Open rows are found by kind, and how often the process of one had to be started again is kept. */
export class Migration20261214 extends SqlFileMigration {
  readonly file = new URL('./20261214-open-rows.sql', import.meta.url)
}
