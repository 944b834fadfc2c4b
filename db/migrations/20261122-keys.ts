import { SqlFileMigration } from './sql-file.ts'

/** Who made a key, and whose a connected account is. */
export class Migration20261122 extends SqlFileMigration {
  readonly file = new URL('./20261122-keys.sql', import.meta.url)
}
