import { SqlFileMigration } from './sql-file.ts'

/** How far behind an account is, in milliseconds. */
export class Migration20261217 extends SqlFileMigration {
  readonly file = new URL('./20261217-how-far-behind.sql', import.meta.url)
}
