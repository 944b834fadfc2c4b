import { SqlFileMigration } from './sql-file.ts'

/** Checkout settings, and what a sale of products keeps of them. */
export class Migration20261129 extends SqlFileMigration {
  readonly file = new URL('./20261129-carts.sql', import.meta.url)
}
