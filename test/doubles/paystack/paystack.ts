import { type AccountBook, accountEvents, accountRoutes, wema } from './accounts.ts'
import { type CardBook, cardEvents, cardRoutes } from './cards.ts'
import { type BusinessBook, businessRoutes } from './business.ts'
import { chargeEvents, chargeRoutes, type ChargeBook } from './charges.ts'
import { type DisputeBook, disputeEvents, disputeRoutes } from './disputes.ts'
import { type RefundBook, refundEvents, refundRoutes } from './refunds.ts'
import { serve } from './server.ts'
import { type TransferBook, transferEvents, transferRoutes } from './transfers.ts'

/**
 * Paystack as its public documents describe it: an HTTP server with a book of its own. Its numbers begin beyond what a
 * JSON number holds exactly in JavaScript, as Paystack's may.
 */
export async function startPaystack(secretKey: string) {
  let newestId = 9_007_199_254_740_993n
  const book: ChargeBook & CardBook & TransferBook & RefundBook & DisputeBook & AccountBook & BusinessBook = {
    transactions: new Map(),
    returned: [],
    aheadMs: 0,
    cards: new Map(),
    transfers: new Map(),
    recipients: [],
    balance: 1_000_000_000_000n,
    nextStatus: 'pending',
    refunds: [],
    nextRefundStatus: 'pending',
    refundsOfPage: 100,
    disputes: [],
    files: new Map(),
    storageUrl: '',
    customers: new Map(),
    bank: wema,
    currency: 'NGN',
    domain: 'live',
    refusesSecond: false,
    hiddenFor: 0,
    currencies: ['GHS', 'KES', 'XOF'],
    banks: ['Wema Bank', 'Titan Paystack'],
    pageMax: 100,
    nextId: () => (newestId += 2n),
  }
  const server = await serve(
    [
      ...chargeRoutes(book),
      ...cardRoutes(book),
      ...transferRoutes(book),
      ...refundRoutes(book),
      ...disputeRoutes(book),
      ...accountRoutes(book),
      ...businessRoutes(book),
    ],
    secretKey,
  )
  book.storageUrl = server.url
  return {
    ...server,
    book,
    ...disputeEvents(book),
    ...chargeEvents(book),
    ...cardEvents(book),
    ...transferEvents(book),
    ...refundEvents(book),
    ...accountEvents(book),
  }
}
