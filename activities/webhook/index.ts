import type { Deps } from '../deps.ts'
import { webhookDeliveryActivities } from './delivery.ts'
import { webhookEndpointActivities } from './endpoint.ts'
import { webhookRecoveryActivities } from './recovery.ts'

/** The steps of the area's processes. */
export const webhookActivities = (deps: Deps) => ({
  ...webhookDeliveryActivities(deps),
  ...webhookEndpointActivities(deps),
  ...webhookRecoveryActivities(deps),
})
