import Type, { type Static } from 'typebox'
import type { Transfer as Row, TransferReversal as ReversalRow } from '../../db/transfer/transfer.ts'
import { newId } from '../../domain/id.ts'
import { format } from '../../domain/money.ts'
import { transferStatuses, transferStatusOf } from '../../domain/transfer/transfer.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { sampleMoment } from '../sample.ts'

/** What a transfer and a platform fee have in common. */
export const movedFields = {
  amount: Money,
  currency: CurrencyCode,
  payment_id: nullable(id('pay')),
  reference: nullable(Type.String()),
  available_at: Timestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const presentMoved = (row: Row) => ({
  amount: format(row.amount, row.currency),
  currency: row.currency,
  payment_id: row.paymentId,
  reference: row.reference,
  available_at: iso(row.availableAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

/** Money that an account has sent to another one of its platform. `payment_id` is the sale that made it, if one did. */
export const Transfer = Type.Object(
  {
    transfer_id: id('tr'),
    status: Type.Enum([...transferStatuses]),
    source: id('acct'),
    destination: id('acct'),
    ...movedFields,
    reversed_amount: Money,
    description: nullable(Type.String()),
    metadata: Metadata,
  },
  { $id: 'Transfer' },
)

export const presentTransfer = (row: Row): Static<typeof Transfer> => ({
  transfer_id: row.id,
  status: transferStatusOf(row),
  source: row.fromAccountId,
  destination: row.toAccountId,
  ...presentMoved(row),
  reversed_amount: format(row.reversedAmount, row.currency),
  description: row.description,
  metadata: row.metadata,
})

/**
 * A part of a transfer that has gone back. `canceled_at`: when it was undone, because its refund had failed or its
 * dispute was won.
 */
export const TransferReversal = Type.Object(
  {
    transfer_reversal_id: id('trr'),
    transfer_id: id('tr'),
    amount: Money,
    currency: CurrencyCode,
    refund_id: nullable(id('ref')),
    description: nullable(Type.String()),
    metadata: Metadata,
    created_at: Timestamp,
    canceled_at: nullable(Timestamp),
  },
  { $id: 'TransferReversal' },
)

export const presentTransferReversal = (row: ReversalRow): Static<typeof TransferReversal> => ({
  transfer_reversal_id: row.id,
  transfer_id: row.transferId,
  amount: format(row.amount, row.currency),
  currency: row.currency,
  refund_id: row.refundId,
  description: row.description,
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  canceled_at: isoOrNull(row.canceledAt),
})

/** A transfer as it is read by its id: with what has gone back of it, the newest first and at most 100 times. */
export const TransferWithReversals = Type.Object(
  { ...Transfer.properties, reversals: Type.Array(TransferReversal) },
  { $id: 'TransferWithReversals' },
)

export const sampleMovedParts = (at: number) => ({
  amount: '70.00',
  currency: 'USD' as const,
  payment_id: newId('pay', at),
  reference: 'order-1001',
  available_at: sampleMoment(at, 2),
  created_at: sampleMoment(at),
  updated_at: sampleMoment(at),
})

/** A transfer that a sale has made, of which `reversed` has gone back. */
export const sampleTransfer = (transferId: string, at: number, reversed = '0.00'): Static<typeof Transfer> => ({
  transfer_id: transferId,
  status: transferStatusOf({ amount: '70.00', reversedAmount: reversed }),
  source: newId('acct', at),
  destination: newId('acct', at),
  ...sampleMovedParts(at),
  reversed_amount: reversed,
  description: null,
  metadata: {},
})
