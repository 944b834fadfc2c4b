import type { PayoutDestination } from '../../db/payout/destination.ts'
import type { Payout } from '../../db/payout/payout.ts'
import type { ReviewSubject } from '../review.ts'

/** The current statement of a destination. */
export const subjectOfDestination = ({ id, revision }: Pick<PayoutDestination, 'id' | 'revision'>): ReviewSubject => ({
  type: 'payout_destination',
  resourceId: id,
  revision,
})

/** What staff review when a payout is held. A payout that is held again has a new review. */
export const subjectOfPayout = ({ id, heldAgain }: Pick<Payout, 'id' | 'heldAgain'>): ReviewSubject => ({
  type: 'payout',
  resourceId: id,
  revision: heldAgain + 1,
})
