import { readSettings } from '../../db/platform/account-settings.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { sendBack } from '../../commands/send-back.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { isLess } from '../../domain/money.ts'

/**
 * Refunds money that arrived after its session had ended, where the account wants that. Money that cannot be refunded
 * is kept. The payer bears the fee, as the merchant has not asked for this payment.
 */
export async function refundLatePayment(em: EntityManager, payment: Payment, at: number): Promise<void> {
  if (await refundsLateMoney(em, payment)) await sendBack(em, payment, { reason: 'late payment' }, at)
}

/**
 * Refunds the money of short payments once the rest is no longer expected: where the account wants late money refunded,
 * and where the sale was paid in another way. The merchant can refund or accept the short payments that stay.
 */
export async function refundShortPayments(em: EntityManager, session: Checkout, at: number): Promise<void> {
  const wasPaid = session.status === 'completed'
  if (!wasPaid && !(await refundsLateMoney(em, session))) return
  for (const payment of await em.find(Payment, { checkoutId: session.id, status: 'underpaid' })) {
    const why = wasPaid ? { reason: 'duplicate', isFree: true } : { reason: 'short payment' }
    if (isShortPayment(payment)) await sendBack(em, payment, why, at)
  }
}

/** Whether some money of a short payment is neither refunded nor about to be. */
export const isShortPayment = ({ status, amountReceived, refundClaimed }: Payment): boolean =>
  status === 'underpaid' && isLess(refundClaimed, amountReceived)

async function refundsLateMoney(em: EntityManager, { accountId, environment }: Tenant): Promise<boolean> {
  return (await readSettings(em, { accountId, environment })).latePaymentPolicy === 'refund'
}
