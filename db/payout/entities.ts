import { PayoutDestination } from './destination.ts'
import { OperatorAction } from './operator-action.ts'
import { Payout } from './payout.ts'
import { Review, ReviewDecision } from './review.ts'
import { PayoutSchedule } from './schedule.ts'

/** The tables of the area. */
export const payoutEntities = [OperatorAction, Payout, PayoutDestination, PayoutSchedule, Review, ReviewDecision]
