import { SqlFileMigration } from './sql-file.ts'

/** Indexes by which old rows are found and deleted, and no row without an owner. */
export class Migration20261215Storage extends SqlFileMigration {
  readonly file = new URL('./20261215-storage.sql', import.meta.url)
}
