import type { Deps } from '../deps.ts'
import { webhookDeliveryActivities } from './delivery.ts'
import { webhookEndpointActivities } from './endpoint.ts'
import { webhookRecoveryActivities } from './recovery.ts'
import { webhookStaffActivities } from './staff.ts'

/** The steps of the area's processes. */
export const webhookActivities = (deps: Deps) => ({
  ...webhookDeliveryActivities(deps),
  ...webhookEndpointActivities(deps),
  ...webhookRecoveryActivities(deps),
  ...webhookStaffActivities(deps),
})
