import type { Database } from '../../db/database.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { corridorOf } from '../../domain/corridor.ts'
import type { Rail, RailVault } from './rail.ts'
import { createSimulatedBank } from './simulated-bank.ts'
import { createSimulatedCards, createSimulatedVault } from './simulated-card.ts'
import { createSimulatedTransfers } from './simulated-transfer.ts'
import type { VirtualAccountBank } from './virtual-account-bank.ts'

/**
 * The rails that serve a deployment: which rail serves a corridor, the vault for what must not be stored, and the bank
 * of the virtual accounts.
 */
export type Rails = { of(corridor: Corridor): Rail; vault: RailVault; virtualAccounts: VirtualAccountBank }

/** The sandbox's rails: deterministic, with books of their own in the same database. */
export function createSandboxRails(database: Database): Rails {
  const cards = createSimulatedCards(database)
  const transfers = createSimulatedTransfers(database)
  return {
    of: (corridor) => (corridorOf(corridor).method === 'card' ? cards : transfers),
    vault: createSimulatedVault(database),
    virtualAccounts: createSimulatedBank(database),
  }
}
