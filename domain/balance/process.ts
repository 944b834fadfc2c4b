import type { Currency } from '../currency.ts'
import { type Amount, format } from '../money.ts'
import { type About, contract, type Owned, railNews, operatorUpdates } from '../process-contract.ts'

export const conversionProcess = contract({
  prefix: 'conversion',
  queue: 'main',
  updates: operatorUpdates,
  signals: railNews,
})

type Exchange = Record<'fromAmount' | 'toAmount', Amount> &
  Record<'fromCurrency' | 'toCurrency', Currency> & { status: string }

export function aboutConversion(conversion: Owned & Exchange): About {
  const { accountId, environment, status, fromAmount, fromCurrency, toAmount, toCurrency } = conversion
  const shown = (amount: Amount, currency: Currency) => `${format(amount, currency)} ${currency}`
  const summary = `${shown(fromAmount, fromCurrency)} for ${shown(toAmount, toCurrency)}`
  return { accountId, environment, status, waitingOn: 'rail', summary }
}
