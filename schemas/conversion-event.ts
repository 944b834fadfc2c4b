import Type, { type Static } from 'typebox'
import { CurrencyCode, id, Money, nullable, Timestamp } from './common.ts'
import { sampleMoment } from './sample.ts'

/** What both events about a conversion say. */
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
  rate: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'Units of the bought currency for one of the sold.' }),
  fee: Money,
  completed_at: Timestamp,
})
export const ConversionFailed = Type.Object({
  ...conversion,
  status: Type.Literal('failed'),
  failure_reason: Type.String(),
  failed_at: Timestamp,
})

const sample = (conversionId: string) => ({
  conversion_id: conversionId,
  reference: 'treasury-7',
  from_amount: '100.00',
  from_currency: 'USD',
  to_currency: 'NGN',
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
  failure_reason: 'The rail could not execute the conversion.',
  failed_at: sampleMoment(at),
})
