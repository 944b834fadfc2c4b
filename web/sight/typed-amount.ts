import { type Currency, digitsOf, isCurrency, symbolOf } from '../../domain/currency.ts'
import { latinDigits } from '../../domain/digits.ts'
import { readAmount } from '../checkout/amount.ts'
import { isDecimal } from './board-form.ts'

/** One comma or point before three digits and nothing after them: thousands to some people, decimals to others. */
const couldBeTwo = /^\D*\d{1,3}[.,]\d{3}\D*$/

/** Whether the text has a currency sign, and not that of the currency. */
const isOfAnother = (text: string, currency: Currency): boolean =>
  [...text.matchAll(/\p{Sc}/gu)].some(([sign]) => !symbolOf(currency).includes(sign.normalize('NFKC')))

/**
 * An amount as people write it (`1 234,56`, `$1,234.56`, `١٬٢٣٤٫٥٦`), as the decimal string of the API. A text that
 * could be two amounts, such as `1,234`, or none stays as it was typed, and the form says how to write it. So does an
 * amount with the sign of another currency, and one with any sign where the form does not know the currency (`''`).
 */
export function readTypedAmount(typed: string, currency: string): string {
  if (isDecimal(typed)) return typed
  const plain = latinDigits(typed).replaceAll('٬', ' ').replaceAll('٫', '.')
  const hasDecimals = !isCurrency(currency) || digitsOf(currency) > 0
  if (hasDecimals && couldBeTwo.test(plain)) return typed
  if (isCurrency(currency) ? isOfAnother(plain, currency) : /\p{Sc}/u.test(plain)) return typed
  const read = readAmount(plain, currency, ',')
  return isDecimal(read) ? read : typed
}
