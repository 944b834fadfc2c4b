import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LOCAL } from './paths.ts'
import { SetupError, type Session } from './session.ts'

export type Secrets = { ENCRYPTION_KEYS: string; KEY_PEPPER: string; POSTGRES_PASSWORD: string }

/** The environment's secrets, else those of a folder. They are made once, as the data cannot be read without them. */
export function developmentSecrets(folder = LOCAL): Secrets {
  const file = join(folder, 'secrets.json')
  const kept = readPrivateJson<Partial<Secrets>>(file) ?? {}
  const secrets = {
    ENCRYPTION_KEYS: kept.ENCRYPTION_KEYS ?? `dev1:${randomBytes(32).toString('base64')}`,
    KEY_PEPPER: kept.KEY_PEPPER ?? randomBytes(32).toString('base64'),
    POSTGRES_PASSWORD: kept.POSTGRES_PASSWORD ?? randomBytes(18).toString('hex'),
  }
  writePrivateJson(file, secrets)
  const { ENCRYPTION_KEYS, KEY_PEPPER } = process.env
  return { ...secrets, ...(ENCRYPTION_KEYS && { ENCRYPTION_KEYS }), ...(KEY_PEPPER && { KEY_PEPPER }) }
}

/**
 * Makes sure that a command runs only once on its folder: two would write the same files. The system releases SQLite's
 * lock when the process ends, for whatever reason, so nothing stays locked.
 */
export function lockFolder(session: Session, command: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const lock = new DatabaseSync(join(folder, 'start.lock'), { timeout: 2_000 })
  session.atEnd(() => lock.close())
  try {
    lock.exec('begin exclusive')
  } catch {
    const url = readPrivateJson<{ base_url?: string }>(join(folder, 'dev.json'))?.base_url
    throw new SetupError(`${command} is already running in this clone${url ? ` (${url})` : ''}; stop that one first.`)
  }
}

/** Reads a file of this clone. Null if it does not exist. */
export function readPrivateJson<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}

/** Writes the whole file or nothing. Only its owner may read it. */
export function writePrivateJson(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
