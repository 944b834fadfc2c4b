import { IntlMessageFormat } from 'intl-messageformat'
import {
  conventionsOf,
  createMoneyWriter,
  type LanguageCode,
  languageCodes,
  languageOf,
} from '../../domain/language.ts'
import { recordOf } from '../../domain/narrow.ts'
import { en } from './words/en.ts'
import { fr } from './words/fr.ts'
import { pt } from './words/pt.ts'
import { sw } from './words/sw.ts'

export type MailKey = keyof typeof en

/** What mails to customers say in each language. */
export const mailWords: Record<LanguageCode, Record<MailKey, string>> = { en, fr, sw, pt }

function createMailLanguage(code: LanguageCode) {
  const locale = conventionsOf(code)
  const money = createMoneyWriter(code)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    code,
    /** A text with its insertions, as plain text. */
    say: (key: MailKey, values: Record<string, string | number> = {}): string =>
      String(new IntlMessageFormat(mailWords[code][key], locale).format(values)),
    /** An amount with its symbol, and the code beside it, as currencies share symbols: `₦5,000.00 NGN`. */
    money: (amount: string, currency: string): string => `${money(amount, currency)}\u00a0${currency}`,
    /** A day in words, in UTC: nobody mistakes the month for the day. */
    day: (moment: Date): string => days.format(moment),
  }
}

export type MailLanguage = ReturnType<typeof createMailLanguage>

const languages = recordOf(languageCodes, createMailLanguage)

/** The language of a mail to a customer: that of this locale if it is one of ours, else English. */
export const mailLanguageOf = (locale: string | null): MailLanguage => languages[languageOf(locale) ?? 'en']
