import Big from 'big.js'
import { assetKeys, type CryptoAsset } from './checkout/crypto.ts'
import type { Currency } from './currency.ts'
import { digitsOf } from './currency.ts'
import { dayMs } from './duration.ts'
import type { MobileMoneyCurrency } from './checkout/mobile-money.ts'
import { type Amount, add, format, subtract } from './money.ts'

export const methods = ['card', 'bank_transfer', 'mobile_money', 'crypto'] as const
/** The families of `payment_method_options`. */
export type Method = (typeof methods)[number]

/** Whether an account offers a method without a setting of its own (docs/contract/checkout.md, "Corridors"). */
export const isOnByDefault = (method: Method): boolean => method !== 'crypto'

/** A fee is a percentage and a fixed part, both of the sale's amount, and may be capped. Decimal strings. */
type FeeRule = { percent: string; fixed: Amount; cap?: Amount }

type CorridorRow = {
  method: Method
  currency: Currency
  settlementCurrency: Currency
  fee: FeeRule
  /** Days until settled money may be used. */
  availableAfterDays: number
  /** The buyer sends the money, so it may come late, or after the session has ended. */
  push: boolean
}

/** Mobile money settles in the currency of the payment: one row for each currency, which differ only in their fees. */
const mobileMoney = (currency: MobileMoneyCurrency, percent: string, fixed = '0'): CorridorRow => ({
  method: 'mobile_money',
  currency,
  settlementCurrency: currency,
  fee: { percent, fixed },
  availableAfterDays: 0,
  push: true,
})

/** The corridors that have a rail, one row each: a new one is a row here and a rail that serves it. */
const corridors = {
  USD_CARD: {
    method: 'card',
    currency: 'USD',
    settlementCurrency: 'USD',
    fee: { percent: '2.9', fixed: '0.30' },
    availableAfterDays: 2,
    push: false,
  },
  NGN_CARD: {
    method: 'card',
    currency: 'NGN',
    settlementCurrency: 'NGN',
    fee: { percent: '1.5', fixed: '100.00', cap: '2000.00' },
    availableAfterDays: 2,
    push: false,
  },
  NGN_BANK_TRANSFER: {
    method: 'bank_transfer',
    currency: 'NGN',
    settlementCurrency: 'NGN',
    fee: { percent: '1', fixed: '0.00', cap: '300.00' },
    availableAfterDays: 0,
    push: true,
  },
  MOMO_GHS: mobileMoney('GHS', '1.95'),
  MOMO_KES: mobileMoney('KES', '1.5'),
  MOMO_RWF: mobileMoney('RWF', '2.5'),
  MOMO_TZS: mobileMoney('TZS', '2.5'),
  MOMO_UGX: mobileMoney('UGX', '2.5'),
  MOMO_XAF: mobileMoney('XAF', '2.9', '25'),
  MOMO_XOF: mobileMoney('XOF', '2.9', '25'),
  MOMO_ZMW: mobileMoney('ZMW', '2.5', '0.50'),
  // Crypto sales are priced and settled in dollars. The buyer pays in an asset, at the rate of that moment.
  CRYPTO: {
    method: 'crypto',
    currency: 'USD',
    settlementCurrency: 'USD',
    fee: { percent: '1', fixed: '0.00' },
    availableAfterDays: 0,
    push: true,
  },
} as const satisfies Record<string, CorridorRow>

export type Corridor = keyof typeof corridors
export const isCorridor = (key: string): key is Corridor => Object.hasOwn(corridors, key)
export const corridorKeys = Object.keys(corridors).filter(isCorridor)
export const corridorOf = (key: Corridor): CorridorRow => corridors[key]

/** How long after its settlement a payment's money may be used, in milliseconds. */
export const availableAfterMsOf = (key: Corridor): number => corridors[key].availableAfterDays * dayMs

/** Whether the buyer decides how much is sent, so that it may be too little or too much. */
export const isPaidByDeposit = (key: Corridor): boolean =>
  corridors[key].method === 'bank_transfer' || corridors[key].method === 'crypto'

/** Cards report `CARD` on the checkout and their corridor on the payment (docs/contract/checkout.md, "Corridors"). */
export const checkoutMethodOf = (key: Corridor): string => (corridors[key].method === 'card' ? 'CARD' : key)

export type FeePreference = 'customer_pays' | 'org_pays'

/** What the buyer pays, what the account receives and the fee between them, all in the corridor's currency. */
export type Price = { customerPays: Amount; settles: Amount; fee: Amount }

/**
 * The fee of a sale and who bears it: `customer_pays` adds it on top, `org_pays` takes it out of what settles.
 * Always: customerPays = settles + fee. A fee never exceeds an amount that has to bear it.
 */
export function priceOf(amount: Amount, key: Corridor, preference: FeePreference): Price {
  const { currency, fee: rule } = corridorOf(key)
  let fee = new Big(amount).times(rule.percent).div(100).plus(rule.fixed)
  if (rule.cap && fee.gt(rule.cap)) fee = new Big(rule.cap)
  if (preference === 'org_pays' && fee.gt(amount)) fee = new Big(amount)
  return priceWith(amount, fee.toFixed(digitsOf(currency), Big.roundHalfUp), currency, preference)
}

/** The price of a sale whose fee is known. */
export function priceWith(amount: Amount, fee: Amount, currency: Currency, preference: FeePreference): Price {
  return preference === 'customer_pays'
    ? { customerPays: format(add(amount, fee), currency), settles: format(amount, currency), fee }
    : { customerPays: format(amount, currency), settles: format(subtract(amount, fee), currency), fee }
}

/** `payment_method_options`: a method left out is not offered, one with no currencies is offered in all of them. */
export type MethodOptions = Partial<Record<Method, { currencies?: string[] }>>

/** The corridors that a restriction lets through. It only narrows. */
export const offeredCorridors = (options: MethodOptions | null): Corridor[] =>
  corridorKeys.filter((key) => allows(options, key))

/** The corridors that can save a card for later. */
export const cardCorridors: readonly Corridor[] = corridorKeys.filter((key) => corridors[key].method === 'card')

/** The part of a session that decides which corridors it offers. */
export type Offering = {
  currency: Currency
  billingCurrency: Currency | null
  methodOptions: MethodOptions | null
  setup: boolean
}

/** The corridors that a session offers: the chosen currency's first, then its own, then those that need a rate. */
export function corridorsFor({ currency, billingCurrency, methodOptions, setup }: Offering): Corridor[] {
  const first = [billingCurrency, currency]
  const rank = ({ currency: of }: CorridorRow) => (first.includes(of) ? first.indexOf(of) : first.length)
  const offered = offeredCorridors(methodOptions).filter((key) => !setup || cardCorridors.includes(key))
  return offered.toSorted((one, other) => rank(corridors[one]) - rank(corridors[other]))
}

/** The assets that a restriction lets a buyer pay in; only `CRYPTO` takes any. */
export function offeredAssets(options: MethodOptions | null): CryptoAsset[] {
  if (options && !options.crypto) return []
  const named = options?.crypto?.currencies ?? []
  return assetKeys.filter((asset) => named.length === 0 || named.includes(asset))
}

/** Whether a restriction lets this corridor through. */
function allows(options: MethodOptions | null, key: Corridor): boolean {
  const { method, currency } = corridorOf(key)
  if (method === 'crypto') return offeredAssets(options).length > 0
  if (!options) return true
  const named = options[method]
  return named !== undefined && (!named.currencies?.length || named.currencies.includes(currency))
}
