import type { Environment } from '../domain/access/scope.ts'
import type { Corridor } from '../domain/corridor.ts'
import type { DestinationType } from '../domain/payout/destination.ts'
import type { AccountResolver } from './payout-bank.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { CardSetups, ConversionRail, Rail, RailVault } from './rail.ts'
import type { VirtualAccountBank } from './virtual-account-bank.ts'

/**
 * The rails of one environment: the rail of each corridor and of each type of destination, the vault for what must not
 * be stored, the bank of the virtual accounts, the rails that exchange currencies and save cards, and the banks that
 * name the holders of payout accounts.
 */
export type RailSet<E extends Environment> = {
  /** The corridors that a rail serves: a sale offers no others. */
  serves: readonly Corridor[]
  /** Whether payouts can be sent. */
  paysOut: boolean
  of: (corridor: Corridor) => Rail<E>
  paying: (type: DestinationType) => PayoutRail<E>
  vault: RailVault
  cardSetups: CardSetups<E>
  virtualAccounts: VirtualAccountBank
  conversions: ConversionRail<E>
  holders: AccountResolver
}
