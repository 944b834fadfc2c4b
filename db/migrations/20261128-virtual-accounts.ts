import { SqlFileMigration } from './sql-file.ts'

/** Virtual accounts and deposits into them; what was decided about an account's capabilities. */
export class Migration20261128 extends SqlFileMigration {
  readonly file = new URL('./20261128-virtual-accounts.sql', import.meta.url)
}
