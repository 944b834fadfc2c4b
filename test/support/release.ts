import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ROOT } from '../../scripts/infra/paths.ts'
import type { ReleaseWork } from './release-work.ts'

/**
 * A database as the code of a release has made and left it. The schema is the texts of that code's migrations, so the
 * recording shows them as they were applied and needs no tools of PostgreSQL. Rows are JSON texts, which are never read
 * as numbers. The secrets belong to that database only.
 */
export type Release = {
  name: string
  commit: string
  secrets: { keyPepper: string; encryptionKeys: string; apiKey: string }
  work: ReleaseWork
  migrations: { name: string; sql: string }[]
  tables: Record<string, string[]>
  sequences: Record<string, string>
}

type Sql = <T extends object>(sql: string, params?: unknown[]) => Promise<T[]>

const folder = join(ROOT, 'test/releases')
const fileOf = (name: string) => join(folder, `${name}.json.gz`)

/** The recorded releases, oldest first. */
export const releaseNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json.gz'))
    .map((file) => file.slice(0, -'.json.gz'.length))
    .toSorted()

export const readRelease = (name: string): Release =>
  JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString()) as Release

export const writeRelease = (release: Release): void =>
  writeFileSync(fileOf(release.name), gzipSync(JSON.stringify(release), { level: 9 }))

/** The table of applied migrations as MikroORM's migrator made it, in databases from before 2026-11-23. */
export const migrationsTable = `create table if not exists migrations (
  id serial primary key, name varchar(255) not null,
  executed_at timestamptz(6) not null default current_timestamp(6))`

/** The column with which such a database recorded checksums, unknown to the migrator. */
const formerChecksum = `checksum char(64) default nullif(current_setting('steadypay.migration_checksum', true), '')`

/** Everything in a database that the code in the folder `code` has made. */
export async function dump(
  sql: Sql,
  code: string,
): Promise<Pick<Release, 'commit' | 'migrations' | 'tables' | 'sequences'>> {
  const applied = await sql<{ name: string }>('select name from migrations order by id')
  const migrations = applied.map(({ name }) => ({
    name,
    sql: readFileSync(join(code, `db/migrations/${name}.sql`), 'utf8'),
  }))
  const named = await sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  )
  const tables: Release['tables'] = {}
  for (const { name } of named) {
    const rows = await sql<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t`)
    tables[name] = rows.map(({ row }) => row)
  }
  const counted = await sql<{ name: string; last: string }>(
    'select sequencename as name, last_value::text as last from pg_sequences where last_value is not null',
  )
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: code, encoding: 'utf8' }).trim()
  return { commit, migrations, tables, sequences: Object.fromEntries(counted.map(({ name, last }) => [name, last])) }
}

/** Fills an empty database with a release, over one connection of a superuser. */
export async function load(sql: Sql, { migrations, tables, sequences }: Release): Promise<void> {
  for (const { sql: text } of migrations) await sql(text)
  const hasChecksums = tables['migrations']?.some((row) => row.includes('"checksum"'))
  await sql(migrationsTable)
  if (hasChecksums) await sql(`alter table migrations add column ${formerChecksum}`)
  await sql('set session_replication_role = replica') // no trigger counts, sums or checks rows again
  for (const [name, rows] of Object.entries(tables)) await fill(sql, name, rows)
  await sql('set session_replication_role = default')
  for (const [name, last] of Object.entries(sequences)) await sql(`select setval('"${name}"', ${last})`)
}

async function fill(sql: Sql, table: string, rows: string[]): Promise<void> {
  const found = await sql<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = ? and is_generated = 'NEVER'`,
    [table],
  )
  const columns = found.map(({ name }) => `"${name}"`).join(', ')
  await sql(
    `insert into "${table}" (${columns}) select ${columns} from jsonb_populate_recordset(null::"${table}", ?::jsonb)`,
    [`[${rows.join(',')}]`],
  )
}
