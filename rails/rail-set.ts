import type { Environment } from '../domain/access/scope.ts'
import type { PaymentPlaces } from '../domain/checkout/payment-places.ts'
import type { Corridor } from '../domain/corridor.ts'
import type { DestinationType, PayoutCurrency } from '../domain/payout/destination.ts'
import type { AccountResolver } from './payout-bank.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { CardSetups, ConversionRail, Rail, RailVault } from './rail.ts'
import type { VirtualAccountBank } from './virtual-account-bank.ts'

/**
 * The rails of one environment: the rail of each corridor, with its vault for what must not be stored and the place
 * where it saves cards, the rail of each kind of payout, the bank of the virtual accounts, the rail that exchanges
 * currencies, and the banks that name the holders of payout accounts.
 */
export type RailSet<E extends Environment> = PaymentPlaces & {
  /** The corridors that a rail serves: a sale offers no others. */
  serves: readonly Corridor[]
  /** The currencies in which payouts can be sent. */
  paysOut: readonly PayoutCurrency[]
  /** The corridors that save a card without a charge. */
  savesCardsAlone: readonly Corridor[]
  /** Whether its bank opens virtual accounts. */
  opensAccounts: boolean
  /** Whether its banks name the holders of accounts. */
  namesHolders: boolean
  /** Whether it exchanges currencies. */
  exchanges: boolean
  of: (corridor: Corridor) => Rail<E>
  /** The rail of payouts to a type of destination, by the currency that arrives. */
  paying: (type: DestinationType, currency: PayoutCurrency) => PayoutRail<E>
  vaultOf: (corridor: Corridor) => RailVault
  cardSetupsOf: (corridor: Corridor) => CardSetups<E>
  virtualAccounts: VirtualAccountBank
  conversions: ConversionRail<E>
  holders: AccountResolver
}
