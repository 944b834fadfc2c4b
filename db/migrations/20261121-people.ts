import { SqlFileMigration } from './sql-file.ts'

/** Users, their logins and tokens, signing keys, the audit log and the mails that a sandbox keeps. */
export class Migration20261121 extends SqlFileMigration {
  readonly file = new URL('./20261121-people.sql', import.meta.url)
}
