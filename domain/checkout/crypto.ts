import Big from 'big.js'
import { digitsOf } from '../currency.ts'
import { type Amount, amountError, tooManyDecimals } from '../money.ts'
import { invalid } from '../refusal.ts'

/**
 * The digits after the point of each asset, and its network. The key names the coin and the network
 * (docs/contract/checkout.md, "Checkout settings").
 */
const assets = {
  BNB_BEP20: { decimals: 8, network: 'BEP20' },
  ETH_ETH: { decimals: 8, network: 'ETH' },
  SOL_SOL: { decimals: 8, network: 'SOL' },
  USDC_BEP20: { decimals: 6, network: 'BEP20' },
  USDT_BEP20: { decimals: 6, network: 'BEP20' },
  USDT_ERC20: { decimals: 6, network: 'ERC20' },
  USDT_SOL: { decimals: 6, network: 'SOL' },
  USDT_TRC20: { decimals: 6, network: 'TRC20' },
} as const satisfies Record<string, { decimals: number; network: string }>

export type CryptoAsset = keyof typeof assets
export type CryptoNetwork = (typeof assets)[CryptoAsset]['network']

/** Digits after the point of an asset. */
export const assetDigitsOf = (asset: CryptoAsset): number => assets[asset].decimals
export const isAsset = (key: string): key is CryptoAsset => Object.hasOwn(assets, key)
export const assetKeys = Object.keys(assets).filter(isAsset)
export const networkOf = (asset: CryptoAsset): CryptoNetwork => assets[asset].network

/** The amount with all of the asset's decimals. */
export const formatCoins = (coins: Amount, asset: CryptoAsset): Amount =>
  new Big(coins).toFixed(assets[asset].decimals, Big.roundHalfUp)

/** How many coins a sale in dollars costs, rounded up, so that the merchant never gets too little. */
export const coinsFor = (usd: Amount, usdPerCoin: string, asset: CryptoAsset): Amount =>
  new Big(usd).div(usdPerCoin).toFixed(assets[asset].decimals, Big.roundUp)

/** What coins are worth in dollars, rounded down to whole cents, so that nobody is credited with more than arrived. */
export const usdWorthOf = (coins: Amount, usdPerCoin: string): Amount =>
  new Big(coins).times(usdPerCoin).toFixed(digitsOf('USD'), Big.roundDown)

/** Half of the coins, rounded down at the asset's precision. */
export const halfOfCoins = (coins: Amount, asset: CryptoAsset): Amount =>
  new Big(coins).div(2).toFixed(assets[asset].decimals, Big.roundDown)

/** Reads an amount of coins that a caller sent, by the rules of money (`amountError`) at the asset's precision. */
export function parseCoins(text: string, asset: CryptoAsset, field = 'amount'): Amount {
  const error = amountError(text, null, field)
  if (error) throw invalid(error.field, error.message, error.type)
  const { decimals } = assets[asset]
  if ((text.split('.')[1]?.length ?? 0) > decimals) throw invalid(field, tooManyDecimals(asset, decimals))
  return formatCoins(text, asset)
}
