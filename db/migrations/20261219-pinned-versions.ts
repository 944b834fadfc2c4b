import { SqlFileMigration } from './sql-file.ts'

/** Each account has the version of the interface that it was given at its first call. */
export class Migration20261219PinnedVersions extends SqlFileMigration {
  readonly file = new URL('./20261219-pinned-versions.sql', import.meta.url)
}
