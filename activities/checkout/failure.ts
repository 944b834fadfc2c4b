import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { countDecline, movePaymentStatus } from '../../domain/checkout/checkout.ts'
import { type FailureCode, movePayment } from '../../domain/checkout/payment.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { collectionFailed } from '../../schemas/checkout/collection-event.ts'
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

/** Ends a payment without money, with its event. */
export async function recordFailure(
  em: EntityManager,
  payment: Payment,
  failureCode: FailureCode,
  at: number,
): Promise<void> {
  movePayment(payment, 'failed')
  payment.failureCode = failureCode
  payment.nextAction = null
  payment.completedAt = payment.updatedAt = new Date(at)
  const data = collectionFailed(payment, payment.completedAt)
  await recordEvent(em, payment, { type: 'collection.failed', resourceId: payment.id, data }, at)
}
