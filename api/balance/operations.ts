import type { Operation } from '../http/operation.ts'
import * as balance from './balance.ts'
import * as conversion from './conversion.ts'
import * as quote from './conversion-quote.ts'

/** The operations of the area: balances, quotes and conversions. */
export const balanceOperations: readonly Operation[] = [
  quote.createQuote,
  quote.getQuote,
  conversion.createConversion,
  conversion.listConversions,
  conversion.getConversion,
  balance.listBalances,
  balance.listBalanceTransactions,
]
