import { digitsOf, isCurrency } from '../../domain/currency.ts'

/** What stands before the cents where the reader comes from: a point or a comma. */
export type DecimalMark = '.' | ','

/** The mark of the reader's first language, by the header `Accept-Language`. */
export function decimalMarkOf(acceptLanguage: string): DecimalMark {
  const [first = ''] = acceptLanguage.split(/[,;]/, 1)
  try {
    const parts = new Intl.NumberFormat(first.trim() || 'en').formatToParts(1.5)
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.'
  } catch {
    return '.' // no language that anybody knows
  }
}

const groups = String.raw`\s'’`
const withPoint = new RegExp(String.raw`^(\d+|\d{1,3}(?:[,${groups}]\d{3})+)(?:\.(\d+))?$`)
const withComma = new RegExp(String.raw`^(\d+|\d{1,3}(?:[.${groups}]\d{3})+)(?:,(\d+))?$`)

/**
 * An amount as people type it (`5,000`, `1 234,50`, `$25`), as the API's decimal string. What could be two amounts, as
 * `5,00` where cents follow a point, comes back as it was typed: the API refuses it, and the page says how to write it.
 */
export function readAmount(typed: string, currency: string, mark: DecimalMark): string {
  const digits = isCurrency(currency) ? digitsOf(currency) : 2
  const bare = typed
    .replaceAll(/\p{Sc}/gu, '')
    .replace(new RegExp(`^${currency}|${currency}$`, 'i'), '')
    .trim()
  const english = partsOf(withPoint.exec(bare), digits)
  if (english) return english.text
  const other = partsOf(withComma.exec(bare), digits)
  const isClear = other && (mark === ',' || digits === 0 || other.isGrouped)
  return isClear ? other.text : typed
}

/** The decimal string of a match; null where the cents have more digits than the currency. */
function partsOf(match: RegExpExecArray | null, digits: number) {
  if (!match) return null
  const [, whole = '', fraction = ''] = match
  const figures = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  if (digits === 0 && /^0{0,2}$/.test(fraction)) return { text: figures, isGrouped: true }
  if (fraction.length > digits) return null
  // One group alone could as well be the decimals of a number that was mistyped.
  const separators = whole.replaceAll(/\d/g, '').length
  return {
    text: fraction ? `${figures}.${fraction}` : figures,
    isGrouped: separators > 1 || (separators > 0 && fraction !== ''),
  }
}
