import type { PayoutRail } from './payout-rail.ts'
import type { Rail } from './rail.ts'
import type { RailSet } from './rail-set.ts'

/**
 * No live provider is connected, so every call fails. It is an error and no `RailRefusal`: the order is given again
 * until a deployment has such a rail, and never reaches a simulator. The API refuses whatever live would need a rail
 * (`liveCorridors`, `hasPayoutRail` and the refusals ACCOUNT_NOT_ACTIVATED), so no order comes here by way of it.
 */
const notConnected = (): Promise<never> => Promise.reject(new Error('no live rail is connected yet'))

const rail: Rail<'live'> = {
  charge: notConnected,
  confirm: notConnected,
  lookUp: notConnected,
  cancelCharge: notConnected,
  refund: notConnected,
  lookUpRefund: notConnected,
}
const payoutRail: PayoutRail<'live'> = {
  payOut: notConnected,
  lookUpPayout: notConnected,
  cancelPayout: notConnected,
}

/** What stands in for the live rails until there are any. */
export const noLiveRails: RailSet<'live'> = {
  of: () => rail,
  paying: () => payoutRail,
  vault: { keepCard: notConnected, keepToken: notConnected, keepPhone: notConnected, keepCode: notConnected },
  cardSetups: { setUp: notConnected, confirm: notConnected, lookUp: notConnected },
  virtualAccounts: { lookUp: notConnected },
  conversions: { convert: notConnected, lookUpConversion: notConnected },
  holders: { resolveAccount: notConnected },
}
