import type { Operation } from '../http/operation.ts'
import * as holder from './account-holder.ts'
import * as desk from './review-desk.ts'
import * as destination from './destination.ts'
import * as destinationReview from './destination-review.ts'
import * as payout from './payout.ts'
import { reviewPayout } from './payout-review.ts'
import * as schedule from './schedule.ts'

/** The operations of the area: destinations, payouts, schedules, and their reviews. */
export const payoutOperations: readonly Operation[] = [
  destination.createDestination,
  destination.listDestinations,
  holder.resolveAccount,
  destination.getDestination,
  destination.changeDestination,
  destination.deleteDestination,
  holder.listBanks,
  desk.readReviewDeskDestination,
  desk.readReviewDeskPayout,
  destinationReview.reviewDestination,
  payout.createPayout,
  payout.estimatePayout,
  payout.listPayouts,
  payout.getPayout,
  reviewPayout,
  schedule.setBalanceSettings,
  schedule.getBalanceSettings,
]
