import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createEncrypter } from '../../db/core/encryption.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

/** A fresh key in the form of `ENCRYPTION_KEYS`. */
export const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`

type Ended = { code: number | null; signal: string | null; output: string }

/** Starts the command; `ended` is what it has printed, once it has ended. */
export function startReencrypt(url: string, keys: string[], args: string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'scripts/reencrypt.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: url, ENCRYPTION_KEYS: keys.join(',') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const read = (stream: NodeJS.ReadableStream | null) => (stream ? text(stream) : Promise.resolve(''))
  const ended: Promise<Ended> = Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code, signal]]) => ({ code, signal, output: stdout + stderr }),
  )
  return { child, ended }
}

/** Runs the command to its end. */
export const runReencrypt = (url: string, keys: string[], args: string[] = []): Promise<Ended> =>
  startReencrypt(url, keys, args).ended

/** A text that is encrypted with the first of these keys. */
export const encrypted = (keys: string[], value: string): string => createEncrypter(keys.join(',')).encrypt(value)

/** The text that was encrypted; throws if none of these keys has encrypted it. */
export const decrypted = (keys: string[], value: string): string => createEncrypter(keys.join(',')).decrypt(value)
