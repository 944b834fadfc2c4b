import { checkoutActivities } from './checkout/checkout.ts'
import { conversionActivities } from './conversion.ts'
import { depositActivities } from './deposit.ts'
import type { Deps } from './deps.ts'
import { disputeActivities } from './dispute/dispute.ts'
import { housekeepingActivities } from './housekeeping.ts'
import { accountActivities } from './platform/account.ts'
import { allPayoutActivities } from './payout/index.ts'
import { refundActivities } from './refund.ts'
import { clockActivities } from './sandbox/clock.ts'
import { subscriptionActivities } from './subscription/subscription.ts'
import { supervisorActivities } from './supervisor.ts'
import { webhookActivities } from './webhook/index.ts'

/** The activities of each task queue: `main` for money, `webhooks` for what receivers may slow down. */
export const createActivities = (deps: Deps) => ({
  main: {
    ...checkoutActivities(deps),
    ...conversionActivities(deps),
    ...depositActivities(deps),
    ...housekeepingActivities(deps),
    ...allPayoutActivities(deps),
    ...accountActivities(deps),
    ...refundActivities(deps),
    ...disputeActivities(deps),
    ...subscriptionActivities(deps),
    ...supervisorActivities(deps),
    ...clockActivities(deps),
  },
  webhooks: webhookActivities(deps),
})
