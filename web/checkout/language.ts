import { IntlMessageFormat } from 'intl-messageformat'
import type { Context } from 'koa'
import { digitsOf, isCurrency, symbolOf } from '../../domain/currency.ts'
import { format } from '../../domain/money.ts'
import { recordOf } from '../../domain/narrow.ts'
import { type DecimalMark, decimalMarkOf } from './amount.ts'
import { en } from './words/en.ts'
import { enEnd } from './words/en-end.ts'
import { fr } from './words/fr.ts'
import { frEnd } from './words/fr-end.ts'
import { pt } from './words/pt.ts'
import { ptEnd } from './words/pt-end.ts'
import { sw } from './words/sw.ts'
import { swEnd } from './words/sw-end.ts'

/** A text of the catalogues. */
export type WordKey = keyof typeof en | keyof typeof enEnd
type Values = Record<string, string | number>

/** What buyers read in each language. English comes first: it is for all who read none of them. */
export const catalogues = {
  en: { ...en, ...enEnd },
  fr: { ...fr, ...frEnd },
  sw: { ...sw, ...swEnd },
  pt: { ...pt, ...ptEnd },
}
export type LanguageCode = keyof typeof catalogues
const isLanguage = (code: string): code is LanguageCode => Object.hasOwn(catalogues, code)
export const languageCodes = Object.keys(catalogues).filter(isLanguage)

/** The conventions of each language for amounts and dates: the same ones in all countries that speak it. */
const locales: Record<LanguageCode, string> = { en: 'en-GB', fr: 'fr-FR', sw: 'sw-KE', pt: 'pt-PT' }

function createLanguage(code: LanguageCode) {
  const locale = locales[code]
  const messages = new Map<WordKey, IntlMessageFormat>()
  function messageOf(key: WordKey): IntlMessageFormat {
    const known = messages.get(key) ?? new IntlMessageFormat(catalogues[code][key], locale)
    messages.set(key, known)
    return known
  }

  /** A text with its insertions. The template escapes it. */
  const say = (key: WordKey, values: Values = {}): string => String(messageOf(key).format(values))

  /** A text as HTML, with what is strong in it. The insertions are escaped: they are names that others have chosen. */
  function html(key: WordKey, values: Values = {}): string {
    const safe = Object.entries(values).map(([name, value]) => [name, escaped(String(value))])
    const b = (parts: string[]) => `<strong>${parts.join('')}</strong>`
    return [messageOf(key).format<string>({ ...Object.fromEntries(safe), b })].flat().join('')
  }

  const dates = { dateStyle: 'long', timeZone: 'UTC' } as const
  const [ofDay, ofMoment] = [
    new Intl.DateTimeFormat(locale, dates),
    new Intl.DateTimeFormat(locale, { ...dates, timeStyle: 'short' }),
  ]
  const [currencies, regions] = [
    new Intl.DisplayNames(locale, { type: 'currency' }),
    new Intl.DisplayNames(locale, { type: 'region' }),
  ]
  const money = createMoney(locale)
  return {
    code,
    say,
    html,
    money,
    /** An amount with the code of its currency, as currencies share symbols: `₦5,000.00 NGN`. */
    codedMoney: (amount: string, currency: string): string => `${money(amount, currency)}\u00a0${currency}`,
    /** A decimal string with the marks of the language. */
    figure: createFigure(locale),
    /** A time of the API as text in UTC, for browsers without scripts, which cannot show local time. */
    moment: (iso: string): string => `${ofMoment.format(new Date(iso))} UTC`,
    /** The day of a time of the API, in UTC. */
    day: (iso: string): string => ofDay.format(new Date(iso)),
    currencyName: (currency: string): string => currencies.of(currency) ?? currency,
    countryName: (country: string): string => regions.of(country) ?? country,
    script: scriptWords(say),
  }
}

export type Language = ReturnType<typeof createLanguage>

/** An exact amount: Intl takes decimal strings as they are, so no amount becomes a float. */
const exact = (decimal: string) => decimal as `${number}`

/** An amount with the symbol that people write: `₦5,000.00`, `5 000,00 ₦`. A symbol of letters keeps its space. */
function createMoney(locale: string) {
  const known = new Map<string, Intl.NumberFormat>()
  return (amount: string, currency: string): string => {
    if (!isCurrency(currency)) return `${amount}\u00a0${currency}`
    const digits = { minimumFractionDigits: digitsOf(currency), maximumFractionDigits: digitsOf(currency) }
    const names = { style: 'currency', currency, currencyDisplay: 'code', useGrouping: 'always' } as const
    const writer = known.get(currency) ?? new Intl.NumberFormat(locale, { ...names, ...digits })
    known.set(currency, writer)
    const symbol = symbolOf(currency)
    const text = writer
      .formatToParts(exact(format(amount, currency)))
      .map(({ type, value }) => (type === 'currency' ? symbol : value))
      .join('')
    return !/\p{L}$/u.test(symbol) && text.startsWith(symbol) ? symbol + text.slice(symbol.length).trimStart() : text
  }
}

function createFigure(locale: string) {
  const writer = new Intl.NumberFormat(locale, { maximumFractionDigits: 20, useGrouping: 'always' })
  return (decimal: string): string => {
    const { length = 0 } = decimal.split('.')[1] ?? ''
    if (length === 0) return writer.format(exact(decimal))
    return new Intl.NumberFormat(locale, { minimumFractionDigits: length, useGrouping: 'always' }).format(
      exact(decimal),
    )
  }
}

/** The texts of the pages' script. It fills in what is in braces. */
const scriptWords = (say: (key: WordKey, values?: Values) => string) => ({
  copy: say('script.copy'),
  copyWhat: say('script.copy.what', { what: '{what}' }),
  copied: say('script.copied'),
  copiedWhat: say('script.copied.what', { what: '{what}' }),
  left: say('script.left', { clock: '{clock}' }),
  up: say('script.up'),
  /** What screen readers announce, by the seconds that are left. */
  announced: {
    ...recordOf(['600', '300', '120', '60'], (seconds) => say('script.minutes', { count: Number(seconds) / 60 })),
    30: say('script.seconds', { count: 30 }),
  },
  unreachable: say('script.unreachable'),
  prices: say('script.prices', { currency: '{currency}' }),
  file: say('script.file'),
})

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '')

const languages = recordOf(languageCodes, createLanguage)
export const english = languages.en

/** A buyer's language, and the decimal mark with which they write amounts. */
export type Reader = { language: Language; mark: DecimalMark }

/** The reader's language: that of the session if it is one of ours, else the one of ours that the browser prefers. */
export function readerOf(ctx: Context, locale: string | null): Reader {
  const [own = ''] = Intl.getCanonicalLocales(/^[a-z]{2,3}/i.exec(locale ?? '')?.[0] ?? [])
  if (isLanguage(own)) return { language: languages[own], mark: decimalMarkOf(own) }
  const asked = ctx.acceptsLanguages([...languageCodes])
  const language = typeof asked === 'string' && isLanguage(asked) ? languages[asked] : english
  return { language, mark: decimalMarkOf(ctx.get('accept-language')) }
}
