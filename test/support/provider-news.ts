import assert from 'node:assert/strict'
import { stripeSecrets, type useLiveStack } from './live-providers.ts'

type Parts = Pick<
  Awaited<ReturnType<typeof useLiveStack>>,
  'stack' | 'stripe' | 'send' | 'stripeCallback' | 'paystackCallback'
>

/** Sends news of the doubles as callbacks to the service, over HTTP, and waits until the processes are told. */
export function createNews({ stack, stripe, send, stripeCallback, paystackCallback }: Parts) {
  return {
    /** Stripe sends its newest event about an object, once more. */
    async fromStripe(objectId: string): Promise<void> {
      const event = stripe.books.events.findLast(
        ({ data }) => (data as { object: { id: string } }).object.id === objectId,
      )
      assert.ok(event, `Stripe has news of ${objectId}`)
      const at = await stack.clock.now()
      assert.equal(await send('stripe', stripeCallback(event, stripeSecrets[0], at)), 200)
      await stack.dispatched()
    },
    async fromPaystack(event: string, data: object): Promise<void> {
      assert.equal(await send('paystack', paystackCallback(event, data)), 200)
      await stack.dispatched()
    },
  }
}
