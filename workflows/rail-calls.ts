import { log, sleep } from '@temporalio/workflow'
import { minuteMs } from '../domain/duration.ts'
import { clockTime } from './test-clock.ts'
import { restsGoByTheRealTime } from './versions.ts'
import { now } from './wait-until.ts'

/** The pause after a call has failed for good, in milliseconds. */
const pauseMs = 5 * minuteMs

/**
 * Calls to rails, and mails, that run while the process waits for something else, so that no deadline waits for an
 * answer. There is one call at a time about each subject, and `applySnapshot` receives its result. A call that fails
 * for good is logged; after a rest the process calls again when it next has a reason to.
 */
export function createRailCalls<Answer>(applySnapshot: (snapshot: Answer) => void) {
  const underWay = new Set<string>()
  const restsUntil = new Map<string, number>()
  /** What rests on a test clock. A timer ends the rest: the clock may stand still while the outsider comes back. */
  const resting = new Set<string>()
  let changes = 0
  async function rest(subject: string): Promise<void> {
    changes += 1
    if (clockTime() === null || !restsGoByTheRealTime()) return void restsUntil.set(subject, now() + pauseMs)
    resting.add(subject)
    await sleep(pauseMs, { summary: 'then it is called again' })
    resting.delete(subject)
    changes += 1
  }
  return {
    /** Whether a subject rests on a test clock, after a call about it has failed. */
    rests: (subject: string) => resting.has(subject),
    isIdle: () => underWay.size === 0,
    /**
     * How many calls have failed, and how many rests have ended on a test clock. Code that waits for an answer checks
     * again when this number changes.
     */
    changes: () => changes,
    mayStart: (subject: string) =>
      !underWay.has(subject) && !resting.has(subject) && (restsUntil.get(subject) ?? 0) <= now(),
    start(subject: string, call: () => Promise<Answer>): void {
      underWay.add(subject)
      void call()
        .then(applySnapshot)
        .catch((error: Error) => {
          log.warn('a call beside the wait has failed', { subject, type: error.name })
          void rest(subject).catch(() => undefined) // cancelled: so is the process
        })
        .finally(() => underWay.delete(subject))
    },
    /**
     * From when on there may be a call about a subject, in milliseconds since the epoch; Infinity while one runs, or
     * while the subject rests on a test clock.
     */
    nextAt: (subject: string, wanted: number) =>
      underWay.has(subject) || resting.has(subject) ? Infinity : Math.max(wanted, restsUntil.get(subject) ?? 0),
  }
}
