import Type, { type Static } from 'typebox'
import { CurrencyCode, id, Money, nullable, Timestamp } from './common.ts'
import { sampleMoment } from './sample.ts'

/** What every event about a refund says; `reference` is the one of the payment that is refunded. */
const refund = { refund_id: id('ref'), amount: Money, currency: CurrencyCode, reference: nullable(Type.String()) }

export const RefundCreated = Type.Object({ ...refund, status: Type.Literal('created') })
export const RefundPaid = Type.Object({ ...refund, status: Type.Literal('paid'), completed_at: Timestamp })
export const RefundFailed = Type.Object({ ...refund, status: Type.Literal('failed') })

const sample = (refundId: string) => ({
  refund_id: refundId,
  amount: '10.00',
  currency: 'USD',
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
