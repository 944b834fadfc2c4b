import type { PayoutRail } from './payout-rail.ts'
import type { CardSetups, Rail, RailVault } from './rail.ts'
import type { RailSet } from './rail-set.ts'

/**
 * No live provider is connected, so every call fails. The error is not a `RailRefusal`: the order is sent again until a
 * deployment has such a rail, and never reaches a simulator. The API refuses every live call that would need a rail
 * (`serves`, `paysOut` and the refusals ACCOUNT_NOT_ACTIVATED), so it sends no order here.
 */
const notConnected = (): Promise<never> => Promise.reject(new Error('no live rail is connected yet'))

const rail: Rail<'live'> = {
  charge: notConnected,
  confirm: notConnected,
  lookUp: notConnected,
  cancelCharge: notConnected,
  refund: notConnected,
  lookUpRefund: notConnected,
  submitEvidence: notConnected,
  acceptDispute: notConnected,
  lookUpDispute: notConnected,
}
const payoutRail: PayoutRail<'live'> = {
  payOut: notConnected,
  lookUpPayout: notConnected,
  cancelPayout: notConnected,
}
const vault: RailVault = {
  keepCard: notConnected,
  keepToken: notConnected,
  keepPhone: notConnected,
  keepCode: notConnected,
  keepSecurityCode: notConnected,
}
const cardSetups: CardSetups<'live'> = {
  setUp: notConnected,
  confirm: notConnected,
  lookUp: notConnected,
  chargeSaved: notConnected,
}

/** The live rails, until there are real ones: every call fails. */
export const noLiveRails: RailSet<'live'> = {
  serves: [],
  paysOut: [],
  of: () => rail,
  paying: () => payoutRail,
  vaultOf: () => vault,
  cardSetupsOf: () => cardSetups,
  virtualAccounts: { lookUp: notConnected },
  conversions: { convert: notConnected, lookUpConversion: notConnected },
  holders: { resolveAccount: notConnected },
}
