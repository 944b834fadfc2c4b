import { walletsIn } from '../domain/checkout/mobile-money.ts'
import { type Corridor, corridorOf } from '../domain/corridor.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { Providers } from './providers.ts'
import type { CardSetups, Rail, RailVault } from './rail.ts'
import type { RailSet } from './rail-set.ts'

/**
 * Answers for what no configured provider serves, so every call fails. The error is not a `RailRefusal`: an order that
 * was accepted while its provider was configured is sent again until the provider is back, and never reaches a
 * simulator. The API accepts nothing that would need such a rail.
 */
const notConnected = (): Promise<never> => Promise.reject(new Error('no live rail is connected for this'))

const unconnectedRail: Rail<'live'> = {
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
const unconnectedPayoutRail: PayoutRail<'live'> = {
  payOut: notConnected,
  lookUpPayout: notConnected,
  cancelPayout: notConnected,
}
const unconnectedVault: RailVault = {
  keepCard: notConnected,
  keepToken: notConnected,
  keepPhone: notConnected,
  keepCode: notConnected,
  keepSecurityCode: notConnected,
}
const unconnectedCardSetups: CardSetups<'live'> = {
  setUp: notConnected,
  confirm: notConnected,
  lookUp: notConnected,
  chargeSaved: notConnected,
}

/** Logs why a vault could not store what a buyer has entered. */
export type VaultLogger = { warn(about: object, message: string): void }

/** A vault whose provider may not answer: the buyer who waits is told so, and nothing is stored. */
function refusingWhenUnavailable(own: RailVault, logger: VaultLogger): RailVault {
  async function orUnavailable<T>(kept: Promise<T>): Promise<T> {
    try {
      return await kept
    } catch (error) {
      if (error instanceof Refusal) throw error
      // It may be our own fault, such as that of the database.
      logger.warn({ err: error }, 'a vault has not kept what a buyer has entered')
      throw new Refusal(
        'SERVICE_UNAVAILABLE',
        'the payment provider does not answer: try again, or choose another method',
      )
    }
  }
  return {
    keepCard: (card) => orUnavailable(own.keepCard(card)),
    keepToken: (token) => orUnavailable(own.keepToken(token)),
    keepPhone: (number) => orUnavailable(own.keepPhone(number)),
    keepCode: (code) => orUnavailable(own.keepCode(code)),
    keepSecurityCode: (code) => orUnavailable(own.keepSecurityCode(code)),
  }
}

/** The live rails: of each corridor and currency those of the configured provider that serves it, or none. */
export function createLiveRails(
  { stripe, paystack }: Pick<Providers, 'stripe' | 'paystack'>,
  logger: VaultLogger,
): RailSet<'live'> {
  const connected = [stripe, paystack].filter((provider) => provider !== null)
  const serving = (corridor: Corridor) => connected.find(({ serves }) => serves.includes(corridor))
  return {
    serves: connected.flatMap(({ serves }) => serves),
    paysOut: paystack?.paysOut ?? [],
    savesCardsAlone: stripe?.serves ?? [],
    opensAccounts: paystack !== null,
    namesHolders: paystack !== null,
    exchanges: false,
    cardEntryOf: (corridor) => (stripe?.serves.includes(corridor) ? 'field' : 'page'),
    cardFieldOf: (corridor) => (stripe?.serves.includes(corridor) ? stripe.cardField : null),
    // What no provider serves is refused as a whole, so its wallets do not matter.
    walletsOf: (corridor) =>
      paystack?.serves.includes(corridor) ? paystack.walletsOf(corridor) : walletsIn(corridorOf(corridor).currency),
    of: (corridor) => serving(corridor)?.rail ?? unconnectedRail,
    paying: (type, currency) =>
      paystack && type !== 'crypto_wallet' && paystack.paysOut.includes(currency)
        ? paystack.payouts
        : unconnectedPayoutRail,
    vaultOf: (corridor) => refusingWhenUnavailable(serving(corridor)?.vault ?? unconnectedVault, logger),
    cardSetupsOf: (corridor) => serving(corridor)?.cardSetups ?? unconnectedCardSetups,
    virtualAccounts: paystack?.virtualAccounts ?? { open: notConnected, lookUp: notConnected },
    conversions: { convert: notConnected, lookUpConversion: notConnected },
    holders: paystack?.holders ?? { resolveAccount: notConnected },
  }
}
