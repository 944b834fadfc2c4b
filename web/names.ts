import type { Static } from 'typebox'
import type { PaidWith } from '../schemas/checkout/paid-with.ts'
import type { Language } from './language.ts'

// The names that buyers see for the API's codes. A code without a name here is shown as it is.

const methods = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  mobile_money: 'Mobile money',
  crypto: 'Crypto',
}
type Method = keyof typeof methods

const providers: Record<string, string> = {
  airtel: 'Airtel Money',
  airteltigo: 'AirtelTigo Money',
  free: 'Free Money',
  halopesa: 'HaloPesa',
  moov: 'Moov Money',
  mpesa: 'M-Pesa',
  mtn: 'MTN MoMo',
  orange: 'Orange Money',
  tigo: 'Tigo Pesa',
  vodacom: 'Vodacom M-Pesa',
  vodafone: 'Vodafone Cash',
  wave: 'Wave',
  zamtel: 'Zamtel Money',
}

const networks: Record<string, string> = {
  BEP20: 'BNB Smart Chain (BEP20)',
  ERC20: 'Ethereum (ERC20)',
  ETH: 'Ethereum',
  SOL: 'Solana',
  TRC20: 'TRON (TRC20)',
}

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  verve: 'Verve',
  visa: 'Visa',
}

export const isMethodType = (type: string): type is Method => Object.hasOwn(methods, type)
export const methodName = (type: string): string => (isMethodType(type) ? methods[type] : type)
export const providerName = (code: string): string => providers[code] ?? code
export const networkName = (code: string): string => networks[code] ?? code
export const coinOf = (asset: string): string => asset.split('_')[0] ?? asset
export const assetName = (asset: string, say: Language['say']): string =>
  say('coin.network', { coin: coinOf(asset), network: networkName(asset.split('_')[1] ?? '') })

/** The name of a card's brand; null for one without a name here. */
export const brandName = (brand: string): string | null => brands[brand] ?? null

/** A card, such as `Visa ••4242`. */
export const cardName = (brand: string, last4: string, other = 'Card'): string => `${brands[brand] ?? other} ••${last4}`

/** The payment method on a receipt, such as `Visa ••4242`. */
export function paidWithName(type: string, paid: Static<typeof PaidWith> | null, say: Language['say']): string {
  if (type === 'card' && paid?.last4) return cardName(paid.brand ?? '', paid.last4, say('method.card'))
  if (type === 'mobile_money' && paid?.provider) return `${providerName(paid.provider)}, ${paid.phone_number ?? ''}`
  if (type === 'crypto' && paid?.asset) return assetName(paid.asset, say)
  return isMethodType(type) ? say(`method.${type}`) : type
}
