import { LockMode } from '@mikro-orm/core'
import { readSettings } from '../../db/platform/account-settings.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { sendBack } from '../../commands/send-back.ts'
import { refusingInvoice } from '../../commands/subscription/invoiced-session.ts'
import { hasPaidInvoice } from '../../commands/subscription/pay-invoice.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { isShortPayment } from '../../domain/checkout/payment.ts'
import { type Amount, isLess } from '../../domain/money.ts'
import { refundableOf } from '../../domain/refund.ts'
import { attemptsOf } from './session.ts'

/**
 * Whether a payment has paid the sale of a session, in time or late, and its merchant has kept some of it. A short
 * payment that was accepted has paid it as well, but not `inFull`.
 */
export async function isPaid(em: EntityManager, session: Checkout, { inFull = false } = {}): Promise<boolean> {
  if (session.status === 'completed') return true
  const isKept = (payment: Payment) =>
    payment.status === 'succeeded' &&
    !(inFull && payment.partial) &&
    isLess(payment.refundClaimed, refundableOf(payment))
  return (await attemptsOf(em, session)).some(isKept)
}

/**
 * Refunds money that arrived after its session had ended, where the account wants that. Money that cannot be refunded
 * is kept. The payer bears the fee, as the merchant has not asked for this payment.
 */
export async function refundLatePayment(em: EntityManager, payment: Payment, at: number): Promise<void> {
  if (await refundsLateMoney(em, payment)) await sendBack(em, payment, { reason: 'late payment' }, at)
}

/**
 * Refunds a surplus where the payment that it was sent for is unwanted: it goes back as that did. So does the rest of a
 * short payment that was accepted, because the part has ended the sale (decision 0095). The surplus of another payment
 * that was kept is kept too.
 */
export async function refundUnwantedSurplus(em: EntityManager, payment: Payment, surplus: Amount, at: number) {
  if (payment.duplicate) return sendBack(em, payment, { reason: 'duplicate', isFree: true, surplus }, at)
  if (payment.partial) return sendBack(em, payment, { reason: 'rest of a short payment', surplus }, at)
  const isUnwanted = payment.invoiceId
    ? !(await hasPaidInvoice(em, payment))
    : payment.late && (await refundsLateMoney(em, payment))
  if (isUnwanted) await sendBack(em, payment, { reason: 'late payment', surplus }, at)
}

/**
 * Refunds the money of short payments once the rest is no longer expected: where the account wants late money refunded,
 * and where the sale or its invoice was paid in another way, or takes no money now. The merchant can refund or accept
 * the short payments that stay.
 */
export async function refundShortPayments(em: EntityManager, session: Checkout, at: number): Promise<void> {
  const invoice = await refusingInvoice(em, session)
  const wasPaid = session.status === 'completed' || invoice?.status === 'paid'
  if (!wasPaid && !invoice && !(await refundsLateMoney(em, session))) return
  const why = wasPaid ? { reason: 'duplicate', isFree: true } : { reason: 'short payment' }
  for (const payment of await lockShortPayments(em, session)) await sendBack(em, payment, why, at)
}

/**
 * The short payments of a session, as they are once they are locked: the merchant may refund one at this moment. All
 * are locked before the first refund locks a balance, as the refund of a single one locks it before a balance too: two
 * commits in other orders would wait for each other.
 */
async function lockShortPayments(em: EntityManager, { id: checkoutId }: Checkout): Promise<Payment[]> {
  const inOrder = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const
  const payments = await em.find(Payment, { checkoutId, status: 'underpaid' }, inOrder)
  return payments.filter(isShortPayment)
}

async function refundsLateMoney(em: EntityManager, { accountId, environment }: Tenant): Promise<boolean> {
  return (await readSettings(em, { accountId, environment })).latePaymentPolicy === 'refund'
}
