import { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { Dispute } from '../db/dispute/dispute.ts'
import { disputeStatuses, holdsMoney } from '../domain/dispute/dispute.ts'
import type { Amount } from '../domain/money.ts'
import { type FeeBearer, isRefundedInFull, mayRefund, refundStatusOf } from '../domain/refund.ts'
import { refundCreated } from '../schemas/refund/event.ts'
import { openRefund } from './open-refund.ts'

type Why = { reason: string; isFree?: boolean; feeBearer?: FeeBearer; surplus?: Amount }

/**
 * Refunds all that is left of a payment, with its event; with `surplus` only this much, which arrived after the payment
 * had succeeded. The payer bears the fee unless `feeBearer` says otherwise; with `isFree` there is none. Money that
 * cannot be refunded, such as crypto without an address, is kept. The payment is locked.
 */
export async function sendBack(
  em: EntityManager,
  payment: Payment,
  { reason, isFree = false, feeBearer = 'CUSTOMER', surplus }: Why,
  at: number,
): Promise<void> {
  const wish = { amount: surplus ?? null, feeBearer, address: null, isFree }
  if (!mayRefund(payment, wish)) return
  const reference = payment.reference ?? payment.id
  // Nothing of the sale remains; but a surplus was never part of it, so nothing of it was passed on.
  const isOfSale = surplus === undefined
  const takesBack = { reversesTransfer: isOfSale, refundsPlatformFee: isOfSale }
  const refund = await openRefund(em, payment, { ...wish, reference, reason, takesBack, simulatedOutcome: null }, at)
  const data = refundCreated(refund, payment)
  await recordEvent(em, refund, { type: 'refund.created', resourceId: refund.id, data }, at)
}

/**
 * Refunds a payment that succeeded after another one had paid for the same, whatever the account does with late money.
 * The merchant did not want it, so nobody pays a fee for it.
 */
export const refundDuplicate = (em: EntityManager, payment: Payment, at: number): Promise<void> =>
  sendBack(em, payment, { reason: 'duplicate', isFree: true }, at)

/**
 * Those of some payments of which refunds have returned all that can be returned. While an open dispute holds the rest
 * of a payment, it is none of them: the rest may come back.
 */
export async function sentBackOf(em: EntityManager, paymentIds: string[]): Promise<Set<string>> {
  const payments = paymentIds.length === 0 ? [] : await em.find(Payment, { id: { $in: paymentIds } })
  const returned = payments.filter(isRefundedInFull)
  const sentBack = new Set(returned.map(({ id }) => id))
  const inPart = returned.filter((payment) => refundStatusOf(payment) !== 'full').map(({ id }) => id)
  if (inPart.length === 0) return sentBack
  const status = { $in: disputeStatuses.filter(holdsMoney) }
  for (const { paymentId } of await em.find(Dispute, { paymentId: { $in: inPart }, status })) sentBack.delete(paymentId)
  return sentBack
}

/** Whether a payment is one of `sentBackOf`. */
export const wasSentBack = async (em: EntityManager, paymentId: string): Promise<boolean> =>
  (await sentBackOf(em, [paymentId])).has(paymentId)
