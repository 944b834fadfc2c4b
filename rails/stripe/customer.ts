import type Stripe from 'stripe'
import { metadataKey } from './intent.ts'
import type { BookedOrder, Orders } from './orders.ts'
import { ask, isTrouble } from './trouble.ts'

/** Customers at Stripe: each order that saves a card has one of its own, which is all that such a card is saved for. */
export function createCustomers(api: Stripe, orders: Orders) {
  const create = (params: Stripe.CustomerCreateParams, idempotencyKey: string) =>
    ask('adding a customer', () => api.customers.create(params, { idempotencyKey }))

  /**
   * Adds a customer. Stripe has a rule of its own for emails (`email_invalid`), and refuses some that a buyer may have.
   * The card is then saved for a customer without one: the email is only shown in Stripe's dashboard.
   */
  async function add(orderId: string, email: string | null): Promise<Stripe.Customer> {
    const params = { metadata: { [metadataKey]: orderId } }
    const key = `${orderId}-customer`
    if (email === null) return create(params, key)
    try {
      return await create({ ...params, email }, key)
    } catch (error) {
      if (!isTrouble(error, 'refused')) throw error
      return create(params, `${key}-without-email`)
    }
  }

  return {
    /**
     * The customer of an order. It is stored before the card is sent, so that an order that is sent again has the same
     * parameters. A customer that nobody stored is without effect: nothing belongs to it.
     */
    async of({ orderId, customerId }: BookedOrder, email: string | null): Promise<string> {
      if (customerId !== null) return customerId
      const { id } = await add(orderId, email)
      return orders.keepCustomer(orderId, id)
    },
  }
}

export type Customers = ReturnType<typeof createCustomers>
