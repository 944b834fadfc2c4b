import assert from 'node:assert/strict'
import type { CardKit } from './card-kits.ts'
import type { Stack } from './stack.ts'
import { type Shown, subscriptionsOf } from './subscription.ts'
import { until } from './until.ts'

/** What happens to subscriptions of a rail's merchant. */
export function weeklyPlansOf(stack: Stack, { merchant, body, ...kit }: CardKit) {
  const plans = subscriptionsOf(stack, merchant)
  /** Charges of a subscription's periods after the first, the oldest first. */
  const chargesOf = (id: string) =>
    stack.sql<{ id: string; status: string; failure_code: string | null }>(
      `select id, status, failure_code from payments
       where subscription_id = ? and checkout_id is null order by created_at`,
      [id],
    )

  return {
    plans,
    chargesOf,
    /** Skips to a moment and a minute more, in which what is due then is done. */
    skipTo: async (moment: string | null) =>
      stack.skip(Date.parse(String(moment)) - (await stack.clock.now()) + 61_000),
    /** A weekly plan that is paid with a new card, which is saved. */
    async subscribe(): Promise<Shown & { saved: string }> {
      const { amount, currency } = body
      const weekly = { amount, currency, recurring: { interval: 'week', interval_count: 1 } }
      const { product_id } = await plans.createProduct(weekly)
      const session = await plans.createSession(product_id)
      const id = await kit.pay(session)
      assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
      assert.equal(await kit.taken(id), 1)
      const { recurring } = await merchant.getCheckout(session.checkout_id)
      await stack.dispatched()
      const shown = await plans.read((recurring as { subscription_id: string }).subscription_id)
      assert.equal(shown.status, 'active')
      return { ...shown, saved: String(shown.payment_method_id) }
    },
    /** Waits until so many invoices are there and all are paid. Returns the charges of the periods after the first. */
    async paid(id: string, invoices: number) {
      const arePaid = async () => {
        await stack.skip(60_000)
        const all = await plans.invoices(id)
        return all.length === invoices && all.every(({ status }) => status === 'paid')
      }
      await until(arePaid, 'the period is paid')
      return chargesOf(id)
    },
    /** Ends a subscription, so that nothing of it goes on in the next test. */
    async end(id: string, told: string[]): Promise<void> {
      await stack.dispatched()
      assert.deepEqual(await plans.events(id), ['customer.subscription.created', ...told])
      await plans.act(id, 'cancel', { at_period_end: false })
    },
  }
}
