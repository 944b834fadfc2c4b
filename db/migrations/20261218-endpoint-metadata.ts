import { SqlFileMigration } from './sql-file.ts'

/** The metadata of endpoints is an object. */
export class Migration20261218 extends SqlFileMigration {
  readonly file = new URL('./20261218-endpoint-metadata.sql', import.meta.url)
}
