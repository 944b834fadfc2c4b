import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const NICE = 10

export type ChildOptions = {
  name: string
  command: string[]
  /** stdout and stderr are appended here. */
  logFile: string
  env?: NodeJS.ProcessEnv
  cwd?: string
  uid?: number
  gid?: number
  /** Whether it runs at a lower priority, so that processes that answer calls come first on a shared machine. */
  yields?: boolean
  /** The signal that asks for a graceful end. */
  stopSignal?: NodeJS.Signals
  /** How long a graceful end may take before SIGKILL. */
  stopMs?: number
}

export type Child = {
  name: string
  logFile: string
  /** Undefined when it could not be started. */
  pid: number | undefined
  /** Settles when the process has ended, for whatever reason. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  isRunning(): boolean
  stop(): Promise<void>
}

/*
 * Replaces the shell by the command. A watcher beside it signals the command to end when our end of the stdin pipe
 * closes, so that nothing outlives us, even after a SIGKILL. The watcher is forked twice, so that it is no child of the
 * command: a Postgres postmaster counts its children.
 */
const FOLLOW_PARENT = `
exec 3<&0 </dev/null
( { trap '' INT TERM HUP; cat <&3 >/dev/null; kill -s "$0" $$ 2>/dev/null; } >/dev/null 2>&1 & )
exec 3<&-
exec "$@"`

/** Starts a process in a group of its own, so that Ctrl-C reaches only us and we decide the order of stopping. */
export function startChild(options: ChildOptions): Child {
  const { name, command, logFile, env, cwd, uid, gid, stopSignal = 'SIGTERM', stopMs = 10_000 } = options
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a')
  const child = spawn('sh', ['-c', FOLLOW_PARENT, stopSignal.slice(3), ...command], {
    detached: true,
    stdio: ['pipe', log, log],
    ...(env && { env }),
    ...(cwd && { cwd }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
  closeSync(log)
  if (options.yields && child.pid !== undefined) lowerPriority(child.pid)
  child.stdin?.on('error', () => undefined) // the pipe breaks if the process ends first; `exited` reports that
  const exited = waitForExit(child)
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  return { name, logFile, pid: child.pid, exited, isRunning, stop: () => stop(child, stopSignal, stopMs, exited) }
}

/** Linux shares the processor between sessions first (autogroup): nice values count only within a session. */
function lowerPriority(pid: number) {
  try {
    setPriority(pid, NICE)
    if (existsSync(`/proc/${pid}/autogroup`)) writeFileSync(`/proc/${pid}/autogroup`, String(NICE))
  } catch {
    // It has ended already, or we have no permission: then it keeps its priority.
  }
}

async function waitForExit(child: ChildProcess): ReturnType<typeof startChild>['exited'] {
  try {
    await once(child, 'exit')
  } catch {
    // It could not be started: the caller sees code null and no signal.
  }
  return { code: child.exitCode, signal: child.signalCode }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals, withinMs: number, exited: Promise<unknown>) {
  if (child.pid === undefined) return
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  const waiting = new AbortController()
  await Promise.race([exited, sleep(withinMs, null, { signal: waiting.signal }).catch(() => null)])
  waiting.abort()
  killGroup(child.pid)
  await exited
}

/** Kills what the process left behind in its group, usually nothing. */
function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty.
  }
}

const LINE_MAX = 500

/** The end of a log file, for a message about a process that failed; long lines are cut. */
export function logTail(file: string, lines = 20): string {
  try {
    const last = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines)
    return last.map((line) => line.slice(0, LINE_MAX)).join('\n')
  } catch {
    return ''
  }
}
