import type { Database } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { createPaystackHolders } from './account.ts'
import { createPaystackApi, type PaystackOptions } from './api.ts'
import { createPaystackCharges, type Pace } from './charge.ts'
import { createCards } from './cards.ts'
import { createOrders } from './orders.ts'
import { createPaystackPayouts } from './payout.ts'
import { createPaystackRefunds } from './refund.ts'
import { createPaystackVault } from './vault.ts'

/** Paystack asks for 10 s before a charge without an answer is checked. The other two are this rail's own caution. */
const usualPace: Pace = { checkAfterMs: 10_000, lostAfterMs: 600_000, refundAgainAfterMs: 600_000 }

type Options = PaystackOptions & { database: Database; encrypter: Encrypter; pace?: Partial<Pace> }

/** The corridors that Paystack serves. */
const serves: readonly Corridor[] = ['NGN_CARD', 'NGN_BANK_TRANSFER', 'MOMO_GHS', 'MOMO_KES', 'MOMO_XOF']

/** The live rails at Paystack, with a book of their own in the same database. `secretKey` goes to Paystack only. */
export function createPaystack({ database, encrypter, pace, ...options }: Options) {
  const api = createPaystackApi(options)
  const orders = createOrders(database)
  const cards = createCards(database, encrypter)
  const { vault, secrets } = createPaystackVault(database, { encrypter, cards })
  const parts = { orders, api, secrets, cards, pace: { ...usualPace, ...pace } }
  return {
    serves,
    vault,
    charges: createPaystackCharges(parts),
    refunds: createPaystackRefunds(parts),
    payouts: createPaystackPayouts(parts),
    holders: createPaystackHolders(api),
    close: () => api.close(),
  }
}
