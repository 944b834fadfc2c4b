import { log } from '@temporalio/workflow'
import { now } from './wait-until.ts'
import { minuteMs } from '../domain/duration.ts'

/** The pause after a question to a rail has failed for good, in milliseconds. */
const pauseMs = 5 * minuteMs

/**
 * Questions to rails that run while the process waits for something else, so that no deadline waits for an answer.
 * There is one question at a time about each attempt, and `applySnapshot` receives its result. A question that fails
 * for good is logged; the process asks again when it next has a reason to.
 */
export function createRailCalls<Answer>(applySnapshot: (snapshot: Answer) => void) {
  const underWay = new Set<string>()
  const restsUntil = new Map<string, number>()
  let failures = 0
  return {
    isIdle: () => underWay.size === 0,
    /** How many questions have failed. Code that waits for an answer checks again when this number changes. */
    failures: () => failures,
    mayStart: (subject: string) => !underWay.has(subject) && (restsUntil.get(subject) ?? 0) <= now(),
    start(subject: string, call: () => Promise<Answer>): void {
      underWay.add(subject)
      void call()
        .then(applySnapshot)
        .catch((error: Error) => {
          failures += 1
          restsUntil.set(subject, now() + pauseMs)
          log.warn('a question to a rail has failed', { type: error.name })
        })
        .finally(() => underWay.delete(subject))
    },
    /**
     * From when on a subject may be asked about, in milliseconds since the epoch; Infinity while a question about it
     * runs.
     */
    nextAt: (subject: string, wanted: number) =>
      underWay.has(subject) ? Infinity : Math.max(wanted, restsUntil.get(subject) ?? 0),
  }
}
