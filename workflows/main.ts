import { checkout } from './checkout/checkout.ts'
import { conversion } from './conversion.ts'
import { deposit } from './deposit.ts'
import { dispute } from './dispute/dispute.ts'
import { housekeeping } from './housekeeping.ts'
import { payoutDestination } from './payout/destination.ts'
import { payout } from './payout/payout.ts'
import { payoutSchedule } from './payout/schedule.ts'
import { accountReview } from './platform/account.ts'
import { refund } from './refund.ts'
import { clock } from './sandbox/clock.ts'
import { subscription } from './subscription/subscription.ts'
import { supervisor } from './supervisor.ts'
import { declareBehaviours } from './versions.ts'

/** The processes of the main queue. */
export {
  clock,
  checkout,
  housekeeping,
  supervisor,
  payout,
  conversion,
  payoutSchedule as 'payout-schedule',
  subscription,
  refund,
  dispute,
  deposit,
  accountReview as 'account-review',
  payoutDestination as 'payout-destination',
}

declareBehaviours({
  clock,
  checkout,
  housekeeping,
  supervisor,
  payout,
  conversion,
  'payout-schedule': payoutSchedule,
  subscription,
  refund,
  dispute,
  deposit,
  'account-review': accountReview,
  'payout-destination': payoutDestination,
})
