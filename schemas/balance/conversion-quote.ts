import Type, { type Static } from 'typebox'
import type { ConversionQuote as QuoteRow } from '../../db/balance/conversion-quote.ts'
import { quoteStatusAt, quoteStatuses } from '../../domain/balance/conversion-quote.ts'
import { formatRate } from '../../domain/balance/exchange.ts'
import type { Currency } from '../../domain/currency.ts'
import { type Amount, format } from '../../domain/money.ts'
import { CurrencyCode, id, iso, Money, Timestamp } from '../common.ts'

/** Amounts, rate and fee of a quote and of its conversion. The fee is in the currency that is sold. */
export const Exchanged = {
  from_amount: Money,
  from_currency: CurrencyCode,
  to_amount: Money,
  to_currency: CurrencyCode,
  rate: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'Units of the bought currency for one of the sold.' }),
  fee: Money,
}

export const ConversionQuote = Type.Object(
  {
    quote_id: id('quo'),
    status: Type.Enum([...quoteStatuses]),
    ...Exchanged,
    expires_at: Timestamp,
    created_at: Timestamp,
  },
  { $id: 'ConversionQuote' },
)

type Terms = Record<'fromAmount' | 'toAmount' | 'rate' | 'fee', Amount> &
  Record<'fromCurrency' | 'toCurrency', Currency>

export const presentExchanged = ({ fromAmount, fromCurrency, toAmount, toCurrency, rate, fee }: Terms) => ({
  from_amount: format(fromAmount, fromCurrency),
  from_currency: fromCurrency,
  to_amount: format(toAmount, toCurrency),
  to_currency: toCurrency,
  rate: formatRate(rate),
  fee: format(fee, fromCurrency),
})

/** `at` is the moment of the answer (ms since the epoch), at which the quote may have expired. */
export const presentQuote = (row: QuoteRow, at: number): Static<typeof ConversionQuote> => ({
  quote_id: row.id,
  status: quoteStatusAt(row, at),
  ...presentExchanged(row),
  expires_at: iso(row.expiresAt),
  created_at: iso(row.createdAt),
})
