import { chargeEvents, chargeRoutes, type ChargeBook } from './charges.ts'
import { serve } from './server.ts'

/**
 * Paystack as its public documents describe it: an HTTP server with a book of its own. Its numbers begin beyond what a
 * JSON number holds exactly in JavaScript, as Paystack's may.
 */
export async function startPaystack(secretKey: string) {
  let newestId = 9_007_199_254_740_993n
  const book: ChargeBook = { transactions: new Map(), returned: [], nextId: () => (newestId += 2n) }
  const server = await serve([...chargeRoutes(book)], secretKey)
  return { ...server, book, ...chargeEvents(book) }
}
