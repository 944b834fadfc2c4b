import type { Receiver } from '../support/receiver.ts'
import type { Deployment } from './deployment.ts'
import { findMoved, type Moved, movedTwice } from '../support/moved-twice.ts'
import { findUnreplayable } from '../support/replay.ts'
import { until } from '../support/until.ts'

type Count = { count: string }

/** How much committed work is not done yet; a payout that its rail never decides does not count. */
export async function countOpen({ sql }: Pick<Deployment, 'sql'>): Promise<number> {
  const [open] = await sql<Count>(
    `select (select count(*) from outbox) + (select count(*) from deliveries where status = 'pending')
          + (select count(*) from payments where status = 'processing')
          + (select count(*) from payouts p where status in ('requested', 'approved', 'processing') and not exists (
               select from simulated_payouts s where s.payout_id = p.id and s.outcome = 'never'
               and s.status = 'processing')) as count`,
  )
  return Number(open?.count)
}

/**
 * Waits until all committed work is done and the invariants hold; returns the ms it took, and what never held.
 */
export async function waitUntilIdle(
  deployment: Deployment,
  withinMs: number,
): Promise<{ restMs: number; violations: string[] }> {
  let violations: string[] = []
  const isIdle = async () => {
    const left = await countOpen(deployment)
    violations = left === 0 ? [] : [`${left} things are not done yet`]
    if (violations.length === 0) violations = await deployment.check()
    return violations.length === 0
  }
  const restMs = await until(isIdle, 'all work is done', { withinMs, everyMs: 500 }).catch(() => withinMs)
  return { restMs: Math.round(restMs), violations }
}

/**
 * What money has moved for more than once, with what had moved `before` rows were lost, and processes that failed or do
 * not replay; with `receiver`, also events that did not reach it or were not delivered.
 */
export async function findDuplicates(deployment: Deployment, receiver?: Receiver, before?: Moved): Promise<string[]> {
  const violations = movedTwice(await findMoved(deployment, before))
  const failed = await failedProcesses(deployment)
  violations.push(...failed.map((id) => `the process ${id} has failed`), ...(await findUnreplayable(deployment)))
  if (!receiver) return violations
  const arrived = new Set(receiver.received.map(({ event }) => event.id))
  const events = await deployment.sql<{ id: string; type: string }>('select id, type from events')
  violations.push(...events.filter(({ id }) => !arrived.has(id)).map(({ id, type }) => `${type} ${id} did not arrive`))
  const unsent = await deployment.sql<Count>(
    `select count(*) from events e where not exists (
       select from deliveries d where d.event_id = e.id and d.status = 'succeeded')`,
  )
  if (unsent[0]?.count !== '0') violations.push(`${unsent[0]?.count} events were not delivered`)
  return violations
}

/** Processes of this deployment that failed, timed out, or were terminated or cancelled. */
export async function failedProcesses({ client, taskQueue }: Deployment): Promise<string[]> {
  const query = ['Failed', 'Terminated', 'TimedOut', 'Canceled']
    .map((status) => `ExecutionStatus = '${status}'`)
    .join(' or ')
  const ids = []
  for (const queue of [taskQueue, `${taskQueue}-webhooks`]) {
    for await (const { workflowId } of client.workflow.list({ query: `TaskQueue = '${queue}' and (${query})` })) {
      ids.push(workflowId)
    }
  }
  return ids
}

/** Makes up to 200 deliveries try again now, of those that have had so many attempts or more. */
export async function hurryDeliveries(
  { client, sql }: Pick<Deployment, 'client' | 'sql'>,
  attempts = 0,
): Promise<void> {
  const waiting = `select id from deliveries where status = 'pending' and attempt_count >= ? limit 200`
  for (const { id } of await sql<{ id: string }>(waiting, [attempts])) {
    const handle = client.workflow.getHandle(`delivery/${id}`)
    await handle.signal('attemptNow').catch(() => undefined) // it has ended, or has no process yet
  }
}
