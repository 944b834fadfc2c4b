import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { post, type Posting } from '../db/ledger/ledger.ts'
import { movePayment } from '../domain/checkout/payment.ts'
import { availableAfterMsOf } from '../domain/corridor.ts'
import { type Amount, inUsd, negate, subtract } from '../domain/money.ts'

/**
 * Records that the full amount of a payment has arrived and posts it. `deposited`: the buyer has sent it to an account,
 * where it was posted before. A duplicate, which is refunded, costs no fee. Nor does a card that was charged too late
 * without anybody's act (decision 0040).
 */
export async function settlePayment(em: EntityManager, payment: Payment, deposited: boolean, at: number) {
  movePayment(payment, 'succeeded')
  payment.nextAction = null
  payment.completedAt = new Date(at)
  if (payment.duplicate || isPulledLate(payment)) replaceFee(payment, '0')
  await post(em, { kind: 'settlement', sourceId: payment.id, owner: payment, postings: split(payment, deposited) }, at)
}

/** Whether a saved card was charged for an invoice that nobody has to pay any more: all of it goes back. */
export const isPulledLate = ({ late, checkoutId }: Payment): boolean => late && checkoutId === null

/** Gives a payment another fee than that of the price which the buyer was shown. */
export function replaceFee(payment: Payment, fee: Amount): void {
  payment.quotedFee = payment.fee
  payment.fee = fee
  payment.feeUsd = inUsd(fee, payment.currency)
  payment.settles = subtract(payment.amount, fee)
}

/** The postings that move the money from the rail, or from the buyer's deposits, to the merchant and to our fees. */
function split(payment: Payment, deposited: boolean): Posting[] {
  const currency = payment.currency
  const availableAfterMs = availableAfterMsOf(payment.corridor)
  const settles = subtract(payment.amountReceived, payment.fee)
  return [
    { ledgerAccount: deposited ? 'buyer' : 'rail', currency, amount: negate(payment.amountReceived) },
    { ledgerAccount: 'merchant', currency, amount: settles, availableAfterMs },
    { ledgerAccount: 'fees', currency, amount: payment.fee },
  ]
}
