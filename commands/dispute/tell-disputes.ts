import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { isDisputable } from '../../domain/dispute/dispute.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'
import { askingAbout, signalNetworkAnswered, signalRailAnswered } from '../signal-rail-answered.ts'

/** Tells the processes of announced disputes that a refund of their charge has succeeded: it may prevent them. */
export async function tellDisputesOfRefund(em: EntityManager, charge: Payment): Promise<void> {
  for (const dispute of await em.find(Dispute, { paymentId: charge.id, status: 'early_warning' }))
    signalProcess(em, 'dispute', dispute.id, aboutDispute(dispute), 'chargeRefunded')
}

/**
 * Tells the process of a charge to look it up, because a refund of it has failed: the network may have raised a dispute
 * for which that refund had left nothing, or less than the network has named. The processes of disputes that were
 * announced, or prevented, ask the network too, as it may have raised one of them meanwhile. `at`: now.
 */
export async function lookForDisputes(em: EntityManager, charge: Payment, at: number): Promise<void> {
  const status = { $in: ['early_warning', 'prevented'] as const }
  for (const dispute of await em.find(Dispute, { paymentId: charge.id, status }))
    await signalNetworkAnswered(em, dispute, at)
  const asking = askingAbout(charge)
  if (isDisputable(charge.corridor) && asking.process !== 'deposit')
    await signalRailAnswered(em, asking, charge.environment, at)
}
