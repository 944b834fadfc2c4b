import type { CryptoAsset } from '../domain/checkout/crypto.ts'
import type { Amount } from '../domain/money.ts'
import { coinPrices } from './sandbox/test-values.ts'

/** The current price of an asset. */
export type RateSource = { usdPerCoin(asset: CryptoAsset): Promise<Amount> }

/** The sandbox's prices never move. */
export const sandboxRates: RateSource = { usdPerCoin: async (asset) => coinPrices[asset] }
