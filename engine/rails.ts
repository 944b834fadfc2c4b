export { createSandboxRails } from '../activities/rails/index.ts'
export { createExchangeRates, type ExchangeRates } from '../activities/rails/exchange-rates.ts'
export type { RailVault } from '../activities/rails/rail.ts'
export type { AccountResolver } from '../activities/rails/payout-bank.ts'
