import { isCurrency } from '../domain/currency.ts'
import { format } from '../domain/money.ts'
import type { FieldFault } from '../domain/refusal.ts'

/** An amount as it is read: `NGN 5,000.00`, with a space that does not break. */
export function money(amount: string, currency: string): string {
  const exact = isCurrency(currency) ? format(amount, currency) : amount
  return `${currency}\u00a0${figure(exact)}`
}

/** A decimal string with its thousands apart. */
export function figure(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${grouped}.${fraction}` : grouped
}

const readable = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A time of the API as it is read without a script, which knows no time zone but UTC. */
export const moment = (iso: string): string => `${readable.format(new Date(iso))} UTC`

/** What is wrong with the fields of a form, by their names. */
export type Faults = Record<string, string>

/** The API's fields, where each is typed and what the buyer reads when it is wrong, from the top of a page down. */
const fields: Record<string, [string, string]> = {
  products: ['product', 'Choose one of these.'],
  'products.0': ['product', 'This cannot be bought for so much. Please enter a smaller amount.'],
  'products.0.product_id': ['product', 'Choose one of these.'],
  'products.0.amount': ['amount', 'Enter an amount within these limits, in figures, such as 25.00.'],
  'customer_details.email': ['email', 'Enter an email address, such as ada@example.com.'],
  'customer_details.name': ['name', 'Enter your name.'],
  payment_method: ['method', 'Choose how you would like to pay.'],
  card: ['number', 'Enter the details of your card.'],
  'card.number': ['number', 'This is not a card number. Please check the digits.'],
  'card.exp_month': ['expiry', 'Enter the month and year on the card, such as 09/29.'],
  'card.exp_year': ['expiry', 'This date has passed. Please check the date on the card.'],
  'card.cvc': ['cvc', 'Enter the 3 or 4 digits of the security code.'],
  phone_number: ['phone', 'Enter the number of your wallet with its country code, such as +254700000001.'],
  provider: ['provider', 'Choose the provider of your wallet.'],
  asset: ['asset', 'Choose what you would like to pay in.'],
  code: ['code', 'Enter the code that you were given. It has at least 4 digits.'],
}

/** What is wrong with each field, in the order of the page; the API's own messages are for programs. */
export function toFaults(faults: FieldFault[], amountField = 'amount'): Faults {
  const found: Faults = {}
  for (const [field, [name, words]] of Object.entries(fields)) {
    if (faults.some((fault) => fault.field === field)) found[name === 'amount' ? amountField : name] ??= words
  }
  return found
}

/** Why a payment failed, and what to do about it. */
const failures: Record<string, [string, string]> = {
  card_declined: ['Your bank declined the card.', 'Use another card, or ask your bank.'],
  insufficient_funds: ['There is not enough money on the card or account.', 'Use another one, or pay another way.'],
  expired_card: ['The card has expired.', 'Use another card.'],
  authentication_failed: ['The code was not right, so the payment was not made.', 'Try again, or pay another way.'],
  customer_timeout: ['The payment was not confirmed in time.', 'Try again when you are ready.'],
  customer_rejected: ['The payment was rejected on your side.', 'Try again, or pay another way.'],
  invalid_account: ['The account is not valid.', 'Check it, or pay another way.'],
  rail_unavailable: ['The payment network could not be reached.', 'Try again in a moment.'],
}

/** Why a payment failed, in a buyer's words. */
export function failure(code: string | null): string {
  const [why, help] = failures[code ?? ''] ?? ['The payment did not go through.', 'Try again, or pay another way.']
  return `${why} You have not been charged. ${help}`
}

/** What is told next to a form when it is not one of its inputs that is wrong. */
export function problem(code: string, waitSeconds: number | null): string {
  if (code === 'VALIDATION_ERROR') return 'Please correct what is marked below.'
  if (code === 'PAYMENT_METHOD_NOT_ALLOWED') return 'This way to pay is not offered here. Please choose another one.'
  if (code === 'CONFLICT') return 'That was not possible any more. This is how your payment stands now.'
  if (code === 'TOO_MANY_REQUESTS')
    return `Too many tries in a short time. Please wait ${seconds(waitSeconds ?? 60)} and try again.`
  return 'We could not do that just now. Please try again in a moment; you will not be charged twice.'
}

const seconds = (count: number): string => (count === 1 ? 'a second' : `${count} seconds`)
