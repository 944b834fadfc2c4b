import Type, { type Static } from 'typebox'
import type { Conversion as ConversionRow } from '../../db/balance/conversion.ts'
import { conversionStatuses } from '../../domain/balance/conversion.ts'
import { id, iso, isoOrNull, Metadata, nullable, Timestamp } from '../common.ts'
import { Exchanged, presentExchanged } from './conversion-quote.ts'

export const Conversion = Type.Object(
  {
    conversion_id: id('cnv'),
    status: Type.Enum([...conversionStatuses]),
    quote_id: id('quo'),
    ...Exchanged,
    failure_reason: nullable(Type.String()),
    reference: nullable(Type.String()),
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: nullable(Timestamp),
  },
  { $id: 'Conversion' },
)

export const presentConversion = (row: ConversionRow): Static<typeof Conversion> => ({
  conversion_id: row.id,
  status: row.status,
  quote_id: row.quoteId,
  ...presentExchanged(row),
  failure_reason: row.failureReason,
  reference: row.reference,
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
  completed_at: isoOrNull(row.completedAt),
})
