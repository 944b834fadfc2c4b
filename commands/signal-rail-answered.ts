import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { signalProcess } from '../db/core/start-process.ts'
import type { Dispute } from '../db/dispute/dispute.ts'
import type { Environment } from '../domain/access/scope.ts'
import { paymentProcessOf } from '../domain/checkout/payment-process.ts'
import { aboutDispute } from '../domain/dispute/process.ts'
import { noteNews } from './note-news.ts'
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
 * transaction, and so is a note of the news in the row. `at`: now, in milliseconds since the epoch. False where there
 * is no such row in this environment.
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
