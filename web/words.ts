import { isCurrency } from '../domain/currency.ts'
import { format } from '../domain/money.ts'
import type { FieldError } from '../domain/refusal.ts'

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

const readable = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A time of the API as text in UTC, for browsers without scripts, which cannot show local time. */
export const moment = (iso: string): string => `${readable.format(new Date(iso))} UTC`

const readableDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The day of a time of the API, in UTC. */
export const day = (iso: string): string => readableDay.format(new Date(iso))

/** The error of each field of a form, by its name. */
export type InputErrors = Record<string, string>

/** The API's fields, in the order of a page: the form's field for each, and the message if it is wrong. */
const fields: Record<string, [string, string]> = {
  products: ['product', 'Choose one of these.'],
  'products.0': ['product', 'This amount is too high. Enter a smaller one.'],
  'products.0.product_id': ['product', 'Choose one of these.'],
  'products.0.amount': ['amount', 'Enter an amount, such as 25.00.'],
  'customer_details.email': ['email', 'Enter an email address, such as ada@example.com.'],
  'customer_details.name': ['name', 'Enter your name.'],
  payment_method: ['method', 'Choose a payment method.'],
  card: ['number', 'Enter your card details.'],
  'card.number': ['number', 'Check the card number.'],
  'card.exp_month': ['expiry', 'Enter the month and year on the card, such as 09/29.'],
  'card.exp_year': ['expiry', 'This date has passed. Check the date on the card.'],
  'card.cvc': ['cvc', 'Enter the 3 or 4 digits of the security code.'],
  phone_number: ['phone', 'Enter your mobile money number.'],
  provider: ['provider', 'Choose your mobile money provider.'],
  asset: ['asset', 'Choose a coin.'],
  code: ['code', 'Enter the code. It has at least 4 digits.'],
}

/** A page's own names and messages for fields, in place of those above. */
export type OwnFields = Partial<Record<string, { name: string; words: string }>>

/** The errors of a form for people, in the order of the page. The API's own messages are for programs. */
export function wordErrors(errors: FieldError[], own: OwnFields = {}): InputErrors {
  const found: InputErrors = {}
  for (const [field, [name, words]] of Object.entries(fields)) {
    if (!errors.some((error) => error.field === field)) continue
    const place = own[field]
    found[place?.name ?? name] ??= place?.words ?? words
  }
  return found
}

/** How to write an amount of a currency, such as `25.00`. */
const exampleOf = (currency: string): string => (isCurrency(currency) ? format('25', currency) : '25.00')

type Bounds = { currency: string; minimum_amount: string | null; maximum_amount: string | null }

/** The message for an amount: its bounds. If it has none or cannot be read, how to write it. */
export function amountWords({ currency, minimum_amount: low, maximum_amount: high }: Bounds, typed = ''): string {
  const example = exampleOf(currency)
  if (/[.,]/.test(typed) && !/^\d+(\.\d\d?)?$/.test(typed)) {
    return example.includes('.')
      ? `Enter the amount with a point before the cents and nothing else, such as ${example}.`
      : `Enter the amount in figures only, such as ${example}.`
  }
  if (low && high) return `Enter an amount from ${money(low, currency)} to ${money(high, currency)}.`
  if (low) return `Enter ${money(low, currency)} or more.`
  return high ? `Enter up to ${money(high, currency)}.` : `Enter an amount, such as ${example}.`
}

/** Why a payment failed, and what to do about it. */
const failures: Record<string, [string, string]> = {
  card_declined: ['Your bank declined the card.', 'Use another card, or contact your bank.'],
  insufficient_funds: ['There is not enough money on the card or account.', 'Use another one, or pay another way.'],
  expired_card: ['The card has expired.', 'Use another card.'],
  authentication_failed: ['The code was wrong, so the payment was not made.', 'Try again, or pay another way.'],
  customer_timeout: ['The payment was not confirmed in time.', 'Try again when you are ready.'],
  customer_rejected: ['You rejected the payment.', 'Try again, or pay another way.'],
  invalid_account: ['The account is not valid.', 'Check it, or pay another way.'],
  rail_unavailable: ['The payment network could not be reached.', 'Try again in a moment.'],
}

/** Why a payment failed, in a buyer's words. */
export function failure(code: string | null): string {
  const [why, help] = failures[code ?? ''] ?? ['The payment did not go through.', 'Try again, or pay another way.']
  return `${why} You have not been charged. ${help}`
}

const sellerCannotBePaid = 'The seller can’t take payments at the moment. You have not been charged.'

/** The message above a refused form. */
export function problem(code: string, waitSeconds: number | null): string {
  if (code === 'VALIDATION_ERROR') return 'Please correct the following.'
  if (code === 'PAYMENT_METHOD_NOT_ALLOWED') return 'This payment method is not available here. Choose another one.'
  if (code === 'ACCOUNT_NOT_ACTIVATED' || code === 'ACCOUNT_PAYMENT_METHODS_RESTRICTED') return sellerCannotBePaid
  if (code === 'CONFLICT') return 'That’s no longer possible. This is the current state of your payment.'
  if (code === 'TOO_MANY_REQUESTS') return `Too many attempts. Try again in ${duration(waitSeconds ?? 60)}.`
  return 'Something went wrong on our side. Try again in a moment. You won’t be charged twice.'
}

function duration(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  if (seconds >= 60) return 'a minute'
  return seconds === 1 ? 'a second' : `${seconds} seconds`
}
