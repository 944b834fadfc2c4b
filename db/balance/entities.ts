import { ConversionQuote } from './conversion-quote.ts'
import { Conversion } from './conversion.ts'
import { BalanceTransaction } from './transaction.ts'

/** The tables of the area. */
export const balanceEntities = [BalanceTransaction, Conversion, ConversionQuote]
