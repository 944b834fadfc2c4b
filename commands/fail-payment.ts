import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { type FailureCode, movePayment } from '../domain/checkout/payment.ts'
import { collectionFailed } from '../schemas/checkout/collection-event.ts'

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
