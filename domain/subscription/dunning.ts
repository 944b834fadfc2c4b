import type { FailureCode } from '../checkout/payment.ts'
import { dayMs } from '../duration.ts'

/** A method that failed for one of these reasons fails again: its charge is not repeated. */
const hardDeclines: readonly FailureCode[] = ['expired_card', 'invalid_account']

/** A charge that has failed. The code is null where there was nothing to charge, such as no card. */
export type FailedCharge = { failedAt: number; failureCode: FailureCode | null }

/**
 * Where an unpaid subscription stands, in milliseconds since the epoch: how many charges of its schedule have failed,
 * and what the schedule does next. At most one of both moments is known; neither is while a charge of the schedule is
 * open, and after the last one, when the subscription ends. `endsAt`: nothing is tried again, and the subscription ends
 * then unless it is paid before.
 */
export type Dunning = { attempts: number; nextAttemptAt: number | null; endsAt: number | null }

/**
 * What follows a failed payment, by the account's pauses between attempts, in days. A card that was declined for good
 * is not charged again; its customer has the time of the remaining attempts to name another one (decision 0040). A
 * charge that somebody has asked for, while the schedule waits, leaves the schedule where it is (decision 0097).
 */
export function afterFailure(
  { attempts, nextAttemptAt, endsAt }: Dunning,
  { failedAt, failureCode }: FailedCharge,
  pausesDays: readonly number[],
): Dunning {
  const isHard = failureCode !== null && hardDeclines.includes(failureCode)
  if (endsAt !== null)
    return isHard ? { attempts, nextAttemptAt: null, endsAt } : attemptBefore(endsAt, failedAt, pausesDays)
  const used = nextAttemptAt === null ? attempts + 1 : attempts
  const pause = pausesDays[used - 1]
  const next = nextAttemptAt ?? (pause === undefined ? null : failedAt + pause * dayMs)
  if (next === null || !isHard) return { attempts: used, nextAttemptAt: next, endsAt: null }
  return { attempts: used, nextAttemptAt: null, endsAt: next + sumMs(pausesDays.slice(used)) }
}

/** The next attempt of a schedule whose last one would be at `lastAt`. */
function attemptBefore(lastAt: number, after: number, pausesDays: readonly number[]): Dunning {
  const moments = pausesDays.map((_, index) => lastAt - sumMs(pausesDays.slice(index + 1)))
  const index = moments.findIndex((moment) => moment > after)
  return index < 0
    ? { attempts: pausesDays.length, nextAttemptAt: lastAt, endsAt: null }
    : { attempts: index + 1, nextAttemptAt: moments[index] ?? lastAt, endsAt: null }
}

const sumMs = (days: readonly number[]): number => days.reduce((sum, each) => sum + each, 0) * dayMs
