import { LockMode } from '@mikro-orm/core'
import { describeProcesses } from '../../commands/open-rows.ts'
import { actsAs, type EntityManager, goByClock, inTransaction } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { type PlannedAnswer, receiverUrl } from '../../domain/webhook/simulated-receiver.ts'
import { assertMayCall } from '../http/acting-for.ts'
import type { Caller } from '../http/operation.ts'
import type { Within } from '../http/run-operation.ts'
import { addEndpoint, createEndpoint, removeEndpoint } from '../webhook/endpoint.ts'

/** The endpoint of a scenario, whose receiver the sandbox runs itself; null where no step has asked for one. */
const findReceiver = (em: EntityManager, clockId: string, options = {}) =>
  em.findOne(WebhookEndpoint, { clockId, simulatedAnswers: { $ne: null } }, options)

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE }

/**
 * Plans an answer of the scenario's receiver, after those that are planned already. The first one makes the endpoint,
 * on the scenario's clock. It does not count among the endpoints of the account, and lives as long as the clock.
 */
export async function planAnswer({ caller, services, clock }: Within, planned: PlannedAnswer): Promise<void> {
  assertMayCall(createEndpoint, caller)
  const by = { caller, services, now: clock.time }
  await inTransaction(services.database, async (em) => {
    actsAs(em, 'merchant', caller.userId)
    goByClock(em, clock)
    const found = await findReceiver(em, clock.id, locked)
    const row = found ?? addEndpoint(em, { url: receiverUrl, description: 'The receiver of a scenario' }, by).row
    row.simulatedAnswers = [...(row.simulatedAnswers ?? []), planned]
  })
}

/** The deliveries to the scenario's endpoint, in the order of their events, and the endpoint. The log tells of them. */
export async function receiverMembers(em: EntityManager, clockId: string): Promise<string[]> {
  const receiver = await findReceiver(em, clockId)
  if (!receiver) return []
  const rows = await em.execute<{ id: string }[]>(
    `select d.id from deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = ? order by e.sequence, d.id`,
    [receiver.id],
  )
  return [...rows.map(({ id }) => id), receiver.id]
}

/**
 * Deletes the scenario's endpoint of a clock that is being deleted. Its pending deliveries end as skipped at once, not
 * at their next attempt, which may be years ahead in the real time.
 */
export async function removeReceiver(em: EntityManager, clockId: string, by: { caller: Caller; now: number }) {
  const receiver = await findReceiver(em, clockId, locked)
  if (!receiver) return
  removeEndpoint(em, receiver, by)
  const pending = await em.execute<{ id: string }[]>(
    `select id from deliveries where endpoint_id = ? and status = 'pending'`,
    [receiver.id],
  )
  const ids = pending.map(({ id }) => id)
  for (const { resourceId, about } of await describeProcesses(em, 'webhook-delivery', ids))
    signalProcess(em, 'webhook-delivery', resourceId, about, 'attemptNow')
}
