import type { Deps } from '../deps.ts'
import { payoutDestinationActivities } from './destination.ts'
import { payoutActivities } from './payout.ts'
import { payoutScheduleActivities } from './schedule.ts'
import { payoutStaffActivities } from './staff.ts'

/** The steps of the area's processes. */
export const allPayoutActivities = (deps: Deps) => ({
  ...payoutDestinationActivities(deps),
  ...payoutActivities(deps),
  ...payoutScheduleActivities(deps),
  ...payoutStaffActivities(deps),
})
