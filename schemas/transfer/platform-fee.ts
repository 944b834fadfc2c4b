import Type, { type Static } from 'typebox'
import type { Transfer as Row, TransferReversal as ReversalRow } from '../../db/transfer/transfer.ts'
import { newId } from '../../domain/id.ts'
import { format } from '../../domain/money.ts'
import { platformFeeStatuses, platformFeeStatusOf } from '../../domain/transfer/transfer.ts'
import { id, iso, isoOrNull, Money, nullable, Timestamp } from '../common.ts'
import { movedFields, presentMoved, sampleMovedParts } from './transfer.ts'

/** What a platform has earned of a sale. `account_id` is the account that has sold and paid it. */
export const PlatformFee = Type.Object(
  {
    platform_fee_id: id('pf'),
    status: Type.Enum([...platformFeeStatuses]),
    account_id: id('acct'),
    ...movedFields,
    refunded_amount: Money,
  },
  { $id: 'PlatformFee' },
)

export const presentPlatformFee = (row: Row): Static<typeof PlatformFee> => ({
  platform_fee_id: row.id,
  status: platformFeeStatusOf(row),
  account_id: row.fromAccountId,
  ...presentMoved(row),
  refunded_amount: format(row.reversedAmount, row.currency),
})

/**
 * A refunded part of a platform fee. `canceled_at`: when it was undone, because the sale's refund had failed or its
 * dispute was won.
 */
const PlatformFeeRefund = Type.Object(
  {
    platform_fee_refund_id: id('pfr'),
    amount: Money,
    refund_id: nullable(id('ref')),
    created_at: Timestamp,
    canceled_at: nullable(Timestamp),
  },
  { $id: 'PlatformFeeRefund' },
)

export const presentPlatformFeeRefund = (row: ReversalRow): Static<typeof PlatformFeeRefund> => ({
  platform_fee_refund_id: row.id,
  amount: format(row.amount, row.currency),
  refund_id: row.refundId,
  created_at: iso(row.createdAt),
  canceled_at: isoOrNull(row.canceledAt),
})

/** A platform fee as it is read by its id: with its refunds, the newest first and at most 100. */
export const PlatformFeeWithRefunds = Type.Object(
  { ...PlatformFee.properties, refunds: Type.Array(PlatformFeeRefund) },
  { $id: 'PlatformFeeWithRefunds' },
)

/** A fee of 70.00, of which `refunded` has gone back. */
export const samplePlatformFee = (feeId: string, at: number, refunded = '0.00'): Static<typeof PlatformFee> => ({
  platform_fee_id: feeId,
  status: platformFeeStatusOf({ amount: '70.00', reversedAmount: refunded }),
  account_id: newId('acct', at),
  ...sampleMovedParts(at),
  refunded_amount: refunded,
})
