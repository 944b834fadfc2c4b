import { isNotSent, type Reply } from './api.ts'
import type { Claim, Orders, Sending } from './orders.ts'

/**
 * Sends a request for an order that is marked as sent. Where it has not left, because Paystack is down, the mark is
 * taken back: the order does not count as one that may be on its way.
 */
export async function sendMarked(
  orders: Orders,
  claim: Claim,
  sending: Sending,
  request: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await request()
  } catch (error) {
    if (isNotSent(error)) await orders.takeBack(claim, sending)
    throw error
  }
}
