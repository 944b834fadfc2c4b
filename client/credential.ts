import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { Environment } from '../domain/access/scope.ts'
import { isRecord } from '../domain/narrow.ts'
import { systemClock } from '../engine/clock.ts'
import { Failure } from './failure.ts'

/** What `steadypay login` has stored: the tokens of a person's session, or an API key. It is for one address only. */
export type Credential =
  | ({ kind: 'session'; base_url: string; email: string; environment: Environment } & Tokens)
  | { kind: 'api_key'; base_url: string; api_key: string }
export type Tokens = { access_token: string; refresh_token: string }

/** Where it is stored (XDG Base Directory Specification): `~/.config/steadypay/credentials.json`. */
export const credentialFile = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'steadypay/credentials.json')

/** The stored credential; null without one. Refuses a file that others may read; `wayOut` ends what it says then. */
export function readCredential(file: string, wayOut = ''): Credential | null {
  const read = readIfThere(file)
  if (read === null) return null
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new Failure(
      'CREDENTIAL_EXPOSED',
      `Others may read ${file}. Run chmod 600 on it, or remove it and log in again.${wayOut}`,
    )
  try {
    const parsed: unknown = JSON.parse(read)
    if (isRecord(parsed) && typeof parsed['base_url'] === 'string') return parsed as Credential
  } catch {
    // it is refused below, like any other text
  }
  throw new Failure('CREDENTIAL_UNREADABLE', `${file} cannot be read. Remove it and run steadypay login.${wayOut}`)
}

/** Stores a credential for this user of the machine only. The file is replaced as a whole and never half written. */
export function writeCredential(file: string, credential: Credential): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const coming = `${file}.${randomUUID()}`
  writeFileSync(coming, `${JSON.stringify(credential, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(coming, 0o600) // whatever the umask says
  renameSync(coming, file)
}

export const removeCredential = (file: string): void => rmSync(file, { force: true })

/**
 * The next access token of the stored session; null if the session has ended. A refresh token works once, and a second
 * use would end the session. So of several commands at once one renews, and the others take what it has stored.
 */
export function renewSession(file: string, refused: string): Promise<string | null> {
  return withLock(`${file}.lock`, async () => {
    const stored = readCredential(file)
    if (stored?.kind !== 'session') return null
    if (stored.access_token !== refused) return stored.access_token
    const tokens = await askForTokens(stored)
    if (tokens === null) return null
    writeCredential(file, { ...stored, ...tokens })
    return tokens.access_token
  })
}

/** The next tokens of a session; null if it has ended. */
async function askForTokens({ base_url, refresh_token }: Tokens & { base_url: string }): Promise<Tokens | null> {
  try {
    const { statusCode, body } = await request(`${base_url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
      signal: AbortSignal.timeout(renewMaxMs),
    })
    const answer = await body.text()
    if (statusCode === 401) return null
    if (statusCode !== 200) throw new Error(`status ${statusCode}`)
    return JSON.parse(answer) as Tokens
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // A refresh token works once: if it was the answer that got lost, the next try ends the login.
    const next = 'Try again later. If your login has then ended, log in again.'
    throw new Failure('NO_ANSWER', `The login could not be renewed (${code ?? message}). ${next}`)
  }
}

const renewMaxMs = 20_000
/** A lock that is older than the longest renewal was left behind by a process that was killed. */
const lockMaxMs = 30_000

async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = randomUUID()
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  while (!takeLock(lock, mine)) {
    breakOldLock(lock, await systemClock.now())
    await sleep(50)
  }
  try {
    return await work()
  } finally {
    if (readIfThere(lock) === mine) rmSync(lock, { force: true })
  }
}

function takeLock(lock: string, mine: string): boolean {
  try {
    writeFileSync(lock, mine, { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Moves an old lock away. If another process has just done so, what was moved is its new lock, which is put back. */
function breakOldLock(lock: string, now: number): void {
  const holder = readIfThere(lock)
  const age = now - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? now)
  if (holder === null || age < lockMaxMs) return
  const away = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, away)
    if (readIfThere(away) !== holder) renameSync(away, lock)
  } catch {
    // another process has moved it
  }
  rmSync(away, { force: true })
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
