import { LockMode } from '@mikro-orm/core'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import type { Event } from '../../db/webhook/event.ts'
import { addDelivery } from '../../db/core/record-event.ts'
import { WebhookEndpoint, WebhookRecovery } from '../../db/webhook/endpoint.ts'
import { eventsKeptMs } from '../../domain/retention.ts'
import type { Deps } from '../deps.ts'

const lockMode = LockMode.PESSIMISTIC_WRITE

/** Events sent in one step, so that a recovery of thousands of events does not delay current deliveries. */
const batchMax = 50
const scanMax = 1_000

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
      const { missed, end, isLast } = endpoint?.enabled ? await findMissed(em, recovery, endpoint, at) : nothing
      if (endpoint) for (const event of missed) addDelivery(em, event, endpoint, { trigger: 'recovery', at })
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

type Scanned = Pick<Event, 'id' | 'environment' | 'type' | 'resourceId'> & { createdAt: string; isMissed: boolean }
type Found = { missed: Scanned[]; end: Scanned | undefined; isLast: boolean }

const nothing: Found = { missed: [], end: undefined, isLast: true }

/** The next events in the recovery's span that were not delivered to the endpoint and are not on their way to it. */
async function findMissed(
  em: EntityManager,
  recovery: WebhookRecovery,
  endpoint: WebhookEndpoint,
  at: number,
): Promise<Found> {
  const { positionAt, positionId, until } = recovery
  // a long recovery may reach events that are already deleted
  const since = new Date(Math.max(recovery.since.getTime(), at - eventsKeptMs))
  const { id, accountId, environment, accountScope, events } = endpoint
  const rows = await em.execute<Scanned[]>(
    `select e.id, e.environment, e.type, e.resource_id as "resourceId", e.created_at as "createdAt",
       (? or e.type in (?)) and not exists (
         select from deliveries d where d.event_id = e.id and d.endpoint_id = ? and d.status in ('pending', 'succeeded')
       ) as "isMissed"
     from events e where e.environment = ? and not e.is_test and e.body <> '' and e.created_at >= ? and e.created_at < ?
       and (e.created_at, e.id) > (?, ?) and e.account_id in (
         select a.id from accounts a where (a.id = ? and ?) or (a.owner_id = ? and ?))
     order by e.created_at, e.id limit ${scanMax}`,
    [
      events.includes('*'),
      events,
      id,
      environment,
      since,
      until,
      positionAt ?? since,
      positionId ?? '',
      accountId,
      accountScope !== 'connected',
      accountId,
      accountScope !== 'own',
    ],
  )
  const missed = rows.filter(({ isMissed }) => isMissed)
  if (missed.length > batchMax) return { missed: missed.slice(0, batchMax), end: missed[batchMax - 1], isLast: false }
  return { missed, end: rows.at(-1), isLast: rows.length < scanMax }
}

/** The types of the activities, for the process that calls them. */
export type WebhookRecoveryActivities = ReturnType<typeof webhookRecoveryActivities>
