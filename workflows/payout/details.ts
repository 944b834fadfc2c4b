import type { PayoutSnapshot } from '../../activities/payout/snapshot.ts'
import { orderAtRail } from '../rail-order/words.ts'
import { showOutcome as show } from '../operator-actions.ts'
import type { Wait } from '../wait-until.ts'

// What staff read in the engine's UI when a payout needs them; docs/operating/staff.md says the rest.

export const heldDetails =
  'Approve or reject it in the review desk (/ops). `hold_reason` of the payout says why it is held.'

const stuckDetails = (submittedAt: number): string =>
  'Stuck. In the review desk (/ops): retry if the order may be lost, mark as arrived with proof, mark as failed if ' +
  `the provider confirms that nothing was sent. Sent ${new Date(submittedAt).toISOString()}; we ask again every day.`

/**
 * What staff read while a payout is with its rail. It starts with what to do, because the UI's box shows five lines and
 * clips the rest. While the rail is being called (`isRunning`), the wait goes on until the payout counts as stuck.
 */
export function shownWait(submittedAt: number, is: { isStuck: boolean; isRunning: boolean }): Omit<Wait, 'unless'> {
  if (is.isStuck) return { ...orderAtRail, for: 'operator', helps: stuckDetails(submittedAt) }
  return is.isRunning ? { ...orderAtRail, next: 'the payout counts as stuck' } : orderAtRail
}

/** Shows the end of a payout in the engine's list, and returns it as one word. */
export function showOutcome({ status, isReturned, isContradicted }: PayoutSnapshot): string {
  if (isContradicted) return show('contradicted')
  return show(isReturned ? 'returned' : status)
}
