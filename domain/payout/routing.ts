import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools'
import { bankNamed, isNigerianAccount, isTenDigits } from './bank.ts'
import { type CryptoAsset, networkOf } from '../checkout/crypto.ts'
import { type Currency, currencyCodes } from '../currency.ts'
import { isNumberIn, providersOf } from '../checkout/mobile-money.ts'
import {
  type DestinationType,
  destinationTypes,
  type PayoutCurrency,
  schemes,
  type Stablecoin,
  stablecoins,
} from './destination.ts'
import { type FieldError, mustBeOneOf } from '../refusal.ts'
import type { Environment } from '../access/scope.ts'
import { readAddress } from './wallet-address.ts'
import { recordOf } from '../narrow.ts'

export const routingFields = [
  'account_number',
  'account_name',
  'bank_code',
  'bank_name',
  'scheme',
  'phone_number',
  'mobile_provider',
  'wallet_address',
  'network',
] as const
export type RoutingField = (typeof routingFields)[number]

/** Where money goes, with the field names of the API; fields that do not belong to the type are null. */
export type Routing = { type: DestinationType; currency: PayoutCurrency } & Record<RoutingField, string | null>

type Context = { routing: Routing; environment: Environment }

/** The rule of one field: what it must be, and a reader that returns the stored form, or null for a wrong value. */
type Rule = {
  says: string
  optional?: boolean
  /** Whether it takes one of a few values. */
  isEnum?: boolean
  read(value: string, context: Context): string | null
}
type Rules = Partial<Record<RoutingField, Rule>>

const matching = (pattern: RegExp, says: string): Rule => ({ says, read: (text) => (pattern.test(text) ? text : null) })
const digits = (least: number, most: number) =>
  matching(new RegExp(`^\\d{${least},${most}}$`), `must have ${least === most ? least : `${least} to ${most}`} digits`)
const oneOf = (values: readonly string[]): Rule => ({
  says: mustBeOneOf(values),
  isEnum: true,
  read: (text) => (values.includes(text) ? text : null),
})
const label: Rule = { says: '', optional: true, read: (text) => text }
const labels = { account_name: label, bank_name: label }

const listedBank: Rule = {
  says: 'is not a bank of this currency: GET /v1/reference/banks lists them',
  read: (code, { routing }) => (bankNamed(routing.currency, code) === null ? null : code),
}

/**
 * The sandbox accepts any ten digits, so that their last four can choose the outcome (docs/contract/payout.md, "Payout
 * destinations").
 */
const nuban: Rule = {
  says: 'must be an account number of this bank: ten digits, at most banks with a check digit at the end',
  read(number, { routing, environment }) {
    const isRight = environment === 'sandbox' ? isTenDigits(number) : isNigerianAccount(routing.bank_code ?? '', number)
    return isRight ? number : null
  },
}

const sortCode: Rule = {
  says: 'must be a six-digit sort code',
  read: (text) => (/^(\d{6}|\d\d-\d\d-\d\d)$/.test(text) ? text.replaceAll('-', '') : null),
}

/** American Bankers Association: nine digits, the first two from the ranges in use, weighted 3, 7, 1. */
const routingNumber: Rule = {
  says: 'must be an ABA routing number',
  read(text) {
    if (!/^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(text)) return null
    const sum = [...text].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
    return sum > 0 && sum % 10 === 0 ? text : null
  },
}

/** Payments Canada: on paper transit-institution (12345-678), electronically 067812345. Kept as the latter. */
const transitNumber: Rule = {
  says: 'must be a transit and institution number, such as 12345-678 or 067812345',
  read(text) {
    if (/^0\d{8}$/.test(text)) return text
    const [, transit, institution] = /^(\d{5})-(\d{3})$/.exec(text) ?? []
    return transit && institution ? `0${institution}${transit}` : null
  },
}

const iban: Rule = {
  says: 'must be an IBAN of a country that euros are paid out to (SEPA)',
  read(text) {
    const electronic = electronicFormatIBAN(text)
    return electronic && isValidIBAN(electronic) && isSEPACountry(electronic.slice(0, 2)) ? electronic : null
  },
}
const bic: Rule = { says: 'must be a BIC', optional: true, read: (text) => (isValidBIC(text) ? text : null) }

const bankRails: Record<string, Rules> = {
  NGN: { ...labels, bank_code: listedBank, account_number: nuban },
  GHS: { ...labels, bank_code: listedBank, account_number: digits(10, 16) },
  KES: { ...labels, bank_code: listedBank, account_number: digits(6, 16) },
  TZS: { ...labels, bank_code: listedBank, account_number: digits(8, 16) },
  UGX: { ...labels, bank_code: listedBank, account_number: digits(8, 16) },
  GBP: { ...labels, bank_code: sortCode, account_number: digits(8, 8) },
  USD: { ...labels, bank_code: routingNumber, account_number: digits(4, 17), scheme: oneOf(schemes.USD) },
  CAD: { ...labels, bank_code: transitNumber, account_number: digits(5, 12), scheme: oneOf(schemes.CAD) },
  EUR: { ...labels, bank_code: bic, account_number: iban },
}

const mobileMoney = (currency: Currency): Rules => ({
  phone_number: {
    says: `must be a number of a country with wallets in ${currency}, in the form of E.164`,
    read: (number) => (/^\+[1-9]\d{6,14}$/.test(number) && isNumberIn(currency, number) ? number : null),
  },
  mobile_provider: oneOf(providersOf(currency)),
})
const mobileRails: Record<string, Rules> = {
  GHS: mobileMoney('GHS'),
  KES: mobileMoney('KES'),
  TZS: mobileMoney('TZS'),
}

