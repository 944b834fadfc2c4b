import Type, { type Static } from 'typebox'
import type { Payout as PayoutRow } from '../../db/payout/payout.ts'
import { payoutStatuses } from '../../domain/payout/payout.ts'
import { totalDebitOf, formatPaid } from '../../domain/payout/terms.ts'
import {
  CurrencyCode,
  id,
  iso,
  isoOrNull,
  Metadata,
  Money,
  nullable,
  PayoutCurrencyCode,
  Timestamp,
} from '../common.ts'

const text = nullable(Type.String())

export const Payout = Type.Object(
  {
    id: id('pay'),
    status: Type.Enum([...payoutStatuses]),
    amount: Money,
    currency: PayoutCurrencyCode,
    source_currency: CurrencyCode,
    fee: Money,
    total_debited: Money,
    destination: id('pd'),
    reference: text,
    status_reason: text,
    failure_reason: text,
    created_at: Timestamp,
    completed_at: nullable(Timestamp),
    description: text,
    metadata: Metadata,
    quote_id: nullable(Type.String()),
    hold_reason: text,
    trace_id: text,
    returned_at: nullable(Timestamp),
  },
  { $id: 'Payout' },
)

export const presentPayout = (row: PayoutRow): Static<typeof Payout> => ({
  id: row.id,
  status: row.status,
  amount: formatPaid(row.amount, row.currency),
  currency: row.currency,
  source_currency: row.sourceCurrency,
  fee: formatPaid(row.fee, row.sourceCurrency),
  total_debited: formatPaid(totalDebitOf(row), row.sourceCurrency),
  destination: row.destinationId,
  reference: row.reference,
  status_reason: row.status === 'rejected' ? row.failureReason : null,
  failure_reason: row.status === 'failed' ? row.failureReason : null,
  created_at: iso(row.createdAt),
  completed_at: isoOrNull(row.completedAt),
  description: row.description,
  metadata: row.metadata,
  quote_id: row.quoteId,
  hold_reason: row.holdReason,
  trace_id: row.traceId,
  returned_at: isoOrNull(row.returnedAt),
})

export const PayoutEstimate = Type.Object(
  {
    amount: Money,
    currency: PayoutCurrencyCode,
    source_currency: CurrencyCode,
    fee: Money,
    total_debited: Money,
    arrives_from: Timestamp,
    arrives_by: Timestamp,
  },
  { $id: 'PayoutEstimate' },
)
