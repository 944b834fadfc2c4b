import { readSettings } from '../../db/platform/account-settings.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { openRefund } from '../../commands/open-refund.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { isLess } from '../../domain/money.ts'
import { mayRefund } from '../../domain/refund.ts'
import { refundCreated } from '../../schemas/refund/event.ts'

type Why = { reason: string; isFree?: boolean }

/**
 * Sends money that came after its session had ended back, where the account wants that; what cannot be sent back is
 * kept. The payer bears the fee, as the merchant has not asked for this payment.
 */
export async function refundLatePayment(em: EntityManager, payment: Payment, at: number): Promise<void> {
  if (await refundsLateMoney(em, payment)) await sendBack(em, payment, { reason: 'late payment' }, at)
}

/**
 * Sends back what went through after its sale had been paid without it, whatever the account does with late money:
 * nobody wanted it, and nobody pays a fee for it. Crypto is kept: nobody has said where it may go back to.
 */
export const refundDuplicate = (em: EntityManager, payment: Payment, at: number): Promise<void> =>
  sendBack(em, payment, { reason: 'duplicate', isFree: true }, at)

/**
 * Sends back what has arrived of short payments once nobody listens for the rest: where the account wants that of late
 * money, and where the sale was paid in another way. What stays can be refunded or accepted by the merchant.
 */
export async function refundShortPayments(em: EntityManager, session: Checkout, at: number): Promise<void> {
  const wasPaid = session.status === 'completed'
  if (!wasPaid && !(await refundsLateMoney(em, session))) return
  for (const payment of await em.find(Payment, { checkoutId: session.id, status: 'underpaid' })) {
    const why = wasPaid ? { reason: 'duplicate', isFree: true } : { reason: 'short payment' }
    if (isShortPayment(payment)) await sendBack(em, payment, why, at)
  }
}

/** Whether something of a short payment is neither refunded nor about to be. */
export const isShortPayment = ({ status, amountReceived, refundClaimed }: Payment): boolean =>
  status === 'underpaid' && isLess(refundClaimed, amountReceived)

async function refundsLateMoney(em: EntityManager, { accountId, environment }: Tenant): Promise<boolean> {
  return (await readSettings(em, { accountId, environment })).latePaymentPolicy === 'refund'
}

async function sendBack(em: EntityManager, payment: Payment, { reason, isFree = false }: Why, at: number) {
  const wish = { amount: null, feeBearer: 'CUSTOMER' as const, address: null, isFree }
  if (!mayRefund(payment, wish)) return
  const reference = payment.reference ?? payment.id
  const refund = await openRefund(em, payment, { ...wish, reference, reason, simulatedOutcome: null }, at)
  const data = refundCreated(refund, payment)
  await recordEvent(em, refund, { type: 'refund.created', resourceId: refund.id, data }, at)
}
