import { checkoutActivities } from './checkout/checkout.ts'
import { conversionActivities } from './conversion.ts'
import { depositActivities } from './deposit.ts'
import type { Deps } from './deps.ts'
import { housekeepingActivities } from './housekeeping.ts'
import { payoutScheduleActivities } from './payout/schedule.ts'
import { payoutActivities } from './payout/payout.ts'
import { payoutStaffActivities } from './payout/staff.ts'
import { payoutDestinationActivities } from './payout/destination.ts'
import { refundActivities } from './refund.ts'
import { supervisorActivities } from './supervisor.ts'
import { webhookDeliveryActivities } from './webhook/delivery.ts'
import { webhookEndpointActivities } from './webhook/endpoint.ts'
import { webhookRecoveryActivities } from './webhook/recovery.ts'

/** The activities of each task queue: `main` for money, `webhooks` for what receivers may slow down. */
export const createActivities = (deps: Deps) => ({
  main: {
    ...checkoutActivities(deps),
    ...conversionActivities(deps),
    ...depositActivities(deps),
    ...housekeepingActivities(deps),
    ...payoutScheduleActivities(deps),
    ...payoutActivities(deps),
    ...payoutStaffActivities(deps),
    ...payoutDestinationActivities(deps),
    ...refundActivities(deps),
    ...supervisorActivities(deps),
  },
  webhooks: {
    ...webhookDeliveryActivities(deps),
    ...webhookEndpointActivities(deps),
    ...webhookRecoveryActivities(deps),
  },
})
