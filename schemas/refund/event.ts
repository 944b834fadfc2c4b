import Type, { type Static } from 'typebox'
import type { Payment } from '../../db/checkout/payment.ts'
import type { Refund } from '../../db/refund/refund.ts'
import { format } from '../../domain/money.ts'
import { CurrencyCode, id, iso, Money, nullable, Timestamp } from '../common.ts'
import { sampleMoment } from '../sample.ts'

/** The fields of every event about a refund. `reference` is that of the refunded payment. */
const commonFields = { refund_id: id('ref'), amount: Money, currency: CurrencyCode, reference: nullable(Type.String()) }

export const RefundCreated = Type.Object({ ...commonFields, status: Type.Literal('created') })
export const RefundPaid = Type.Object({ ...commonFields, status: Type.Literal('paid'), completed_at: Timestamp })
export const RefundFailed = Type.Object({ ...commonFields, status: Type.Literal('failed') })

/** `amount` is the requested amount, in every event of the refund. */
const present = ({ id: refund_id, requestedAmount, currency }: Refund, { reference }: Payment) => ({
  refund_id,
  currency,
  reference,
  amount: format(requestedAmount, currency),
})

export const refundCreated = (refund: Refund, charge: Payment): Static<typeof RefundCreated> => ({
  ...present(refund, charge),
  status: 'created',
})

/** `at` is when the rail sent the money. */
export const refundPaid = (refund: Refund, charge: Payment, at: Date): Static<typeof RefundPaid> => ({
  ...present(refund, charge),
  status: 'paid',
  completed_at: iso(at),
})

export const refundFailed = (refund: Refund, charge: Payment): Static<typeof RefundFailed> => ({
  ...present(refund, charge),
  status: 'failed',
})

const sample = (refundId: string) => ({
  refund_id: refundId,
  amount: '10.00',
  currency: 'USD' as const,
  reference: 'order-1001',
})

export const sampleRefundCreated = (refundId: string): Static<typeof RefundCreated> => ({
  ...sample(refundId),
  status: 'created',
})

export const sampleRefundPaid = (refundId: string, at: number): Static<typeof RefundPaid> => ({
  ...sample(refundId),
  status: 'paid',
  completed_at: sampleMoment(at),
})

export const sampleRefundFailed = (refundId: string): Static<typeof RefundFailed> => ({
  ...sample(refundId),
  status: 'failed',
})
