import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../../engine/config.ts'

const IMPATIENT_AFTER_MS = 2_000

export type Session = {
  /** Aborts when the user or the system asks us to end. */
  signal: AbortSignal
  /** Registers what must be undone at the end; the last one registered is undone first. */
  atEnd(undo: () => Promise<void> | void): void
}

/**
 * Runs `main` and, however it ends (return, failure, Ctrl-C, SIGTERM), undoes everything registered with `atEnd`
 * before the process exits with main's code. A second Ctrl-C, some seconds later, exits at once.
 */
export async function runSession(main: (session: Session) => Promise<number>): Promise<never> {
  const undoing: (() => Promise<void> | void)[] = []
  const interrupted = new AbortController()
  listenForSignals(interrupted)
  let code = 1
  try {
    const stopped = new Promise<number>((resolve) => {
      interrupted.signal.addEventListener('abort', () => resolve(interrupted.signal.reason as number))
    })
    const atEnd: Session['atEnd'] = (undo) => {
      undoing.push(undo)
    }
    code = await Promise.race([main({ signal: interrupted.signal, atEnd }), stopped])
  } catch (error) {
    console.error(saysAll(error) ? `\n${error.message}` : error)
  }
  for (let undo = undoing.pop(); undo; undo = undoing.pop()) {
    try {
      await undo()
    } catch (error) {
      console.error('while stopping:', error)
      code ||= 1
    }
  }
  process.exit(code)
}

/** Makes a temporary folder, which is removed at the end. */
export function temporaryFolder(session: Session, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'steadypay-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  session.atEnd(remove)
  process.once('exit', remove) // at a second Ctrl-C nothing else is undone, and a folder in memory would stay there
  return folder
}

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994 // what Linux answers as the type of a file system in memory

/** The same in memory, if it has this much room and as much again stays free. Otherwise on the disk. */
export const folderInMemory = (session: Session, bytes: number): string =>
  temporaryFolder(session, hasMemoryFor(bytes) ? MEMORY : tmpdir())

/** Whether /dev/shm is in memory and has this much room, and as much again stays free. */
export function hasMemoryFor(bytes: number): boolean {
  if (!existsSync(MEMORY)) return false
  const { type, bavail, bsize } = statfsSync(MEMORY)
  return type === TMPFS && bavail * bsize >= bytes && process.availableMemory() >= 2 * bytes
}

/** Promise.all, but a failure waits for the other promises, so that `atEnd` knows what they start and stops it. */
export async function allOf<const T extends readonly Promise<unknown>[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work)
  return await Promise.all(work)
}

/** An error whose message is enough: it is printed without a stack. */
export class SetupError extends Error {}

/** Whether the message is enough: of ours, or about the command line (`parseArgs`). */
const saysAll = (error: unknown): error is Error =>
  error instanceof SetupError ||
  error instanceof ConfigError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

function listenForSignals(interrupted: AbortController) {
  let firstAt = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // npm, the bootstrap and the terminal may each deliver the same Ctrl-C.
      if (firstAt !== 0 && performance.now() - firstAt > IMPATIENT_AFTER_MS) process.exit(128 + constants.signals[name])
      firstAt ||= performance.now()
      interrupted.abort(128 + constants.signals[name])
    })
  }
}
