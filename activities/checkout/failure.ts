import { recordFailure } from '../../commands/fail-payment.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { countDecline, movePaymentStatus } from '../../domain/checkout/checkout.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { isCurrent } from './session.ts'

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
  if (isCurrent(session, payment)) movePaymentStatus(session, 'failed')
  await recordFailure(em, payment, failureCode, at)
}
