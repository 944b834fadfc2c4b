import { SqlFileMigration } from './sql-file.ts'

/** Cards that are nobody's yet, and what is shown of a card before it is charged. */
export class Migration20261222 extends SqlFileMigration {
  readonly file = new URL('./20261222-buyers.sql', import.meta.url)
}
