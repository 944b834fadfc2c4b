import { setTimeout } from 'node:timers/promises'
import type { Backlog } from './engine.ts'

/** How many tasks of a queue may wait in the engine for a worker, by the will of one relay. */
const waitingMax = 20
/** How many starts find out whether an engine is there again that did not say how much it holds. */
const probes = 8
const [fullPauseMs, unavailablePauseMs] = [50, 500]
/** Now and then one is started all the same: what the engine says is an estimate. */
const trustedTimes = 20
/** What workers are trusted to take while nothing waits for them: then the engine counts only what it was given. */
const idlePerSecond = 50

/** Lets so many processes be started as the workers take. */
export type StartGate = {
  /** Whether a process may be started now; asks the engine again when it is closed. */
  isOpen(): boolean
  started(): void
  close(): void
}

/**
 * Starts are on credit: each one uses some up, and before it is all gone the engine is asked how many tasks wait for a
 * worker, which is what is missing from the credit then. So few starts ask nothing at all, and a backlog that stays
 * lets nothing begin until the workers have taken from it. `onOpen` is called when the gate opens again.
 */
export function createStartGate(
  backlogOf: () => Promise<Backlog | null>,
  onOpen: () => void,
  now: () => number = () => performance.now(),
): StartGate {
  const estimate = createEstimate(now)
  let credit = waitingMax
  let isAsking = false
  let isClosed = false

  async function ask(): Promise<void> {
    isAsking = true
    for (let times = 1; !isClosed; times++) {
      const spentBefore = estimate.spent()
      const backlog = await backlogOf().catch(() => 'away' as const)
      if (backlog === 'away') await setTimeout(unavailablePauseMs)
      if (backlog === 'away') credit = probes
      else if (backlog === null) credit = waitingMax
      else credit = Math.floor(waitingMax - estimate.update(backlog, spentBefore))
      if (times % trustedTimes === 0) credit = Math.max(credit, 1)
      if (credit > 0) break
      await setTimeout(fullPauseMs)
    }
    isAsking = false
    onOpen()
  }

  return {
    isOpen() {
      if (credit <= 0 && !isAsking) void ask()
      return credit > 0
    },
    started() {
      credit -= 1
      estimate.spend()
      if (credit < waitingMax / 2 && !isAsking) void ask()
    },
    close() {
      isClosed = true
    },
  }
}

/**
 * How many tasks wait. An engine may give the same answer for 5 seconds (`matching.TaskQueueInfoByBuildIdTTL`), in
 * which a queue fills or empties. So until the answer changes, what was started since is added to it, and what the
 * workers have taken in that time, at the pace that the answer tells, is taken off.
 */
function createEstimate(now: () => number) {
  let spent = 0
  let last = { waiting: 0, takenPerSecond: 0 }
  let [estimated, spentAt, at] = [0, 0, now()]

  return {
    spend: () => void (spent += 1),
    spent: () => spent,
    /** `askedAt` is how many had been started when the engine was asked: later ones are not in its answer. */
    update(backlog: Backlog, askedAt: number): number {
      const { waiting, takenPerSecond } = backlog
      if (waiting !== last.waiting || takenPerSecond !== last.takenPerSecond) {
        estimated = waiting + spent - askedAt
      } else {
        const pace = waiting === 0 ? Math.max(idlePerSecond, takenPerSecond) : takenPerSecond
        estimated = Math.max(0, estimated + spent - spentAt - (pace * (now() - at)) / 1_000)
      }
      ;[last, spentAt, at] = [backlog, spent, now()]
      return estimated
    },
  }
}
