import { setCurrentDetails } from '@temporalio/workflow'
import type { PayoutStanding } from '../activities/payout-answer.ts'
import { showStatus } from './search-attributes.ts'

// What staff read in the engine's UI when a payout needs them; docs/operating.md says the rest.

export const heldWords =
  'Held for review: `hold_reason` of the payout says why. A reviewer approves or rejects it in the review desk, or ' +
  'by POST /api/v1/admin/payouts/{id}/review.'

/** Five lines of the UI's box, which shows no more at a glance. */
export const stuckWords = (submittedAt: number): string =>
  `Stuck: the rail got the order at ${new Date(submittedAt).toISOString()} and has not said what became of it; it is ` +
  'asked every day. Ask its support about our id. If the order may be lost: retry. If you have proof that it ' +
  'arrived: mark-settled. If the rail confirms that nothing was sent: mark-failed. In the review desk, or by ' +
  'POST /api/v1/admin/payouts/{id}/…'

const contradictedWords =
  'The rail says another end than the one that is booked. The books keep theirs: compare with the rail’s statement, ' +
  'and correct the difference by hand with your accountants.'

/** Shows the end of a payout and answers it in a word. */
export function showEnd({ status, isReturned, isContradicted }: PayoutStanding): string {
  if (isContradicted) setCurrentDetails(contradictedWords)
  const shown = isContradicted ? 'contradicted' : isReturned ? 'returned' : status
  showStatus(shown, isContradicted ? 'operator' : 'nobody')
  return shown
}
