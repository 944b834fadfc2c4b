import { removeFrom } from './remove-from.ts'

/** The calls that may wait for processes at a time: this many, or as many as were answered in the last five seconds. */
const waitingMax = 64
const lookBackMs = 5_000
/** A call that has waited this long is late, in milliseconds. */
const lateMs = 7_000
/** The calls that may be late: this many, or as many as were answered in the last 2 seconds. */
const lateMax = 10
const lateLookBackMs = 2_000

type Waiting = { accountId: string; since: number }

/** Leaves the waiting calls. `wasAnswered`: whether its process has answered. */
export type Leave = (wasAnswered: boolean) => void

/**
 * The calls of this process that wait for processes which need the same thing: the engine, or a provider beside it.
 * `now` is in milliseconds, from any origin.
 */
export function createWaitingCalls(now: () => number) {
  const waiting: Waiting[] = []
  const answered: number[] = []
  const answeredIn = (ms: number) => answered.length - firstAfter(answered, now() - ms)

  function countLate(): number {
    let count = 0
    for (const { since } of waiting) {
      if (now() - since < lateMs) break // the calls are in the order of their arrival
      count += 1
    }
    return count
  }

  return {
    answeredIn,
    isEmpty: () => waiting.length === 0,

    /** Whether so many wait that a further one of this account would wait too long. */
    isFull(accountId: string): boolean {
      const max = Math.max(waitingMax, answeredIn(lookBackMs))
      if (countLate() >= Math.max(lateMax, answeredIn(lateLookBackMs))) return true
      if (waiting.length < max) return false
      // Above `max`, an account with fewer than a quarter of it may still wait, up to 1.5 times `max` in all. So one
      // busy account does not shut out the others.
      const own = waiting.filter((call) => call.accountId === accountId).length
      return own >= max / 4 || waiting.length >= max * 1.5
    },

    enter(accountId: string): Leave {
      const call = { accountId, since: now() }
      waiting.push(call)
      return (wasAnswered) => {
        removeFrom(waiting, call)
        if (!wasAnswered) return
        answered.push(now())
        answered.splice(0, firstAfter(answered, now() - lookBackMs))
      }
    },
  }
}

export type WaitingCalls = ReturnType<typeof createWaitingCalls>

/** The index of the first number above `least` in an ascending list. */
function firstAfter(ascending: number[], least: number): number {
  const place = ascending.findIndex((each) => each > least)
  return place < 0 ? ascending.length : place
}
