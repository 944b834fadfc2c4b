/**
 * The currencies of the service, with the digits of their minor unit (ISO 4217; test/domain/money.test.ts compares them
 * with a stored list) and how many units one US dollar buys, for reporting fees in dollars.
 */
const currencies = {
  CAD: { digits: 2, perUsd: '1.37' },
  EUR: { digits: 2, perUsd: '0.92' },
  GBP: { digits: 2, perUsd: '0.79' },
  GHS: { digits: 2, perUsd: '15.2' },
  JPY: { digits: 0, perUsd: '150' },
  KES: { digits: 2, perUsd: '129' },
  NGN: { digits: 2, perUsd: '1600' },
  RWF: { digits: 0, perUsd: '1330' },
  TZS: { digits: 2, perUsd: '2650' },
  UGX: { digits: 0, perUsd: '3700' },
  USD: { digits: 2, perUsd: '1' },
  XAF: { digits: 0, perUsd: '605' },
  XOF: { digits: 0, perUsd: '605' },
  ZMW: { digits: 2, perUsd: '26.5' },
} as const

export type Currency = keyof typeof currencies

export const isCurrency = (code: string): code is Currency => Object.hasOwn(currencies, code)

export const currencyCodes = Object.keys(currencies).filter(isCurrency)

/** Digits after the decimal point at the currency's precision. */
export const digitsOf = (currency: Currency): number => currencies[currency].digits

/** Units of the currency that one US dollar buys, as a decimal string. */
export const perUsd = (currency: Currency): string => currencies[currency].perUsd
