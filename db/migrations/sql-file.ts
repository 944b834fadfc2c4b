import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Migration } from '@mikro-orm/migrations'

/** The setting under which a migration's transaction knows the checksum of its text. */
const setting = 'steadypay.migration_checksum'

/** What the column `checksum` of the table `migrations` takes by itself: a migration and its checksum commit together. */
export const checksumDefault = `nullif(current_setting('${setting}', true), '')`

/** SHA-256 of a migration's text, in hexadecimal; how its lines end, which depends on a checkout, does not count. */
export const checksumOf = (file: URL): string =>
  createHash('sha256').update(readFileSync(file, 'utf8').replaceAll('\r\n', '\n')).digest('hex')

/**
 * A migration that is one SQL file. A lock that is not granted within 5 s fails the migration instead of queueing every
 * other transaction behind it; run it again at a quieter moment. A statement may take as long as its table is large.
 */
export abstract class SqlFileMigration extends Migration {
  abstract readonly file: URL

  override up(): void {
    this.addSql("set local lock_timeout = '5s'")
    this.addSql('set local statement_timeout = 0')
    this.addSql(`select set_config('${setting}', '${checksumOf(this.file)}', true)`)
    this.addSql(readFileSync(this.file, 'utf8'))
  }
}
