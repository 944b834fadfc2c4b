import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { subscriptionActivities, type SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { PaymentRequest } from '../../db/checkout/payment.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { SubscriptionChange } from '../../db/subscription/subscription.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import { noChoice } from '../../api/checkout/payment-choice.ts'
import { patiently } from './patiently.ts'
import { cards } from './merchant.ts'
import type { Stack } from './stack.ts'
import { laterCards, subscriptionsOf } from './subscription.ts'

/** The cards of a life, by what they do without their owner. */
export const lifeCards = [cards.success, ...Object.values(laterCards)]

/**
 * Lives of subscriptions without a process: their steps are called by the test, at moments that it chooses, so that
 * years pass in seconds on a real database. `stack` runs without workers.
 */
export function livesOf(stack: Stack) {
  const deps = { ...stack.deps, database: { ...stack.database, clock: null, publicUrl: stack.baseUrl } }
  const steps = subscriptionActivities(deps)
  const checkouts = checkoutActivities(deps)
  const plans = subscriptionsOf(stack)
  const em = () => deps.database.orm.em.fork()

  async function pay(session: { checkout_id: string }, number: string, at: number): Promise<void> {
    const railToken = await deps.rails
      .in('sandbox')
      .vaultOf('USD_CARD')
      .keepCard({ number, exp_month: 12, exp_year: 2040, cvc: '1' })
    const id = newId('pay', at)
    const chosen = { ...noChoice, corridor: 'USD_CARD' as const, railToken, encryptedReturnUrl: null }
    await em().insert(PaymentRequest, { ...chosen, id, checkoutId: session.checkout_id, createdAt: new Date(at) })
    await checkouts.attemptPayment(session.checkout_id, id, true, at)
  }

  /** Does everything that is due at a moment, as the process does it. */
  async function settle(id: string, at: number): Promise<SubscriptionSnapshot> {
    let now = await steps.readSubscription(id, at)
    for (let step = 0; step < 50; step++) {
      if (now.wakesAt !== null && now.wakesAt <= at) now = await steps.takeSubscriptionStep(id, at)
      else if (now.isChargeDue) now = await steps.chargeSubscription(id, at)
      else if (now.polls.some((poll) => poll.at <= at))
        now = await steps.lookUpSubscriptionPayment(id, now.polls[0]?.paymentId ?? '', at)
      else if (now.isMailDue) now = await steps.sendSubscriptionMails(id, at)
      else return now
    }
    throw new Error(`${id} never comes to rest: ${JSON.stringify(now)}`)
  }

  return {
    plans,
    steps,
    settle,
    /** Pays in an open session by card. */
    pay,
    /** Sells a product at a moment, paid by card, and returns the subscription's id. */
    async begin(productId: string, number: string, at: number, session: Record<string, unknown> = {}) {
      const opened = await patiently(() => plans.createSession(productId, session))
      await pay(opened, number, at)
      const { subscriptionId } = await em().findOneOrFail(Checkout, { id: opened.checkout_id })
      if (!subscriptionId) throw new Error('the checkout has begun no subscription')
      await settle(subscriptionId, at)
      return subscriptionId
    },
    /** Saves another card of a customer, and returns its id. */
    async saveCard(customerId: string, number: string, at: number): Promise<string> {
      const fields = { setup: true, customer: { id: customerId }, success_url: 'https://example.com/thanks' }
      const session = await patiently(() => stack.merchant.createCheckout(fields))
      await pay(session, number, at)
      const [saved] = await stack.sql<{ id: string }>('select id from saved_payment_methods where checkout_id = ?', [
        session.checkout_id,
      ])
      return saved?.id ?? ''
    },
    /** Lets time pass: everything that falls due on the way is done at its moment. */
    async advance(id: string, from: number, to: number): Promise<void> {
      let now = await settle(id, from)
      for (;;) {
        const next = Math.min(now.wakesAt ?? Infinity, ...now.polls.map((poll) => poll.at))
        if (next > to) return
        now = await settle(id, next)
      }
    },
    /** Asks for a change, twice where wanted; a refusal is a result. */
    async ask(id: string, what: ChangeRequest, at: number, twice = false): Promise<string> {
      const changeId = newId('call', at)
      const createdAt = new Date(at)
      await em().insert(SubscriptionChange, {
        id: changeId,
        subscriptionId: id,
        by: 'customer',
        what,
        appliedAt: null,
        createdAt,
      })
      try {
        await steps.applySubscriptionChange(id, changeId, at)
        if (twice) await steps.applySubscriptionChange(id, changeId, at)
        return 'done'
      } catch (error) {
        if (error instanceof Refusal && error.code !== 'INTERNAL_SERVER_ERROR') return error.message
        throw error
      } finally {
        await settle(id, at)
      }
    },
    /** Decides a charge that the network still works on. */
    decide: (paymentId: string, succeeds: boolean, failureCode = 'card_declined') =>
      stack.sql(
        `update simulated_charges set status = ?, executions = ?, failure_code = ?
         where payment_id = ? and status = 'processing'`,
        succeeds ? ['succeeded', 1, null, paymentId] : ['failed', 0, failureCode, paymentId],
      ),
    invoicesOf: (id: string) =>
      em().find(Invoice, { subscriptionId: id }, { orderBy: { createdAt: 'asc', id: 'asc' } }),
  }
}
