import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { signalProcess } from '../db/core/start-process.ts'
import type { Dispute } from '../db/dispute/dispute.ts'
import type { Environment } from '../domain/access/scope.ts'
import { paymentProcessOf } from '../domain/checkout/payment-process.ts'
import { aboutDispute } from '../domain/dispute/process.ts'
import { describeProcesses } from './open-rows.ts'

/** A process that asks its rail. A sale may have several attempts: `attemptId` is the one to ask about. */
type Asking =
  | { process: 'checkout' | 'subscription'; resourceId: string; attemptId: string }
  | { process: 'deposit' | 'refund' | 'payout'; resourceId: string }

/** The process of a payment, which asks the rail about this payment. */
export function askingAbout(payment: Payment): Asking {
  const [process, resourceId] = paymentProcessOf(payment)
  return process === 'deposit' ? { process, resourceId } : { process, resourceId, attemptId: payment.id }
}

/**
 * Signals a process that its rail may have news, so that it asks the rail. The signal is committed with the running
 * transaction, and so is a note of the news where the row has ended. `at`: now, in milliseconds since the epoch. False
 * where there is no such row in this environment.
 */
export async function signalRailAnswered(
  em: EntityManager,
  asking: Asking,
  environment: Environment,
  at: number,
): Promise<boolean> {
  const { process, resourceId } = asking
  const [described] = await describeProcesses(em, process, [resourceId])
  if (described?.about.environment !== environment) return false
  const { about } = described
  if ('attemptId' in asking) {
    signalProcess(em, asking.process, resourceId, about, 'railAnswered', asking.attemptId)
    await noteNews(em, asking.process, asking.attemptId, at)
  } else {
    signalProcess(em, asking.process, resourceId, about, 'railAnswered')
    await noteNews(em, asking.process, resourceId, at)
  }
  return true
}

/** Signals a dispute that its network may have news, in the same way. */
export async function signalNetworkAnswered(em: EntityManager, dispute: Dispute, at: number): Promise<void> {
  signalProcess(em, 'dispute', dispute.id, aboutDispute(dispute), 'networkAnswered')
  await noteNews(em, 'dispute', dispute.id, at)
}

/** Not those that the rail itself has failed or cancelled. */
const attempts = {
  table: 'payments',
  ended: "(status in ('succeeded', 'underpaid') or (status = 'canceled' and cancelling is distinct from 'done'))",
}

/** The rows that have ended, and whose rail may still have news that change the books. */
const endedRows = {
  checkout: attempts,
  subscription: attempts,
  deposit: { table: 'payments', ended: "status = 'failed'" },
  refund: { table: 'refunds', ended: "status = 'succeeded'" },
  payout: { table: 'payouts', ended: "status = 'completed' and returned_at is null" },
  dispute: { table: 'disputes', ended: "status = 'prevented'" },
}

/**
 * Notes in a row that has ended that its rail has news, until the rail was asked. The signal is in the engine alone
 * while the rail is away, and the provider does not announce the news again: a process that is lost or terminated then
 * is started again because of this note.
 */
async function noteNews(em: EntityManager, process: keyof typeof endedRows, id: string, at: number): Promise<void> {
  const { table, ended } = endedRows[process]
  const note = `update ${table} set news_due_at = least(news_due_at, ?) where id = ? and ${ended}`
  await em.execute(note, [new Date(at), id])
}
