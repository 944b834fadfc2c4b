import type { Database } from '../../db/database.ts'
import { type Corridor, corridorOf, type Method } from '../../domain/corridor.ts'
import type { CardSetups, Rail, RailVault } from './rail.ts'
import { sandboxRates } from './rates.ts'
import { createSimulatedCards } from './simulated-card.ts'
import { createSimulatedCrypto } from './simulated-crypto.ts'
import { createSimulatedMobileMoney } from './simulated-mobile-money.ts'
import { createSimulatedSetups } from './simulated-setup.ts'
import { createSimulatedTransfers } from './simulated-transfer.ts'
import { createSimulatedVault } from './simulated-vault.ts'
import { createSimulatedBank } from './simulated-bank.ts'
import type { VirtualAccountBank } from './virtual-account-bank.ts'

/**
 * The rails that serve a deployment: which rail serves a corridor, the vault for what must not be stored, who saves
 * cards, and the bank of the virtual accounts.
 */
export type Rails = {
  of(corridor: Corridor): Rail
  vault: RailVault
  cardSetups: CardSetups
  virtualAccounts: VirtualAccountBank
}

/** The sandbox's rails: deterministic, with books of their own in the same database. */
export function createSandboxRails(database: Database): Rails {
  const rails: Record<Method, Rail> = {
    card: createSimulatedCards(database),
    bank_transfer: createSimulatedTransfers(database),
    mobile_money: createSimulatedMobileMoney(database),
    crypto: createSimulatedCrypto(database, sandboxRates),
  }
  return {
    of: (corridor) => rails[corridorOf(corridor).method],
    vault: createSimulatedVault(database),
    cardSetups: createSimulatedSetups(database),
    virtualAccounts: createSimulatedBank(database),
  }
}
