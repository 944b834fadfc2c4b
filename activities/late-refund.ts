import { Account } from '../db/account.ts'
import type { EntityManager } from '../db/database.ts'
import { openRefund } from '../db/open-refund.ts'
import type { Payment } from '../db/payment.ts'
import { recordEvent } from '../db/record-event.ts'
import { mayRefund } from '../domain/refund.ts'
import { refundCreated } from '../schemas/refund-event.ts'

/**
 * Sends money that came after its session had ended back, where the account wants that; what cannot be sent back is
 * kept. The payer bears the fee, as the merchant has not asked for this payment.
 */
export async function refundLatePayment(em: EntityManager, payment: Payment, at: number): Promise<void> {
  const { latePaymentPolicy } = await em.findOneOrFail(Account, { id: payment.accountId })
  const wish = { amount: null, feeBearer: 'CUSTOMER' as const, address: null }
  if (latePaymentPolicy !== 'refund' || !mayRefund(payment, wish)) return
  const reference = payment.reference ?? payment.id
  const asked = { ...wish, reference, reason: 'late payment', simulatedOutcome: null }
  const refund = await openRefund(em, payment, asked, at)
  const data = refundCreated(refund, payment)
  await recordEvent(em, refund, { type: 'refund.created', resourceId: refund.id, data }, at)
}
