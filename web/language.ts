import { IntlMessageFormat } from 'intl-messageformat'
import type { Context } from 'koa'
import { escapeHtml } from '../domain/html.ts'
import {
  conventionsOf,
  createFigureWriter,
  createMoneyWriter,
  isLanguage,
  type LanguageCode,
  languageCodes,
  languageOf,
} from '../domain/language.ts'
import { recordOf } from '../domain/narrow.ts'
import { type DecimalMark, decimalMarkOf } from './checkout/amount.ts'
import { catalogues, type WordKey } from './words/catalogues.ts'
import { isolated } from './isolated.ts'

/** A time of the API in a text: for scripts, and as words. */
export type Time = { at: string; words: string }
/** What is inserted into a text, and into one that becomes HTML. */
type Values = Record<string, string | number>
type HtmlValues = Record<string, string | number | Time | null>

function createLanguage(code: LanguageCode) {
  const locale = conventionsOf(code)
  const messages = new Map<WordKey, IntlMessageFormat>()
  function messageOf(key: WordKey): IntlMessageFormat {
    const known = messages.get(key) ?? new IntlMessageFormat(catalogues[code][key], locale)
    messages.set(key, known)
    return known
  }

  /** A text with its insertions. The template escapes it. */
  function say(key: WordKey, values: Values = {}): string {
    const parts = Object.entries(values).map(([name, value]) => [name, isolatedIn(value)])
    return String(messageOf(key).format(Object.fromEntries(parts)))
  }

  /**
   * A text as HTML, with what is strong in it and its times, which the script shows in local time. The other insertions
   * are escaped: they are names that others have chosen.
   */
  function html(key: WordKey, values: HtmlValues = {}): string {
    const safe = Object.entries(values).map(([name, value]) => [name, htmlOf(value)])
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
  const money = createMoneyWriter(code)
  /** A time of the API as text in UTC, for browsers without scripts, which cannot show local time. */
  const moment = (iso: string): string => `${ofMoment.format(new Date(iso))} UTC`
  return {
    code,
    say,
    html,
    money,
    /** An amount with the code of its currency, as currencies share symbols: `₦5,000.00 NGN`. */
    codedMoney: (amount: string, currency: string): string => `${money(amount, currency)}\u00a0${currency}`,
    /** A decimal string with the marks of the language. */
    figure: createFigureWriter(code),
    moment,
    /** A time of the API for `html`. */
    time: (iso: string): Time => ({ at: iso, words: moment(iso) }),
    /** The day of a time of the API, in UTC. */
    day: (iso: string): string => ofDay.format(new Date(iso)),
    currencyName: (currency: string): string => currencies.of(currency) ?? currency,
    countryName: (country: string): string => regions.of(country) ?? country,
    script: scriptWords(say),
  }
}

export type Language = ReturnType<typeof createLanguage>

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

const isolatedIn = (value: string | number) => (typeof value === 'string' ? isolated(value) : value)

const htmlOf = (value: HtmlValues[string]): string =>
  typeof value === 'object' && value !== null
    ? `<time datetime="${escapeHtml(value.at)}">${escapeHtml(value.words)}</time>`
    : escapeHtml(isolated(String(value)))

const languages = recordOf(languageCodes, createLanguage)
export const english = languages.en
export const languageIn = (code: LanguageCode): Language => languages[code]

/** A buyer's language, and the decimal mark with which they write amounts. */
export type Reader = { language: Language; mark: DecimalMark }

/**
 * The reader's language: that of the session if it is one of ours, else the one of ours that the browser prefers.
 * Whoever reads a page with decimal commas may type them, whatever comes first in their browser.
 */
export function readerOf(ctx: Context, locale: string | null): Reader {
  const own = languageOf(locale)
  if (own) return { language: languages[own], mark: decimalMarkOf(own) }
  const asked = ctx.acceptsLanguages([...languageCodes])
  const language = typeof asked === 'string' && isLanguage(asked) ? languages[asked] : english
  const shown = decimalMarkOf(language.code)
  return { language, mark: shown === ',' ? shown : decimalMarkOf(ctx.get('accept-language')) }
}
