import type { Database } from '../../db/core/database.ts'
import { cardCorridors, corridorKeys, corridorOf, type Method } from '../../domain/corridor.ts'
import { walletsIn } from '../../domain/checkout/mobile-money.ts'
import type { DestinationType } from '../../domain/payout/destination.ts'
import { payoutCurrencies } from '../../domain/payout/routing.ts'
import type { PayoutRail } from '../payout-rail.ts'
import type { Rail } from '../rail.ts'
import type { RailSet } from '../rail-set.ts'
import { sandboxRates } from '../rates.ts'
import { createSimulatedCards } from './card.ts'
import { createSimulatedConversions } from './conversion.ts'
import { createSimulatedCrypto } from './crypto.ts'
import { createSimulatedMobileMoney } from './mobile-money.ts'
import { createSimulatedPayouts } from './payout.ts'
import { createSimulatedPayoutBank } from './payout-bank.ts'
import { createSimulatedSetups } from './setup.ts'
import { createSimulatedTransfers } from './transfer.ts'
import { createSimulatedVault } from './vault.ts'
import { createSimulatedBank } from './virtual-account-bank.ts'

/** How long the sandbox's buyers and networks take, in milliseconds; what is left out is as people know it. */
export type SandboxPace = { thinkingMs?: number; blockMs?: number }

/** The sandbox's rails: deterministic, with books of their own in the same database. */
export function createSandboxRails(database: Database, { thinkingMs, blockMs }: SandboxPace = {}): RailSet<'sandbox'> {
  const rails: Record<Method, Rail<'sandbox'>> = {
    card: createSimulatedCards(database),
    bank_transfer: createSimulatedTransfers(database),
    mobile_money: createSimulatedMobileMoney(database, thinkingMs),
    crypto: createSimulatedCrypto(database, sandboxRates, blockMs),
  }
  const payouts: Record<DestinationType, PayoutRail<'sandbox'>> = {
    bank_account: createSimulatedPayouts(database, 'bank_account'),
    mobile_money: createSimulatedPayouts(database, 'mobile_money'),
    crypto_wallet: createSimulatedPayouts(database, 'crypto_wallet'),
  }
  const vault = createSimulatedVault(database)
  const cardSetups = createSimulatedSetups(database)
  return {
    serves: corridorKeys,
    paysOut: payoutCurrencies,
    savesCardsAlone: cardCorridors,
    opensAccounts: true,
    namesHolders: true,
    exchanges: true,
    cardEntryOf: () => 'numbers',
    cardFieldOf: () => null,
    walletsOf: (corridor) => walletsIn(corridorOf(corridor).currency),
    of: (corridor) => rails[corridorOf(corridor).method],
    paying: (type) => payouts[type],
    vaultOf: () => vault,
    cardSetupsOf: () => cardSetups,
    virtualAccounts: createSimulatedBank(database),
    conversions: createSimulatedConversions(database),
    holders: createSimulatedPayoutBank(),
  }
}
