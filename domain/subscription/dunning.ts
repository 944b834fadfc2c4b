import type { FailureCode } from '../checkout/payment.ts'

const dayMs = 86_400_000

/** A method that failed for one of these reasons fails again: its charge is not repeated. */
const hardDeclines: readonly FailureCode[] = ['expired_card', 'invalid_account']

/** A charge of a period that has failed: the number of attempts so far, and when and why the last one failed. */
export type FailedCharge = { attempts: number; failedAt: number; failureCode: FailureCode }

/**
 * When a charge is tried again, in milliseconds since the epoch, after the account's pauses between attempts, in days.
 * Null: it is not tried again, and the subscription ends.
 */
export function nextAttemptAt(
  { attempts, failedAt, failureCode }: FailedCharge,
  pausesDays: readonly number[],
): number | null {
  const pause = pausesDays[attempts - 1]
  return pause === undefined || hardDeclines.includes(failureCode) ? null : failedAt + pause * dayMs
}
