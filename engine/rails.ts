export { createSandboxRails } from '../activities/rails/index.ts'
export type { RailVault } from '../activities/rails/rail.ts'
