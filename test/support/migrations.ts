import { currentNames } from '../../db/migrations/former-names.ts'
import { readMigrations } from '../../db/migrations/read-migrations.ts'
import { migrationsTable } from './release.ts'

type Sql = <T extends object>(sql: string, params?: unknown[]) => Promise<T[]>

export const migrationNames = readMigrations().map(({ name }) => name)

const texts = new Map(readMigrations().map(({ name, text }) => [name, text]))

/** The text of a migration today. */
export function textToday(name: string): string {
  const text = texts.get(name)
  if (text === undefined) throw new Error(`there is no migration ${name}`)
  return text
}

const formerNames = new Map(Object.entries(currentNames).map(([former, current]) => [current, former]))

/**
 * Makes a database as older code left it, which stored no checksums and named migrations by their days. These were
 * applied to it, some of them with an earlier text.
 */
export async function applyAsBefore(sql: Sql, names: string[], textOf = textToday): Promise<void> {
  await sql(migrationsTable)
  for (const name of names) {
    await sql(textOf(name))
    await sql('insert into migrations (name) values (?)', [formerNames.get(name) ?? name])
  }
}
