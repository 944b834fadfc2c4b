import { log } from '@temporalio/activity'
import { failCollection, nothingToCharge } from '../../commands/subscription/dunning.ts'
import { applyPaidInvoices } from '../../commands/subscription/pay-invoice.ts'
import { touchSubscription } from '../../commands/subscription/touch.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { actsAs, type EntityManager, inTransaction, lock, outcomeTime } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { openInvoicesOf } from '../../db/subscription/invoice.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import type { RailAnswer, SavedChargeOrder } from '../../rails/rail.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { revise } from '../../domain/revision.ts'
import { callRail, sendOrder } from '../../rails/rail-refusal.ts'
import { changingOnClock } from '../change-on-clock.ts'
import type { Deps } from '../deps.ts'
import { lockForAnswer } from '../lock-for-answer.ts'
import { applyChange } from './change.ts'
import {
  cancelIfNeedless,
  cardOf,
  type Charging,
  openPayment,
  ratedPair,
  recordAnswer,
  savedOrderOf,
} from './charge.ts'
import { sendDueMails } from './mail.ts'
import { snapshotOf, type SubscriptionSnapshot } from './snapshot.ts'
import { carryOutOnSubscription, type SubscriptionAfterAction } from './staff.ts'
import { steps } from './step.ts'

/** The steps of the `subscription` process. Each transaction locks the subscription first, and is safe to repeat. */
export const subscriptionActivities = (deps: Deps) => {
  const { database, rails, rates } = deps
  /** Changes a subscription at its own time: `asked`, or the time of its test clock. */
  const change = changingOnClock(database, Subscription, snapshotOf)

  const order = <E extends Environment>(wanted: SavedChargeOrder<E>, at: number): Promise<RailAnswer> =>
    rails.in(wanted.environment).cardSetupsOf(wanted.corridor).chargeSaved(wanted, at)

  /** What is charged, and at which rate; null where the subscription has no card that may be charged. */
  async function chargingOf(id: string): Promise<Charging | null> {
    const em = database.orm.em.fork()
    const subscription = await em.findOneOrFail(Subscription, { id })
    const saved = await cardOf(em, subscription)
    const pair = saved && ratedPair(subscription, saved)
    return saved && { saved, rate: pair ? await rates.rate(pair.from, pair.to) : null }
  }

  const record = (id: string, paymentId: string, answer: RailAnswer, asked: number) =>
    change(id, asked, async (em, subscription, at) => {
      actsAs(em, 'rail')
      const payment = await lockForAnswer(em, paymentId, answer)
      await recordAnswer(em, subscription, payment, answer, await outcomeTime(em, at))
    })

  async function charge(id: string, asked: number): Promise<SubscriptionSnapshot> {
    const charging = await chargingOf(id)
    const opened = await inTransaction(database, async (em) => {
      const subscription = await lock(em, Subscription, id)
      // Another card may have been named, or this one removed, before the subscription was locked.
      if ((await cardOf(em, subscription))?.id !== charging?.saved.id) return 'other card'
      const at = await timeOf(em, subscription, asked)
      if (!charging) return failWithoutCard(em, subscription, await outcomeTime(em, at))
      const isBegun = subscription.paymentId !== null
      const payment = await openPayment(em, subscription, charging, at)
      if (payment?.status !== 'processing') return null
      if (isBegun && (await cancelIfNeedless(em, payment))) return { needless: payment.id }
      return { order: await savedOrderOf(em, payment, charging.saved), at }
    })
    if (opened === 'other card') return charge(id, asked)
    if (!opened) return change(id, asked, async () => undefined)
    if ('needless' in opened) return lookUp(id, opened.needless, asked)
    const answer = await sendOrder(() => order(opened.order, opened.at))
    return record(id, opened.order.paymentId, answer, asked)
  }

  /**
   * Asks the rail about a payment. An order that it has never seen is sent again. What staff gave up is cancelled, and
   * so is what would only be paid back.
   */
  async function lookUp(id: string, paymentId: string, asked: number): Promise<SubscriptionSnapshot> {
    const em = database.orm.em.fork()
    const payment = await em.findOne(Payment, { id: paymentId, subscriptionId: id, checkoutId: null })
    if (!payment) {
      log.warn('news about a payment that the subscription does not know is ignored')
      return change(id, asked, async () => undefined)
    }
    const at = await timeOf(em, payment, asked)
    const rail = rails.in(payment.environment).of(payment.corridor)
    const isCancelled = payment.cancelling === 'due'
    const answer = await callRail(() => (isCancelled ? rail.cancelCharge(paymentId, at) : rail.lookUp(paymentId, at)))
    return answer.status === 'not_found' && payment.status === 'processing' && !isCancelled
      ? charge(id, asked)
      : record(id, paymentId, answer, asked)
  }

  return {
    /** The subscription's state, after invoices that were paid on their pages have been applied. */
    readSubscription: (id: string, asked: number): Promise<SubscriptionSnapshot> =>
      change(id, asked, applyPaidInvoices),

    /**
     * Does what is due: a renewal, an end, a reminder. One step at a time, in the order in which they are due. Takes
     * note of paid invoices first: the message about a payment may come after the moment at which the step is due.
     */
    takeSubscriptionStep: (id: string, asked: number): Promise<SubscriptionSnapshot> =>
      change(id, asked, async (em, subscription, at) => {
        await applyPaidInvoices(em, subscription, at)
        const { wakesAt, wakesFor } = subscription
        if (!wakesAt || !wakesFor || wakesAt.getTime() > at) return
        await steps[wakesFor](em, subscription, at)
      }),

    /** Charges the saved card for the oldest open invoice, and records the answer. */
    chargeSubscription: charge,

    lookUpSubscriptionPayment: lookUp,

    /** Carries out what staff have ordered about a payment that its rail has not decided. */
    carryOutOnSubscription: (id: string, actionId: string, asked: number): Promise<SubscriptionAfterAction> =>
      carryOutOnSubscription(deps, { lookUp, record }, { id, actionId }, asked),

    /** Applies what somebody has asked for. Refused where the subscription's state does not allow it. */
    applySubscriptionChange: (id: string, changeId: string, asked: number): Promise<SubscriptionSnapshot> =>
      change(id, asked, async (em, subscription, at) => {
        await applyPaidInvoices(em, subscription, at)
        await applyChange(em, subscription, changeId, at)
      }),

    /** Sends the mails that are due to the customer. */
    sendSubscriptionMails: async (id: string, asked: number): Promise<SubscriptionSnapshot> => {
      await sendDueMails(deps, id, asked)
      return change(id, asked, async (_, subscription) => revise(subscription))
    },
  }
}

/**
 * A subscription without a card, or whose account may not take card payments now, cannot be charged: that counts as a
 * failed attempt, and is tried again like any other.
 */
async function failWithoutCard(em: EntityManager, subscription: Subscription, at: number): Promise<null> {
  if (!subscription.chargeDueAt) return null
  const [invoice] = await openInvoicesOf(em, subscription.id)
  subscription.chargeDueAt = null
  if (invoice) await failCollection(em, subscription, invoice, nothingToCharge, at)
  else touchSubscription(subscription, at)
  return null
}

/** The types of the activities, for the process that calls them. */
export type SubscriptionActivities = ReturnType<typeof subscriptionActivities>
export type { SubscriptionSnapshot } from './snapshot.ts'
