import { digitsOf, isCurrency, symbolOf } from './currency.ts'
import { format } from './money.ts'

/**
 * The languages of what buyers read, each with its conventions for amounts and dates: the same ones in all countries
 * that speak it. English comes first: it is for all who read none of them.
 */
const conventions = { en: 'en-GB', fr: 'fr-FR', sw: 'sw-KE', pt: 'pt-PT' }

export type LanguageCode = keyof typeof conventions

export const isLanguage = (code: string): code is LanguageCode => Object.hasOwn(conventions, code)

export const languageCodes = Object.keys(conventions).filter(isLanguage)

/** The locale, such as `fr-FR`, in which amounts and dates are written for readers of a language. */
export const conventionsOf = (code: LanguageCode): string => conventions[code]

/** The language of a locale such as `fr-CI`; null if it is none of ours. */
export function languageOf(locale: string | null): LanguageCode | null {
  const [own = ''] = Intl.getCanonicalLocales(/^[a-z]{2,3}/i.exec(locale ?? '')?.[0] ?? [])
  return isLanguage(own) ? own : null
}

/** The first of these locales whose language is ours, else the first that is named at all; null if none is. */
export const firstOfOurs = (...locales: (string | null)[]): string | null =>
  locales.find((locale) => languageOf(locale) !== null) ?? locales.find((locale) => locale !== null) ?? null

/** An exact amount: Intl takes decimal strings as they are, so no amount becomes a float. */
export const exact = (decimal: string) => decimal as `${number}`

/**
 * Writes an amount of zero or more with the symbol that people use: `₦5,000.00`, `5 000,00 ₦`. A symbol of letters
 * keeps its space. Of a currency that is not ours: the amount as it is, and the code.
 */
export function createMoneyWriter(code: LanguageCode): (amount: string, currency: string) => string {
  const known = new Map<string, Intl.NumberFormat>()
  return (amount, currency) => {
    if (!isCurrency(currency)) return `${amount}\u00a0${currency}`
    const digits = { minimumFractionDigits: digitsOf(currency), maximumFractionDigits: digitsOf(currency) }
    const names = { style: 'currency', currency, currencyDisplay: 'code', useGrouping: 'always' } as const
    const writer = known.get(currency) ?? new Intl.NumberFormat(conventions[code], { ...names, ...digits })
    known.set(currency, writer)
    const symbol = symbolOf(currency)
    const text = writer
      .formatToParts(exact(format(amount, currency)))
      .map(({ type, value }) => (type === 'currency' ? symbol : value))
      .join('')
    return !/\p{L}$/u.test(symbol) && text.startsWith(symbol) ? symbol + text.slice(symbol.length).trimStart() : text
  }
}

/** Writes a decimal string with the marks of the language, and with all its digits. */
export function createFigureWriter(code: LanguageCode): (decimal: string) => string {
  const whole = new Intl.NumberFormat(conventions[code], { maximumFractionDigits: 20, useGrouping: 'always' })
  return (decimal) => {
    const { length = 0 } = decimal.split('.')[1] ?? ''
    if (length === 0) return whole.format(exact(decimal))
    return new Intl.NumberFormat(conventions[code], { minimumFractionDigits: length, useGrouping: 'always' }).format(
      exact(decimal),
    )
  }
}
