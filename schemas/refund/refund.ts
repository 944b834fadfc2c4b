import Type, { type Static } from 'typebox'
import type { Refund as RefundRow } from '../../db/refund/refund.ts'
import { format } from '../../domain/money.ts'
import { feeBearers, refundStatuses } from '../../domain/refund.ts'
import { CurrencyCode, id, iso, isoOrNull, Money, nullable, Timestamp } from '../common.ts'

export const FeeBearer = Type.Enum([...feeBearers])

export const Refund = Type.Object(
  {
    refund_id: id('ref'),
    charge_id: id('pay'),
    reference: Type.String(),
    status: Type.Enum([...refundStatuses]),
    requested_amount: Money,
    refunded_amount: nullable(Money),
    refund_fee_amount: Money,
    fee_bearer: FeeBearer,
    currency: CurrencyCode,
    reason: Type.Optional(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: nullable(Timestamp),
  },
  { $id: 'Refund' },
)

export function presentRefund(row: RefundRow): Static<typeof Refund> {
  const currency = row.currency
  return {
    refund_id: row.id,
    charge_id: row.chargeId,
    reference: row.reference,
    status: row.status,
    requested_amount: format(row.requestedAmount, currency),
    refunded_amount: row.refundedAmount === null ? null : format(row.refundedAmount, currency),
    refund_fee_amount: format(row.feeAmount, currency),
    fee_bearer: row.feeBearer,
    currency,
    ...(row.reason !== null && { reason: row.reason }),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    completed_at: isoOrNull(row.completedAt),
  }
}
