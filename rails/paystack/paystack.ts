import type { Database } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { Corridor } from '../../domain/corridor.ts'
import type { Wallets } from '../../domain/checkout/mobile-money.ts'
import type { PayoutCurrency } from '../../domain/payout/destination.ts'
import type { AccountResolver } from '../payout-bank.ts'
import type { PayoutRail } from '../payout-rail.ts'
import type { CardSetups, Rail, RailVault } from '../rail.ts'
import type { RailNews } from '../rail-news.ts'
import { RailRefusal } from '../rail-refusal.ts'
import type { VirtualAccountBank } from '../virtual-account-bank.ts'
import { createPaystackHolders } from './account.ts'
import { createPaystackApi, type PaystackOptions } from './api.ts'
import { type CallbackCheck, checkCallback, concernedBy } from './callback.ts'
import { createCards } from './cards.ts'
import { createPaystackCharges, type Pace } from './charge.ts'
import { createPaystackDisputes } from './dispute.ts'
import { createOrders } from './orders.ts'
import { createPaystackPayouts } from './payout.ts'
import { createPaystackRefunds } from './refund.ts'
import { createUploads } from './upload.ts'
import { createPaystackVault } from './vault.ts'
import { createPaystackVirtualAccounts } from './virtual-account.ts'
import { walletsOf } from './wallet.ts'

/** Paystack asks for 10 s before a charge without an answer is checked. The other two are this rail's own caution. */
const usualPace: Pace = { checkAfterMs: 10_000, lostAfterMs: 600_000, refundAgainAfterMs: 600_000 }

/** Where Paystack keeps the files of disputes. */
const storage = ['amazonaws.com']

type Options = PaystackOptions & {
  database: Database
  encrypter: Encrypter
  pace?: Partial<Pace>
  /** How long a call that opens a virtual account may take, in milliseconds; another time only in tests. */
  accountTimeoutMs?: number
  /** Other hosts for the files of disputes; only in tests. */
  uploadHosts?: readonly string[]
}

/** The corridors that Paystack serves, and the currencies in which it pays out. */
export const paystackServes: readonly Corridor[] = ['NGN_CARD', 'NGN_BANK_TRANSFER', 'MOMO_GHS', 'MOMO_KES', 'MOMO_XOF']
export const paystackPaysOut: readonly PayoutCurrency[] = ['NGN', 'GHS', 'KES']

/** The rails of Paystack, for the corridors that it serves and the currencies that it pays out in. */
export type PaystackRail = {
  serves: readonly Corridor[]
  paysOut: readonly PayoutCurrency[]
  /** The wallets that it charges in a corridor of mobile money. */
  walletsOf: (corridor: Corridor) => Wallets
  rail: Rail<'live'>
  /** Payouts to bank accounts and wallets of mobile money. */
  payouts: PayoutRail<'live'>
  vault: RailVault
  cardSetups: CardSetups<'live'>
  virtualAccounts: VirtualAccountBank
  holders: AccountResolver
  /**
   * Reads a callback: whom it concerns (an empty list: nobody of ours), or `forged` where Paystack has not signed it.
   * It changes nothing, so that the same callback again, or in another order, does no harm.
   */
  readCallback(callback: Omit<CallbackCheck, 'mode'>): Promise<RailNews[] | 'forged'>
  /** Ends the connections to Paystack. */
  close(): Promise<void>
}

/** The live rails at Paystack, with a book of their own in the same database. `secretKey` goes to Paystack only. */
export function createPaystack({
  database,
  encrypter,
  pace,
  accountTimeoutMs,
  uploadHosts,
  ...options
}: Options): PaystackRail {
  // What stands in for Paystack at another address keeps the files itself.
  const standIn = options.url === undefined ? [] : [new URL(options.url).hostname]
  const uploads = createUploads(uploadHosts ?? [...storage, ...standIn])
  const api = createPaystackApi(options)
  const orders = createOrders(database)
  const cards = createCards(database, encrypter)
  const { vault, secrets } = createPaystackVault(database, encrypter)
  const disputes = createPaystackDisputes({ api, uploads })
  const parts = { orders, api, secrets, cards, disputes, pace: { ...usualPace, ...pace } }
  const { chargeSaved, ...charges } = createPaystackCharges(parts)
  const { submitEvidence, acceptDispute, lookUpDispute } = disputes
  return {
    serves: paystackServes,
    paysOut: paystackPaysOut,
    walletsOf,
    rail: { ...charges, ...createPaystackRefunds(parts), submitEvidence, acceptDispute, lookUpDispute },
    payouts: createPaystackPayouts(parts),
    vault,
    cardSetups: { ...noSetups, chargeSaved },
    virtualAccounts: createPaystackVirtualAccounts(api, database, accountTimeoutMs),
    holders: createPaystackHolders(api),
    async readCallback(callback) {
      const checked = checkCallback({ ...callback, mode: api.mode })
      if (checked.verdict === 'forged') return 'forged'
      return checked.verdict === 'ours' ? concernedBy(database, checked.named) : []
    },
    close: () => api.close(),
  }
}

/** Paystack verifies no card without a charge: a card is saved with a first payment only. */
const noSetups: Omit<CardSetups<'live'>, 'chargeSaved'> = {
  setUp: () => Promise.reject(new RailRefusal('Paystack saves a card only with a payment')),
  confirm: async () => ({ status: 'not_found' }),
  lookUp: async () => ({ status: 'not_found' }),
}
