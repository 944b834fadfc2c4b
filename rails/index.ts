import type { Database } from '../db/core/database.ts'
import { type Corridor, corridorOf, type Method } from '../domain/corridor.ts'
import type { DestinationType } from '../domain/payout/destination.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { CardSetups, ConversionRail, Rail, RailVault } from './rail.ts'
import type { AccountResolver } from './payout-bank.ts'
import { sandboxRates } from './rates.ts'
import { createSimulatedCards } from './sandbox/card.ts'
import { createSimulatedConversions } from './sandbox/conversion.ts'
import { createSimulatedCrypto } from './sandbox/crypto.ts'
import { createSimulatedMobileMoney } from './sandbox/mobile-money.ts'
import { createSimulatedPayouts } from './sandbox/payout.ts'
import { createSimulatedSetups } from './sandbox/setup.ts'
import { createSimulatedTransfers } from './sandbox/transfer.ts'
import { createSimulatedVault } from './sandbox/vault.ts'
import { createSimulatedBank } from './sandbox/virtual-account-bank.ts'
import { createSimulatedPayoutBank } from './sandbox/payout-bank.ts'
import type { VirtualAccountBank } from './virtual-account-bank.ts'

/**
 * The rails that serve a deployment: which rail serves a corridor and which one pays to a kind of destination, the
 * vault for what must not be stored, the bank of the virtual accounts, who exchanges currencies, who saves cards, and
 * whoever knows the holders of accounts that money is paid out to.
 */
export type Rails = {
  of(corridor: Corridor): Rail
  paying(type: DestinationType): PayoutRail
  vault: RailVault
  cardSetups: CardSetups
  virtualAccounts: VirtualAccountBank
  conversions: ConversionRail
  holders: AccountResolver
}

/** How long the sandbox's buyers and networks take, in milliseconds; what is left out is as people know it. */
export type SandboxPace = { thinkingMs?: number; blockMs?: number }

/** The sandbox's rails: deterministic, with books of their own in the same database. */
export function createSandboxRails(database: Database, { thinkingMs, blockMs }: SandboxPace = {}): Rails {
  const rails: Record<Method, Rail> = {
    card: createSimulatedCards(database),
    bank_transfer: createSimulatedTransfers(database),
    mobile_money: createSimulatedMobileMoney(database, thinkingMs),
    crypto: createSimulatedCrypto(database, sandboxRates, blockMs),
  }
  const payouts: Record<DestinationType, PayoutRail> = {
    bank_account: createSimulatedPayouts(database, 'bank_account'),
    mobile_money: createSimulatedPayouts(database, 'mobile_money'),
    crypto_wallet: createSimulatedPayouts(database, 'crypto_wallet'),
  }
  return {
    of: (corridor) => rails[corridorOf(corridor).method],
    paying: (type) => payouts[type],
    vault: createSimulatedVault(database),
    cardSetups: createSimulatedSetups(database),
    virtualAccounts: createSimulatedBank(database),
    conversions: createSimulatedConversions(database),
    holders: createSimulatedPayoutBank(),
  }
}
