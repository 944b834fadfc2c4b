import Big from 'big.js'
import { digitsOf } from '../currency.ts'
import { type Amount, amountFault, tooFine } from '../money.ts'
import { invalid } from '../refusal.ts'

/**
 * Digits after the point of each asset, whose key names the coin and its network (docs/contract/checkout.md, "Checkout
 * settings").
 */
const assets = {
  BNB_BEP20: 8,
  ETH_ETH: 8,
  SOL_SOL: 8,
  USDC_BEP20: 6,
  USDT_BEP20: 6,
  USDT_ERC20: 6,
  USDT_SOL: 6,
  USDT_TRC20: 6,
} as const

export type CryptoAsset = keyof typeof assets
export type CryptoNetwork = 'BEP20' | 'ETH' | 'SOL' | 'ERC20' | 'TRC20'

export const assetKeys = Object.keys(assets) as CryptoAsset[]
/** Digits after the point of an asset. */
export const assetDigitsOf = (asset: CryptoAsset): number => assets[asset]
export const isAsset = (key: string): key is CryptoAsset => Object.hasOwn(assets, key)
export const networkOf = (asset: CryptoAsset): CryptoNetwork => asset.split('_')[1] as CryptoNetwork

/** The amount with all of the asset's decimals. */
export const formatCoins = (coins: Amount, asset: CryptoAsset): Amount =>
  new Big(coins).toFixed(assets[asset], Big.roundHalfUp)

/** How many coins a sale in dollars costs: rounded up, so that a merchant is never short by what rounding takes. */
export const coinsFor = (usd: Amount, usdPerCoin: string, asset: CryptoAsset): Amount =>
  new Big(usd).div(usdPerCoin).toFixed(assets[asset], Big.roundUp)

/** What coins are worth in dollars: whole cents, rounded down, so that nobody is credited with more than came. */
export const worthOf = (coins: Amount, usdPerCoin: string): Amount =>
  new Big(coins).times(usdPerCoin).toFixed(digitsOf('USD'), Big.roundDown)

/** Half of the coins, rounded down at the asset's precision. */
export const halfOfCoins = (coins: Amount, asset: CryptoAsset): Amount =>
  new Big(coins).div(2).toFixed(assets[asset], Big.roundDown)

/** Reads an amount of coins that a caller sent, by the rules of money (`amountFault`) at the asset's precision. */
export function parseCoins(text: string, asset: CryptoAsset, field = 'amount'): Amount {
  const fault = amountFault(text, null, field)
  if (fault) throw invalid(fault.field, fault.message, fault.type)
  const decimals = text.split('.')[1]?.length ?? 0
  if (decimals > assets[asset]) throw invalid(field, tooFine(asset, assets[asset]))
  return formatCoins(text, asset)
}
