import type { Database } from '../../db/core/database.ts'
import type { Corridor } from '../../domain/corridor.ts'
import type { CardSetups, Rail, RailVault } from '../rail.ts'
import { createLine, type LineOptions } from '../line.ts'
import type { RailNews } from '../rail-news.ts'
import { type CallbackCheck, newsOf, readCallback } from './callback.ts'
import { createCharges } from './charge.ts'
import { connectToStripe, type StripeAccess } from './connection.ts'
import { createCustomers } from './customer.ts'
import { createDisputes } from './dispute.ts'
import { createOrders } from './orders.ts'
import { createRefunds } from './refund.ts'
import { createSetups } from './setup.ts'
import { createVault } from './vault.ts'

/** The corridors that Stripe serves. */
export const stripeServes: readonly Corridor[] = ['USD_CARD']

/** The part of a live deployment that Stripe serves. */
export type StripeRail = {
  /** The corridors for which `rail` takes money. */
  serves: readonly Corridor[]
  rail: Rail<'live'>
  vault: RailVault
  cardSetups: CardSetups<'live'>
  /**
   * Reads a callback: which of our processes have to ask their rail (an empty list: none), or `forged` where Stripe has
   * not signed it. It changes nothing, so that the same callback again, or in another order, does no harm.
   */
  readCallback: (callback: Omit<CallbackCheck, 'livemode'>) => Promise<RailNews[] | 'forged'>
  /** Ends the connections. */
  close: () => Promise<void>
}

type Parts = StripeAccess & { database: Database; line?: LineOptions }

/**
 * Stripe as a rail (docs/rails.md). Its book is the table `stripe_orders` of `database`. Throws for a key that is not
 * one of the mode. Every call may be repeated; after any error but a `RailRefusal` the outcome is unknown.
 */
export function createStripe({ database, line: options, ...access }: Parts): StripeRail {
  const { livemode = true } = access
  const line = createLine('stripe', options)
  const { api, close } = connectToStripe(access, line)
  const orders = createOrders(database)
  const needs = { api, orders, livemode, line }
  const customers = createCustomers(api, orders)
  const { chargeSaved, ...charges } = createCharges(needs, customers)
  return {
    serves: stripeServes,
    rail: { ...charges, ...createRefunds(needs), ...createDisputes(needs) },
    vault: createVault(api, livemode),
    cardSetups: { ...createSetups(needs, customers), chargeSaved },
    async readCallback(callback) {
      const read = readCallback({ ...callback, livemode })
      if (read.is === 'forged') return 'forged'
      return read.is === 'event' ? newsOf(orders, read.event) : []
    },
    close,
  }
}
