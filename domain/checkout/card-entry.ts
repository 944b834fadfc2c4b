import type { Corridor } from '../corridor.ts'

/**
 * Where a buyer enters a card: its numbers in the fields of our own page (`numbers`), in the provider's field on that
 * page, which makes a token of it (`field`), or on the provider's own page (`page`).
 */
export const cardEntries = ['numbers', 'field', 'page'] as const
export type CardEntry = (typeof cardEntries)[number]

/** The providers whose field our page can show. */
export const cardFieldProviders = ['stripe'] as const

/** The provider's field, with the key that opens it on a page. The key is public. */
export type CardField = { provider: (typeof cardFieldProviders)[number]; publishableKey: string }

/** Where cards are entered in one environment, by their corridor. */
export type CardPlaces = {
  cardEntryOf: (corridor: Corridor) => CardEntry
  /** Null where no field of a provider takes the card. */
  cardFieldOf: (corridor: Corridor) => CardField | null
}
