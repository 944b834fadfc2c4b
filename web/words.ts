import { isCurrency } from '../domain/currency.ts'
import { format } from '../domain/money.ts'
import type { FieldFault } from '../domain/refusal.ts'

/** An amount as it is read: `NGN 5,000.00`, with a space that does not break. */
export function money(amount: string, currency: string): string {
  const exact = isCurrency(currency) ? format(amount, currency) : amount
  const [whole = '', fraction] = exact.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${currency}\u00a0${fraction ? `${grouped}.${fraction}` : grouped}`
}

const readable = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A time of the API as it is read without a script, which knows no time zone but UTC. */
export const moment = (iso: string): string => `${readable.format(new Date(iso))} UTC`

/** Inputs of the forms by name. */
export type InputName = 'email' | 'name' | 'number' | 'expiry' | 'cvc' | 'code' | 'phone' | 'product_amount'
export type Faults = Partial<Record<InputName, string>>

/** The API's fields, the input where each is typed and what the buyer reads when it is wrong. */
const fields: Record<string, [InputName, string]> = {
  'customer_details.email': ['email', 'Enter an email address, such as ada@example.com.'],
  'customer_details.name': ['name', 'Enter your name.'],
  card: ['number', 'Enter the details of your card.'],
  'card.number': ['number', 'This is not a card number. Please check the digits.'],
  'card.exp_month': ['expiry', 'Enter the month and year on the card, such as 09/29.'],
  'card.exp_year': ['expiry', 'This date has passed. Please check the date on the card.'],
  'card.cvc': ['cvc', 'Enter the 3 or 4 digits of the security code.'],
  phone_number: ['phone', 'Enter the number of your wallet with its country code, such as +254700000001.'],
  'products.0.amount': ['product_amount', 'Enter an amount that this product may cost.'],
  code: ['code', 'Enter the code that your bank has sent you.'],
}

/** What is wrong with each input, the first word for each; the API's own messages are for programs. */
export function toFaults(faults: FieldFault[]): Faults {
  const found: Faults = {}
  for (const { field } of faults) {
    const [input, words] = fields[field] ?? []
    if (input && words) found[input] ??= words
  }
  return found
}

const failures: Record<string, string> = {
  card_declined: 'Your bank declined the card. You have not been charged. Try another card, or ask your bank.',
  insufficient_funds: 'There is not enough money on the card or account. You have not been charged.',
  expired_card: 'The card has expired. You have not been charged. Please use another card.',
  authentication_failed: 'The code was not right, so the payment was not made. You have not been charged.',
  customer_timeout: 'The payment was not confirmed in time. You have not been charged.',
  customer_rejected: 'The payment was rejected on your side. You have not been charged.',
  invalid_account: 'The account is not valid. You have not been charged.',
  rail_unavailable: 'The payment network could not be reached. You have not been charged. Please try again.',
}

/** Why a payment failed, in a buyer's words. */
export const failure = (code: string | null): string =>
  failures[code ?? ''] ?? 'The payment did not go through. You have not been charged.'

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
