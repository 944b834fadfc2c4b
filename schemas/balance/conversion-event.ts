import Type, { type Static } from 'typebox'
import type { Conversion } from '../../db/balance/conversion.ts'
import { notExecuted } from '../../domain/balance/conversion.ts'
import { CurrencyCode, id, iso, Money, nullable, Timestamp } from '../common.ts'
import { Exchanged, presentExchanged } from './conversion-quote.ts'
import { sampleMoment } from '../sample.ts'

/** The fields that both events about a conversion have. */
const conversion = {
  conversion_id: id('cnv'),
  reference: nullable(Type.String()),
  from_amount: Money,
  from_currency: CurrencyCode,
  to_currency: CurrencyCode,
}

export const ConversionCompleted = Type.Object({
  ...conversion,
  status: Type.Literal('completed'),
  to_amount: Money,
  rate: Exchanged.rate,
  fee: Money,
  completed_at: Timestamp,
})
export const ConversionFailed = Type.Object({
  ...conversion,
  status: Type.Literal('failed'),
  failure_reason: Type.String(),
  failed_at: Timestamp,
})

/** `at` is when the rail executed the conversion. */
export const conversionCompleted = (row: Conversion, at: Date): Static<typeof ConversionCompleted> => ({
  conversion_id: row.id,
  reference: row.reference,
  status: 'completed',
  ...presentExchanged(row),
  completed_at: iso(at),
})

/** Nothing was converted, so the event has the amount that was to be sold, but no bought amount. */
export function conversionFailed(row: Conversion, at: Date): Static<typeof ConversionFailed> {
  const { from_amount, from_currency, to_currency } = presentExchanged(row)
  return {
    conversion_id: row.id,
    reference: row.reference,
    from_amount,
    from_currency,
    to_currency,
    status: 'failed',
    failure_reason: row.failureReason ?? notExecuted,
    failed_at: iso(at),
  }
}

const sample = (conversionId: string) => ({
  conversion_id: conversionId,
  reference: 'treasury-7',
  from_amount: '100.00',
  from_currency: 'USD' as const,
  to_currency: 'NGN' as const,
})

export const sampleConversionCompleted = (conversionId: string, at: number): Static<typeof ConversionCompleted> => ({
  ...sample(conversionId),
  status: 'completed',
  to_amount: '158400.00',
  rate: '1600',
  fee: '1.00',
  completed_at: sampleMoment(at),
})

export const sampleConversionFailed = (conversionId: string, at: number): Static<typeof ConversionFailed> => ({
  ...sample(conversionId),
  status: 'failed',
  failure_reason: notExecuted,
  failed_at: sampleMoment(at),
})
