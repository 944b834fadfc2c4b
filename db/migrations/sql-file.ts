import { readFileSync } from 'node:fs'
import { Migration } from '@mikro-orm/migrations'

/**
 * A migration that is one SQL file. A lock that is not granted within 5 s fails the migration instead of queueing every
 * other transaction behind it; run it again at a quieter moment.
 */
export abstract class SqlFileMigration extends Migration {
  abstract readonly file: URL

  override up(): void {
    this.addSql("set local lock_timeout = '5s'")
    this.addSql(readFileSync(this.file, 'utf8'))
  }
}
