import { setTimeout as sleep } from 'node:timers/promises'
import { logTail, startChild, type Child, type ChildOptions } from './child.ts'

/** A process that ends sooner than this has not worked. */
const QUICK_MS = 10_000
const QUICK_ENDS_MAX = 3
const PAUSE_MS = 500

export type KeptProcess = {
  name: string
  logFile: string
  /** Of the process that runs now. */
  pid(): number | undefined
  /** Whether it has ended again and again right after its start, and is not started again. */
  hasGivenUp(): boolean
  /** Settles when it has ended for good: after `stop`, or because it was given up. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Starts a process, and starts it again whenever it ends, as a service manager does. */
export function keepRunning(options: ChildOptions, report: (line: string) => void): KeptProcess {
  const { name, logFile } = options
  let child: Child = startChild(options)
  let hasGivenUp = false
  const stopping = new AbortController()

  async function watch() {
    for (let quickEnds = 0; ;) {
      const startedAt = performance.now()
      const { code, signal } = await child.exited
      if (stopping.signal.aborted) return
      quickEnds = performance.now() - startedAt < QUICK_MS ? quickEnds + 1 : 0
      const how = signal ?? `code ${code}`
      if (quickEnds === QUICK_ENDS_MAX) {
        hasGivenUp = true
        return report(`${name} ends again and again (${how}). Its log ${logFile} ends:\n${logTail(logFile)}`)
      }
      report(`${name} has ended (${how}) and is started again.`)
      await sleep(PAUSE_MS, null, { signal: stopping.signal }).catch(() => null)
      if (stopping.signal.aborted) return
      child = startChild(options)
    }
  }

  const ended = watch()
  return {
    name,
    logFile,
    pid: () => child.pid,
    hasGivenUp: () => hasGivenUp,
    ended,
    async stop() {
      stopping.abort()
      await child.stop()
      await ended
    },
  }
}
