import { setTimeout } from 'node:timers/promises'

/** How many tasks of a queue may wait in the engine for a worker, by the will of one relay. */
const waitingMax = 20
/** How many starts find out whether an engine is there again that did not say how much it holds. */
const probes = 8
const [fullPauseMs, awayPauseMs] = [50, 500]
/** Now and then one is started all the same: what the engine says is an estimate. */
const trustedTimes = 20

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
export function createStartGate(backlog: () => Promise<number | null>, onOpen: () => void): StartGate {
  let credit = waitingMax
  let spent = 0
  let isAsking = false
  let isClosed = false

  async function ask(): Promise<void> {
    isAsking = true
    for (let times = 1; !isClosed; times++) {
      const before = spent
      const left = await backlog().then(
        (waiting) => (waiting === null ? waitingMax : waitingMax - waiting - (spent - before)),
        () => null,
      )
      if (left === null) await setTimeout(awayPauseMs)
      credit = left === null ? probes : Math.max(left, times % trustedTimes === 0 ? 1 : 0)
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
      spent += 1
      if (credit < waitingMax / 2 && !isAsking) void ask()
    },
    close() {
      isClosed = true
    },
  }
}
