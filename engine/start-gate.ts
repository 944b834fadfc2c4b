import { setTimeout } from 'node:timers/promises'
import type { Backlog } from './engine.ts'

/** The most tasks of a queue that wait in the engine for a worker before this relay starts no more. */
const waitingMax = 20
/** The credit when the engine did not answer: these starts show whether it is available again. */
const probes = 8
/** The pause before the next look at a queue that is full. */
const fullPauseMs = 50
/** The pause before the next look at an engine that has not answered. */
const unavailablePauseMs = 500
/** After this many readings without credit one process is started anyway, as the engine's figures are estimates. */
const trustedTimes = 20
/** The least pace of idle workers. Without a backlog the engine's figure shows the tasks they got, not all they can. */
const idlePerSecond = 50

/** Limits the starts of processes to what the workers can take. */
export type StartGate = {
  /** Whether a process may be started now. If not, asks the engine for its backlog. */
  isOpen(): boolean
  /** Counts the start of a process. */
  started(): void
  close(): void
}

/**
 * Each start uses up credit. When less than half of the limit is left, the engine is asked for its backlog, and the new
 * credit is the limit less that backlog. So a few starts cause no query, and while the backlog is at the limit, nothing
 * is started until the workers have reduced it. `onOpen` is called whenever the credit was renewed.
 */
export function createStartGate(
  backlogOf: () => Promise<Backlog | null>,
  onOpen: () => void,
  now: () => number = () => performance.now(),
): StartGate {
  const estimate = createEstimate(now)
  let credit = waitingMax
  let isRenewing = false
  let isClosed = false

  async function renewCredit(): Promise<void> {
    isRenewing = true
    for (let times = 1; !isClosed; times++) {
      const spentBefore = estimate.spent()
      const backlog = await backlogOf().catch(() => 'unavailable' as const)
      if (backlog === 'unavailable') await setTimeout(unavailablePauseMs)
      if (backlog === 'unavailable') credit = probes
      else if (backlog === null) credit = waitingMax
      else credit = Math.floor(waitingMax - estimate.update(backlog, spentBefore))
      if (times % trustedTimes === 0) credit = Math.max(credit, 1)
      if (credit > 0) break
      await setTimeout(fullPauseMs)
    }
    isRenewing = false
    onOpen()
  }

  return {
    isOpen() {
      if (credit <= 0 && !isRenewing) void renewCredit()
      return credit > 0
    },
    started() {
      credit -= 1
      estimate.spend()
      if (credit < waitingMax / 2 && !isRenewing) void renewCredit()
    },
    close() {
      isClosed = true
    },
  }
}

/**
 * Estimates how many tasks wait. By default the engine repeats an answer for 5 seconds
 * (`matching.TaskQueueInfoByBuildIdTTL`), while the queue fills or empties. Until the answer changes, the starts since
 * then are added, and the tasks that the workers have taken since, at the pace in the answer, are subtracted.
 */
function createEstimate(now: () => number) {
  /** The starts so far. */
  let spent = 0
  let last = { waiting: 0, takenPerSecond: 0 }
  let estimated = 0
  let spentAt = 0
  let at = now()

  return {
    spend: () => void (spent += 1),
    spent: () => spent,
    /** `spentBefore` is the number of starts when the engine was asked: later starts are not in its answer. */
    update(backlog: Backlog, spentBefore: number): number {
      const { waiting, takenPerSecond } = backlog
      if (waiting !== last.waiting || takenPerSecond !== last.takenPerSecond) {
        estimated = waiting + spent - spentBefore
      } else {
        const pace = waiting === 0 ? Math.max(idlePerSecond, takenPerSecond) : takenPerSecond
        estimated = Math.max(0, estimated + spent - spentAt - (pace * (now() - at)) / 1_000)
      }
      last = backlog
      spentAt = spent
      at = now()
      return estimated
    },
  }
}
