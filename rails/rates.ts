import type { CryptoAsset } from '../domain/checkout/crypto.ts'
import type { Amount } from '../domain/money.ts'

/** Says what an asset is worth at the moment of asking. */
export type RateSource = { usdPerCoin(asset: CryptoAsset): Promise<Amount> }

/** The sandbox's prices never move; a dollar coin is a dollar. */
const prices: Record<CryptoAsset, Amount> = {
  BNB_BEP20: '612.40',
  ETH_ETH: '3120.75',
  SOL_SOL: '148.32',
  USDC_BEP20: '1',
  USDT_BEP20: '1',
  USDT_ERC20: '1',
  USDT_SOL: '1',
  USDT_TRC20: '1',
}

export const sandboxRates: RateSource = { usdPerCoin: async (asset) => prices[asset] }
