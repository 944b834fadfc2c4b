import { providersOf } from '../../domain/checkout/mobile-money.ts'
import { isCurrency } from '../../domain/currency.ts'
import { isOneOf, recordOf } from '../../domain/narrow.ts'
import { banksOf } from '../../domain/payout/bank.ts'
import {
  type DestinationStatus,
  type DestinationType,
  destinationTypes,
  schemes,
} from '../../domain/payout/destination.ts'
import { paidOutByType, type RoutingField } from '../../domain/payout/routing.ts'
import type { Refused } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { typedText } from '../form.ts'
import { english } from '../language.ts'
import { assetName, providerName } from '../names.ts'
import { saidOf, saidOfField } from './api-words.ts'
import { refusedForm } from './board-form.ts'
import type { ShownDestination } from './payout-words.ts'

// What each kind of destination asks for.

export const destinationStatusNames: Record<DestinationStatus, string> = {
  pending_review: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
}

export const destinationTypeNames: Record<DestinationType, string> = {
  bank_account: 'Bank account',
  mobile_money: 'Mobile money',
  crypto_wallet: 'Wallet',
}

/** How a destination stands. */
export const stateOfDestination = ({ status, deactivated_at: removed }: ShownDestination) => ({
  words: removed === null ? destinationStatusNames[status] : 'Removed',
  isLate: status === 'rejected' && removed === null,
  isActive: status === 'approved' && removed === null,
})

/** A type with its currency: together they say what has to be given. */
export type Kind = { type: DestinationType; currency: string }

export const kindKey = ({ type, currency }: Kind): string => `${type}.${currency}`

const nameOfKind = ({ type, currency }: Kind): string =>
  type === 'crypto_wallet'
    ? `Wallet: ${assetName(currency, english.say)}`
    : `${destinationTypeNames[type]}: ${english.currencyName(currency)} (${currency})`

const kinds = destinationTypes.flatMap((type) => paidOutByType[type].map((currency): Kind => ({ type, currency })))

/** Every kind of destination, for a choice. */
export const kindOptions = kinds.map((kind) => ({ code: kindKey(kind), name: nameOfKind(kind) }))

/** The kind with this key; null if there is none. */
export const kindOf = (key: string): (Kind & { name: string }) | null => {
  const kind = kinds.find((each) => kindKey(each) === key)
  return kind ? { ...kind, name: nameOfKind(kind) } : null
}

type Option = { code: string; name: string }

/** An input of the form. With options it is a choice. */
export type FormField = {
  name: RoutingField
  label: string
  maxlength: number
  hint?: string
  isOptional?: boolean
  options?: Option[]
}

const holder: FormField = { name: 'account_name', label: 'Account holder', maxlength: 255, isOptional: true }
const bankName: FormField = { name: 'bank_name', label: 'Name of the bank', maxlength: 255, isOptional: true }
const account = (hint: string, label = 'Account number'): FormField => ({
  name: 'account_number',
  label,
  hint,
  maxlength: 50,
})
const code = (label: string, hint: string): FormField => ({ name: 'bank_code', label, hint, maxlength: 20 })
const choice = (name: RoutingField, label: string, options: Option[]): FormField => ({
  name,
  label,
  maxlength: 50,
  options: [{ code: '', name: 'Choose…' }, ...options],
})

const schemeNames = { ach: 'ACH: one to three days', wire: 'Wire: within a day', eft: 'EFT: one to two days' }
const schemeOf = (currency: keyof typeof schemes): FormField =>
  choice(
    'scheme',
    'How the bank is paid',
    schemes[currency].map((each) => ({ code: each, name: schemeNames[each] })),
  )

/** The banks that are paid by codes of their own country, which are typed. */
const byCode: Record<string, FormField[]> = {
  GBP: [code('Sort code', 'Six digits, such as 60-16-13.'), account('Eight digits.'), bankName],
  USD: [code('Routing number (ABA)', 'Nine digits.'), account('4 to 17 digits.'), schemeOf('USD'), bankName],
  CAD: [
    code('Transit and institution number', 'Such as 12345-678.'),
    account('5 to 12 digits.'),
    schemeOf('CAD'),
    bankName,
  ],
  EUR: [account('Of a SEPA country.', 'IBAN'), { ...code('BIC', 'Not needed.'), isOptional: true }, bankName],
}

function bankFields(currency: string): FormField[] {
  const known = byCode[currency]
  if (known) return [...known, holder]
  const banks = choice('bank_code', 'Bank', isCurrency(currency) ? banksOf(currency) : [])
  return [banks, account(currency === 'NGN' ? 'Ten digits.' : 'Digits only.'), holder]
}

/** The inputs for a kind of destination, in the order of a form. */
export function fieldsOfKind({ type, currency }: Kind): FormField[] {
  if (type === 'bank_account') return bankFields(currency)
  if (type === 'crypto_wallet')
    return [
      {
        name: 'wallet_address',
        label: 'Address of the wallet',
        maxlength: 255,
        hint: `${assetName(currency, english.say)}. Coins that are sent to a wrong address or network are lost.`,
      },
    ]
  const providers = isCurrency(currency) ? providersOf(currency) : []
  return [
    {
      name: 'phone_number',
      label: 'Phone number',
      maxlength: 20,
      hint: 'With the country code, such as +254712345678.',
    },
    choice(
      'mobile_provider',
      'Provider',
      providers.map((each) => ({ code: each, name: providerName(each) })),
    ),
  ]
}

/** What was typed: the name, and the inputs of the kind. */
export type TypedDestination = Record<string, string>

export const typedIn = (form: URLSearchParams, fields: readonly FormField[]): TypedDestination =>
  recordOf(['name', ...fields.map(({ name }) => name)], (name) => typedText(form, name))

/** The value of an input, as a person reads it. */
export const wordsOfField = ({ options }: FormField, value: string): string =>
  options?.find((option) => option.code !== '' && option.code === value)?.name ?? value

/** Whether the bank tells who holds an account of this kind. */
export const isResolved = ({ type, currency }: Kind): boolean => type === 'bank_account' && currency === 'NGN'

/** Why the API has refused a destination, for people: at each input in what the API says. */
export const wordDestination = (refused: Refused, fields: readonly FormField[]): FormResult =>
  refusedForm(
    refused,
    {
      name: 'Enter a name of at most 255 characters.',
      ...Object.fromEntries(fields.map(({ name, label }) => [name, saidOfField(refused, name, `“${label}”`)])),
    },
    { ACCOUNT_NOT_ACTIVATED: saidOf(refused), CAPABILITY_NOT_ACTIVE: saidOf(refused) },
  )

/** Whether a change of this field sends a destination back to a review. */
export const isReviewed = (field: string): boolean =>
  isOneOf(['account_number', 'bank_code', 'phone_number', 'wallet_address'] as const, field)
