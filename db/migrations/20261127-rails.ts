import { SqlFileMigration } from './sql-file.ts'

/** Mobile money and crypto: what a buyer chooses there, when a rail has news, and the simulators' books. */
export class Migration20261127 extends SqlFileMigration {
  readonly file = new URL('./20261127-rails.sql', import.meta.url)
}
