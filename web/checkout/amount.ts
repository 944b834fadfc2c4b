import { latinDigits } from '../../domain/digits.ts'
import { type Currency, digitsOf, isCurrency, symbolOf } from '../../domain/currency.ts'

/** The decimal mark of the reader's language: a point or a comma. */
export type DecimalMark = '.' | ','

/** The mark of the reader's first language, by the header `Accept-Language`. */
export function decimalMarkOf(acceptLanguage: string): DecimalMark {
  const [first = ''] = acceptLanguage.split(/[,;]/, 1)
  try {
    const parts = new Intl.NumberFormat(first.trim() || 'en').formatToParts(1.5)
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.'
  } catch {
    return '.' // an unknown language
  }
}

const currencySigns = /\p{Sc}/gu
/** An amount whose decimals follow one mark. Its thousands are told apart by another one, which is always the same. */
const written = (decimal: string, others: string) =>
  new RegExp(String.raw`^(\d+|\d{1,3}(?=([${others} '’]))(?:\2\d{3})+)(?:[${decimal}](\d+))?$`)
const withPoint = written('.', ',')
const withComma = written(',', '.')

/**
 * Turns a typed amount (`5,000`, `1 234,50`, `$25`, `KSh 500`, `٢٥٫٥٠`) into the API's decimal string. An ambiguous
 * text, such as `5,00` in a language with a decimal point, is returned unchanged: the API refuses it, and the page says
 * how to write it.
 */
export function readAmount(typed: string, currency: string, mark: DecimalMark): string {
  const plain = latinDigits(typed).replaceAll('٫', '.').replaceAll('٬', ',')
  const digits = isCurrency(currency) ? digitsOf(currency) : 2
  const named = isCurrency(currency) ? withoutCurrency(plain, currency) : plain.replaceAll(currencySigns, '').trim()
  const bare = named.replaceAll(/\s/g, ' ')
  const english = partsOf(withPoint.exec(bare), digits)
  if (english) return english.text
  const other = partsOf(withComma.exec(bare), digits)
  const isClear = other && (mark === ',' || digits === 0 || other.isGrouped)
  return isClear ? other.text : typed
}

/** The text without the symbol and the code of its currency, before or behind the amount. */
function withoutCurrency(text: string, currency: Currency): string {
  // The symbol first: of `GH₵` only its last sign is one of Unicode's for currencies.
  const bare = without(text.trim(), symbolOf(currency)).replaceAll(currencySigns, '')
  return without(bare.trim(), currency).trim()
}

/** It compares and makes no pattern: the currency of an amount comes with the form, from anybody. */
function without(text: string, name: string): string {
  const isNamed = (part: string) => part.toUpperCase() === name.toUpperCase()
  if (isNamed(text.slice(0, name.length))) return text.slice(name.length)
  return isNamed(text.slice(-name.length)) ? text.slice(0, -name.length) : text
}

/** The decimal string of a match; null if it has more decimals than the currency. */
function partsOf(match: RegExpExecArray | null, digits: number) {
  if (!match) return null
  const [, whole = '', , fraction = ''] = match
  const figures = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  if (digits === 0 && /^0{0,2}$/.test(fraction)) return { text: figures, isGrouped: true }
  if (fraction.length > digits) return null
  // A single group is ambiguous: it could also be the decimals of a mistyped number.
  const separators = whole.replaceAll(/\d/g, '').length
  return {
    text: fraction ? `${figures}.${fraction}` : figures,
    isGrouped: separators > 1 || (separators > 0 && fraction !== ''),
  }
}
