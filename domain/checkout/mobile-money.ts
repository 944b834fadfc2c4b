import type { Currency } from '../currency.ts'

/** Wallets of mobile money: their countries by the calling codes, without the plus, and their providers. */
export type Wallets = { callingCodes: readonly string[]; providers: readonly string[] }

/** Where mobile money is taken, by currency: the countries by their calling codes, and the wallets' providers. */
const networks = {
  GHS: { callingCodes: ['233'], providers: ['mtn', 'vodafone', 'airteltigo'] },
  KES: { callingCodes: ['254'], providers: ['mpesa', 'airtel'] },
  RWF: { callingCodes: ['250'], providers: ['mtn', 'airtel'] },
  TZS: { callingCodes: ['255'], providers: ['vodacom', 'tigo', 'airtel', 'halopesa'] },
  UGX: { callingCodes: ['256'], providers: ['mtn', 'airtel'] },
  XAF: { callingCodes: ['235', '236', '237', '240', '241', '242'], providers: ['mtn', 'orange', 'airtel', 'moov'] },
  XOF: {
    callingCodes: ['221', '223', '225', '226', '227', '228', '229', '245'],
    providers: ['orange', 'mtn', 'moov', 'wave', 'free'],
  },
  ZMW: { callingCodes: ['260'], providers: ['mtn', 'airtel', 'zamtel'] },
} as const satisfies Partial<Record<Currency, Wallets>>

export type MobileMoneyCurrency = keyof typeof networks

const hasMobileMoney = (currency: Currency): currency is MobileMoneyCurrency => Object.hasOwn(networks, currency)

const noWallets: Wallets = { callingCodes: [], providers: [] }

/** The wallets that hold a currency; none where it has no mobile money. A rail may charge fewer of them. */
export const walletsIn = (currency: Currency): Wallets => (hasMobileMoney(currency) ? networks[currency] : noWallets)

/** The wallet providers of a currency; none where it has no mobile money. */
export const providersOf = (currency: Currency): readonly string[] => walletsIn(currency).providers

/** The calling codes, without the plus, of the countries whose wallets hold a currency. */
export const callingCodesOf = (currency: Currency): readonly string[] => walletsIn(currency).callingCodes

/** Whether a number in the form of E.164 belongs to a country of these wallets. */
export const isNumberOf = ({ callingCodes }: Pick<Wallets, 'callingCodes'>, number: string): boolean =>
  callingCodes.some((code) => number.startsWith(`+${code}`))

/** Whether a number in the form of E.164 belongs to a country whose wallets hold the currency. */
export const isNumberIn = (currency: Currency, number: string): boolean => isNumberOf(walletsIn(currency), number)

/** What may be shown of a number: its country and its last three digits. */
export const maskNumber = (number: string): string =>
  number.slice(0, 4) + '*'.repeat(Math.max(0, number.length - 7)) + number.slice(-3)
