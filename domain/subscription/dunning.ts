import type { FailureCode } from '../checkout/payment.ts'

const dayMs = 86_400_000

/** A method that failed for one of these reasons fails again: its charge is not repeated. */
const hardDeclines: readonly FailureCode[] = ['expired_card', 'invalid_account']

/**
 * A payment of a period that has failed: the number of attempts so far, and when and why the last one failed. The code
 * is null where there was nothing to charge, such as no card.
 */
export type FailedCharge = { attempts: number; failedAt: number; failureCode: FailureCode | null }

/**
 * What follows a failed payment, in milliseconds since the epoch. One of both is null, or both are: then the
 * subscription ends now. `endsAt`: nothing is tried again, and the subscription ends then unless it is paid before.
 */
export type AfterFailure = { nextAttemptAt: number | null; endsAt: number | null }

/**
 * What follows a failed payment, by the account's pauses between attempts, in days. A card that was declined for good
 * is not charged again; its customer has the time of the remaining attempts to name another one (decision 0040).
 */
export function afterFailure(
  { attempts, failedAt, failureCode }: FailedCharge,
  pausesDays: readonly number[],
): AfterFailure {
  const [pause, ...later] = pausesDays.slice(attempts - 1)
  if (pause === undefined) return { nextAttemptAt: null, endsAt: null }
  if (failureCode === null || !hardDeclines.includes(failureCode)) {
    return { nextAttemptAt: failedAt + pause * dayMs, endsAt: null }
  }
  const days = later.reduce((sum, each) => sum + each, pause)
  return { nextAttemptAt: null, endsAt: failedAt + days * dayMs }
}
