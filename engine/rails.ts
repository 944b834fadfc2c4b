export { createSandboxRails } from '../activities/rails/index.ts'
export type { RailVault } from '../activities/rails/rail.ts'
export type { AccountResolver } from '../activities/rails/payout-bank.ts'
