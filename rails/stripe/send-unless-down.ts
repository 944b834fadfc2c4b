import type { RailRefusal } from '../rail-refusal.ts'
import type { Needs } from './orders.ts'
import { isTrouble } from './trouble.ts'

/**
 * Sends an order of a buyer who waits. While Stripe is down, an order of which nothing was sent is refused for good, so
 * that the buyer can choose another method. Stripe may also go down, or another order begin to try it, right before
 * this one would leave.
 */
export async function sendUnlessDown<T>(
  { orders, line }: Pick<Needs, 'orders' | 'line'>,
  orderId: string,
  refusal: RailRefusal,
  send: () => Promise<T>,
): Promise<T> {
  if (line.isDown() && (await orders.refuseUnsent(orderId))) throw refusal
  try {
    return await send()
  } catch (error) {
    if (isTrouble(error, 'not_sent') && (await orders.refuseUnsent(orderId))) throw refusal
    throw error
  }
}
