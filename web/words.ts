import { isCurrency } from '../domain/currency.ts'
import { format } from '../domain/money.ts'
import { english, type Time } from './language.ts'
import { amountWords as wordAmount, problemWithoutCharge } from './problems.ts'

// The words of the pages in English only. They write amounts with the code of the currency.

/** An amount for people: `NGN 5,000.00`, with a space that does not break. */
export function money(amount: string, currency: string): string {
  const exact = isCurrency(currency) ? format(amount, currency) : amount
  return `${currency}\u00a0${figure(exact)}`
}

/** A decimal string with commas between thousands. */
export function figure(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${grouped}.${fraction}` : grouped
}

/** A code of the API as words, such as `late money`. */
export const plainWord = (code: string): string => code.replaceAll('_', ' ')

const readable = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A time of the API as text in UTC, for browsers without scripts, which cannot show local time. */
export const moment = (iso: string): string => `${readable.format(new Date(iso))} UTC`

/** A time of the API with its text, as the pages show it; null where there is none. */
export const timeOf = (at: string | null): Time | null => (at === null ? null : { at, words: moment(at) })

const readableDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The day of a time of the API, in UTC. */
export const day = (iso: string): string => readableDay.format(new Date(iso))

type Bounds = Parameters<typeof wordAmount>[1]

/** The message for an amount: its bounds. If it has none or cannot be read, how to write it. */
export const amountWords = (bounds: Bounds, typed = ''): string => wordAmount({ ...english, money }, bounds, typed)

/** The message above a refused form. Nobody pays on the pages that are in English only. */
export const problem = (code: string, waitSeconds: number | null): string =>
  problemWithoutCharge(english, code, waitSeconds)
