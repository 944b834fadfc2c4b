import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChildOptions, logTail, startChild } from '../scripts/infra/child.ts'
import { lookUntil } from '../scripts/infra/look-until.ts'
import { residentMegabytes } from '../scripts/infra/memory.ts'
import { ROOT } from '../scripts/infra/paths.ts'
import { type Session, SetupError } from '../scripts/infra/session.ts'

/** A process of ours that is being measured. */
export type Measured = {
  name: string
  logFile: string
  isRunning(): boolean
  peakMegabytes(): number
  stop(): Promise<void>
  /** Runs `work` while this process stands still. */
  standingStill<T>(work: () => Promise<T>): Promise<T>
}

type Options = Pick<ChildOptions, 'name' | 'yields'> & {
  folder: string
  script: string
  env: NodeJS.ProcessEnv
  nodeFlags?: string[]
}

/** Starts one of our scripts. It is stopped at the end of the session. */
export function startMeasured(
  session: Session,
  { name, folder, script, env, nodeFlags = [], yields = false }: Options,
): Measured {
  const pidFile = join(folder, `${name}.pid`)
  const logFile = join(folder, `${name}.log`)
  // The shell writes its own id and then becomes the process, so the id is the process's.
  const command = ['sh', '-c', `echo $$ >'${pidFile}'; exec "$@"`, name, process.execPath, ...nodeFlags, script]
  const child = startChild({ name, command, logFile, cwd: ROOT, env: { ...process.env, ...env }, yields })
  session.atEnd(child.stop)
  const pid = () => Number(readFileSync(pidFile, 'utf8'))
  return {
    name,
    logFile,
    isRunning: child.isRunning,
    stop: child.stop,
    peakMegabytes: () => residentMegabytes(pid(), 'peak'),
    async standingStill(work) {
      process.kill(pid(), 'SIGSTOP')
      return work().finally(() => process.kill(pid(), 'SIGCONT'))
    },
  }
}

/** The pause between two looks. */
const everyMs = 20

type Logging = Pick<Measured, 'name' | 'logFile' | 'isRunning'>

/** Waits until an address answers with 2xx. */
export async function untilAnswers(url: string, what: Logging, withinMs = 60_000): Promise<void> {
  const answers = async () => (await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok ?? false
  if (await lookUntil(answers, { limitMs: withinMs, everyMs, isPossible: what.isRunning })) return
  throw new SetupError(`${what.name} did not answer. Its log ends:\n${logTail(what.logFile)}`)
}

/** Waits until a process has logged these words. */
export async function untilSays(words: string, what: Logging, withinMs = 60_000): Promise<void> {
  const says = () => readFileSync(what.logFile, 'utf8').includes(words)
  if (await lookUntil(says, { limitMs: withinMs, everyMs, isPossible: what.isRunning })) return
  throw new SetupError(`${what.name} did not say "${words}". Its log ends:\n${logTail(what.logFile)}`)
}
