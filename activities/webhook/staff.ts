import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import { obstacleTo, type OperatorActionName } from '../../domain/operator-action.ts'
import { Refusal } from '../../domain/refusal.ts'
import { endDelivery } from '../../domain/webhook/delivery.ts'
import type { Deps } from '../deps.ts'
import { assertOwn, concludeAction, readAction, takeUpAction } from '../operator-action.ts'

/** What staff do in the `webhook-delivery` process. */
export const webhookStaffActivities = ({ database }: Deps) => ({
  /**
   * Carries out an operator action on a delivery, once: repeated, it changes nothing. A retry and a release make the
   * next attempt due at once; the process makes it. Refuses with `CONFLICT` what the delivery's state does not allow.
   * `asked` is in milliseconds since the epoch.
   */
  carryOutOnDelivery: async (actionId: string, asked: number, own?: string): Promise<void> => {
    const refusal = await inTransaction(database, (em) => carryOut(em, actionId, asked, own))
    if (refusal) throw refusal
  },
})

/** A refusal of the order is returned and not thrown, as it is stored with the action. */
async function carryOut(em: EntityManager, actionId: string, asked: number, own?: string): Promise<Refusal | null> {
  const { deliveryId } = await readAction(em, actionId)
  const delivery = await lock(em, Delivery, assertOwn(deliveryId, own))
  const at = await timeOf(em, delivery, asked)
  const action = await takeUpAction(em, actionId)
  if (action.state === 'executed') return null
  const { status, onHoldSince } = delivery
  // The state may have changed since the action was ordered.
  const stage = status === 'pending' ? ('sent' as const) : null
  const obstacle = obstacleTo(action.action, { stage, isOnHold: Boolean(onHoldSince) })
  if (action.state === 'refused' || obstacle) {
    concludeAction(em, action, 'refused', at)
    const stands = obstacle === null || obstacle === 'not_actionable' ? status : obstacle.replaceAll('_', ' ')
    return new Refusal('CONFLICT', `the delivery is ${stands}`)
  }
  change(delivery, action.action, at)
  concludeAction(em, action, 'executed', at)
  return null
}

/** An attempt is due now after a retry and a release, and at no known time while the delivery is on hold. */
function change(delivery: Delivery, action: OperatorActionName, at: number): void {
  if (action === 'mark_failed') endDelivery(delivery, 'failed', at)
  else if (action === 'hold') Object.assign(delivery, { onHoldSince: new Date(at), nextAttemptAt: null })
  else Object.assign(delivery, { onHoldSince: null, nextAttemptAt: new Date(at) })
}

/** The types of the activities, for the process that calls them. */
export type WebhookStaffActivities = ReturnType<typeof webhookStaffActivities>