const wallet = (asset: CryptoAsset): Rules => ({
  wallet_address: {
    says: `must be an address on ${networkOf(asset)}`,
    read: (address) => readAddress(networkOf(asset), address),
  },
  network: oneOf([networkOf(asset)]),
})
const walletRails: Record<string, Rules> = Object.fromEntries(stablecoins.map((asset) => [asset, wallet(asset)]))

/** The rails that money is paid out on, by type and currency (docs/contract/payout.md, "Payout destinations"). */
const rails: Record<DestinationType, Record<string, Rules>> = {
  bank_account: bankRails,
  mobile_money: mobileRails,
  crypto_wallet: walletRails,
}

/** The currencies that each type of destination can be paid in. */
export const paidOutByType = Object.fromEntries(
  destinationTypes.map((type) => [type, Object.keys(rails[type])]),
) as Record<DestinationType, string[]>

/** Everything that some rail pays out. */
export const payoutCurrencies = [...new Set(Object.values(rails).flatMap(Object.keys))].toSorted() as PayoutCurrency[]
export const isPayoutCurrency = (currency: string): currency is PayoutCurrency =>
  (payoutCurrencies as string[]).includes(currency)

/** The currencies of balances that a rail pays out: only balances in these can have a schedule. */
export const paidOutCurrencies: readonly Currency[] = currencyCodes.filter(isPayoutCurrency)

/**
 * Whether a currency is a stablecoin. Its destination is always a wallet; for other currencies the type has to be
 * given.
 */
export const isStablecoin = (currency: string): currency is Stablecoin => Object.hasOwn(walletRails, currency)

const rulesOf = (type: DestinationType, currency: string): Rules | null => {
  const byCurrency = rails[type]
  return Object.hasOwn(byCurrency, currency) ? (byCurrency[currency] ?? null) : null
}

export type StatedRouting = { type: DestinationType; currency: PayoutCurrency } & Partial<Record<RoutingField, string>>

/**
 * Reads a statement of where money goes. Fields left out are taken from the statement before, as far as they belong to
 * the rail. Returns the routing in its stored form, and all field errors.
 */
export function readRouting(stated: StatedRouting, before: Routing | null, environment: Environment) {
  const { type, currency } = stated
  const rules = rulesOf(type, currency)
  const known = {
    ...before,
    bank_name: sentBankName(before),
    network: isStablecoin(currency) ? networkOf(currency) : null,
  }
  const pick = (field: RoutingField) => stated[field] ?? (rules?.[field] ? (known[field] ?? null) : null)
  const routing = { type, currency, ...recordOf(routingFields, pick) }
  if (!rules) return { routing, errors: [noRail(type)] }
  const context = { routing, environment }
  const errors = routingFields.flatMap((field) => errorIn(field, rules[field], context) ?? [])
  const read = (field: RoutingField) => {
    const value = routing[field]
    return value === null ? null : (rules[field]?.read(value, context) ?? null)
  }
  const kept = { type, currency, ...recordOf(routingFields, read) }
  const listed = kept.bank_code === null ? null : bankNamed(currency, kept.bank_code)
  return { routing: { ...kept, bank_name: listed ?? kept.bank_name }, errors }
}

/** The bank's name as the merchant has sent it. A name from our list is of that bank alone, and is looked up again. */
function sentBankName(before: Routing | null): string | null {
  if (!before) return null
  const { currency, bank_code: code, bank_name: name } = before
  return code !== null && name === bankNamed(currency, code) ? null : name
}

function errorIn(field: RoutingField, rule: Rule | undefined, context: Context): FieldError | null {
  const { type, currency, [field]: value } = context.routing
  const error = (message: string, errorType: string) => ({ field, message, type: errorType })
  if (!rule) return value === null || field in labels ? null : error(`is not for ${type} in ${currency}`, 'value_error')
  if (value === null) return rule.optional ? null : error('is required', 'value_error.missing')
  if (rule.read(value, context) !== null) return null
  return error(rule.says, rule.isEnum ? 'value_error.enum' : 'value_error.format')
}

const noRail = (type: DestinationType): FieldError => ({
  field: 'currency',
  message: `${type} is paid out in ${Object.keys(rails[type]).join(', ')}`,
  type: 'value_error',
})

/** The fields whose change needs a new review (docs/contract/payout.md, "Changing a destination"). */
const reviewed = [
  'type',
  'currency',
  'account_number',
  'bank_code',
  'wallet_address',
  'network',
  'phone_number',
] as const

export const isRerouted = (before: Routing, after: Routing): boolean =>
  reviewed.some((field) => before[field] !== after[field])

/**
 * Further fields that a rail receives. Their change needs no review, but the fee may depend on it, or the name that the
 * bank reads.
 */
const furtherFields = ['scheme', 'account_name', 'mobile_provider'] as const

/**
 * Whether a payout that was accepted earlier would now go elsewhere, or in another way (docs/contract/payout.md,
 * "Transitions").
 */
export const isRoutingRestated = (before: Routing, after: Routing): boolean =>
  isRerouted(before, after) || furtherFields.some((field) => before[field] !== after[field])

/** Whether anything differs of what a reviewer is shown of a routing, also what no rail receives. */
export const isStatedAnew = (before: Routing, after: Routing): boolean =>
  (['type', 'currency', ...routingFields] as const).some((field) => before[field] !== after[field])

/** The account number, phone number or wallet address, by which the sandbox chooses an outcome. */
export const accountIdentifierOf = ({ account_number, phone_number, wallet_address }: Routing): string =>
  account_number ?? phone_number ?? wallet_address ?? ''
