import type { Corridor } from '../corridor.ts'
import type { CardPlaces } from './card-entry.ts'
import type { Wallets } from './mobile-money.ts'

/** What the rails of one environment take from a buyer: where cards are entered, and which wallets can pay. */
export type PaymentPlaces = CardPlaces & {
  /** The wallets that the rail of a corridor of mobile money charges. */
  walletsOf: (corridor: Corridor) => Wallets
}
