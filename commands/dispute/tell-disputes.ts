import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'

/** Tells the processes of announced disputes that a refund of their charge has succeeded: it may prevent them. */
export async function tellDisputesOfRefund(em: EntityManager, charge: Payment): Promise<void> {
  for (const dispute of await em.find(Dispute, { paymentId: charge.id, status: 'early_warning' }))
    signalProcess(em, 'dispute', dispute.id, aboutDispute(dispute), 'chargeRefunded')
}
