import type { Operation } from '../http/operation.ts'
import * as holder from './account-holder.ts'
import * as desk from './review-desk.ts'
import * as destination from './destination.ts'
import * as destinationReview from './destination-review.ts'
import * as payout from './payout.ts'
import { reviewPayout } from './review-payout.ts'
import * as review from './review.ts'
import * as reviewList from './review-list.ts'
import * as schedule from './schedule.ts'

/** The operations of the area: destinations, payouts, schedules, reviews. */
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
  reviewList.listReviews,
  reviewList.readReviewCounts,
  review.claimReview,
  payout.createPayout,
  payout.estimatePayout,
  payout.listPayouts,
  payout.getPayout,
  reviewPayout,
  schedule.setBalanceSettings,
  schedule.getBalanceSettings,
]
