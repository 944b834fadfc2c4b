import { recordFailure } from '../../commands/record-failure.ts'
import { judgePayment } from '../../commands/subscription/pay-invoice.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { countDecline, moveCheckoutPaymentStatus } from '../../domain/checkout/checkout.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { isCurrent, touch } from './session.ts'

type Failed = Extract<RailAnswer, { status: 'failed' }>

/** Records that the rail has declined an attempt. While the session is open, its buyer may try again. */
export async function failPayment(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  { failureCode }: Failed,
  at: number,
): Promise<void> {
  session.lastFailureCode = failureCode
  countDecline(session, at)
  if (isCurrent(session, payment)) moveCheckoutPaymentStatus(session, 'failed')
  await recordFailure(em, payment, failureCode, at)
}

/**
 * Fails an attempt that was begun, and of which its rail has not told anything yet, where its money would only be sent
 * back: its invoice was paid in another way or voided meanwhile. The process cancels it at the rail as soon as that
 * answers, and money that the rail has taken nevertheless is then posted.
 */
export async function failIfNeedless(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  at: number,
): Promise<boolean> {
  if (!payment.invoiceId || payment.pollCount > 0 || (await judgePayment(em, payment)) === 'pays') return false
  await failPayment(em, session, payment, { status: 'failed', failureCode: 'rail_unavailable' }, at)
  payment.cancelling = 'due'
  touch(session, at)
  return true
}
