import type { Operation } from '../http/operation.ts'
import * as review from './review.ts'
import * as list from './list.ts'

/** The operations of the area that all reviews have in common; each resource has its own to decide them. */
export const reviewOperations: readonly Operation[] = [list.listReviews, list.readReviewCounts, review.claimReview]
