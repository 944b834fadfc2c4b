import { LockMode } from '@mikro-orm/core'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { addDelivery } from '../../db/core/record-event.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { WebhookEndpoint, WebhookRecovery } from '../../db/webhook/endpoint.ts'
import { findMissed, type Missed } from '../../db/webhook/missed-events.ts'
import type { Deps } from '../deps.ts'

const lockMode = LockMode.PESSIMISTIC_WRITE

/** Events sent in one step, so that a recovery of thousands of events does not delay current deliveries. */
const batchMax = 50
const nothing: Missed = { missed: [], end: undefined, isLast: true }

/** The steps of the `webhook-recovery` process. */
export const webhookRecoveryActivities = ({ database }: Deps) => ({
  /**
   * Sends the next events that the endpoint has missed, oldest first, once most of the previous ones have been tried.
   * True when nothing is left to send, or the endpoint is switched off or deleted. Safe to repeat.
   */
  recoverNext: (recoveryId: string, at: number): Promise<boolean> =>
    inTransaction(database, async (em) => {
      const recovery = await lock(em, WebhookRecovery, recoveryId)
      if (recovery.completedAt) return true
      // This lock makes two recoveries of one endpoint take turns, so that neither sends what the other has sent.
      const endpoint = await em.findOne(WebhookEndpoint, { id: recovery.endpointId }, { lockMode })
      if (endpoint?.enabled && (await countUntried(em, endpoint)) > batchMax / 2) return false
      const { missed, end, isLast } = endpoint?.enabled
        ? await findMissed(em, recovery, endpoint, { max: batchMax, at })
        : nothing
      const time = endpoint && missed.length > 0 ? ((await clockTimeOf(em, endpoint)) ?? at) : at
      if (endpoint) for (const event of missed) addDelivery(em, event, endpoint, { trigger: 'recovery', at: time })
      recovery.sentCount += missed.length
      recovery.positionAt = end ? new Date(end.createdAt) : recovery.positionAt
      recovery.positionId = end?.id ?? recovery.positionId
      recovery.completedAt = isLast ? new Date(at) : null
      return isLast
    }),
})

/** A delivery that staff hold is not counted: it is tried once they release it, and the others do not wait for that. */
async function countUntried(em: EntityManager, { id }: WebhookEndpoint): Promise<number> {
  const [row] = await em.execute<{ count: string }[]>(
    `select count(*) from deliveries
     where endpoint_id = ? and status = 'pending' and trigger = 'recovery' and attempt_count = 0
       and on_hold_since is null`,
    [id],
  )
  return Number(row?.count ?? 0)
}

/** The types of the activities, for the process that calls them. */
export type WebhookRecoveryActivities = ReturnType<typeof webhookRecoveryActivities>
