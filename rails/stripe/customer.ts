import type Stripe from 'stripe'
import { metadataKey } from './intent.ts'
import type { BookedOrder, Orders } from './orders.ts'
import { ask } from './trouble.ts'

/** Customers at Stripe: each order that saves a card has one of its own, which is all that such a card is saved for. */
export function createCustomers(api: Stripe, orders: Orders) {
  return {
    /**
     * The customer of an order. It is stored before the card is sent, so that an order that is sent again has the same
     * parameters. A customer that nobody stored is without effect: nothing belongs to it.
     */
    async of({ orderId, customerId }: BookedOrder, email: string | null): Promise<string> {
      if (customerId !== null) return customerId
      const params = { metadata: { [metadataKey]: orderId }, ...(email !== null && { email }) }
      const create = () => api.customers.create(params, { idempotencyKey: `${orderId}-customer` })
      const { id } = await ask('adding a customer', create)
      return orders.keepCustomer(orderId, id)
    },
  }
}

export type Customers = ReturnType<typeof createCustomers>
