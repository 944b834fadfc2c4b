import { unsupportedCurrency } from './refusal.ts'

/**
 * The currencies of the service, with the digits of their minor unit (ISO 4217; test/domain/money.test.ts compares them
 * with a stored list), how many units one US dollar buys, for reporting fees in dollars, and the symbol that people
 * write.
 */
const currencies = {
  CAD: { digits: 2, perUsd: '1.37', symbol: 'CA$' },
  EUR: { digits: 2, perUsd: '0.92', symbol: '€' },
  GBP: { digits: 2, perUsd: '0.79', symbol: '£' },
  GHS: { digits: 2, perUsd: '15.2', symbol: 'GH₵' },
  JPY: { digits: 0, perUsd: '150', symbol: '¥' },
  KES: { digits: 2, perUsd: '129', symbol: 'KSh' },
  NGN: { digits: 2, perUsd: '1600', symbol: '₦' },
  RWF: { digits: 0, perUsd: '1330', symbol: 'FRw' },
  TZS: { digits: 2, perUsd: '2650', symbol: 'TSh' },
  UGX: { digits: 0, perUsd: '3700', symbol: 'USh' },
  USD: { digits: 2, perUsd: '1', symbol: '$' },
  XAF: { digits: 0, perUsd: '605', symbol: 'FCFA' },
  XOF: { digits: 0, perUsd: '605', symbol: 'CFA' },
  ZMW: { digits: 2, perUsd: '26.5', symbol: 'ZK' },
} as const

export type Currency = keyof typeof currencies

export const isCurrency = (code: string): code is Currency => Object.hasOwn(currencies, code)

export const currencyCodes = Object.keys(currencies).filter(isCurrency)

/** The currency in a field of a call. Refused if the service does not know it. */
export function knownCurrency(code: string, field = 'currency'): Currency {
  if (isCurrency(code)) return code
  throw unsupportedCurrency(field, currencyCodes)
}

/** Digits after the decimal point at the currency's precision. */
export const digitsOf = (currency: Currency): number => currencies[currency].digits

/** Units of the currency that one US dollar buys, as a decimal string. */
export const perUsd = (currency: Currency): string => currencies[currency].perUsd

/** The symbol of the currency, such as `₦`. Some currencies share one, so it stands beside the code. */
export const symbolOf = (currency: Currency): string => currencies[currency].symbol
