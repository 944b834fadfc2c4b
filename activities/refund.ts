import { log } from '@temporalio/activity'
import { actsAs, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { lookForDisputes, tellDisputesOfRefund } from '../commands/dispute/tell-disputes.ts'
import { forgetNews } from '../commands/note-news.ts'
import { endRefund, returnRefund } from '../commands/open-refund.ts'
import { Deposit } from '../db/checkout/deposit.ts'
import { Payment } from '../db/checkout/payment.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { Refund } from '../db/refund/refund.ts'
import { timeOf } from '../db/core/test-clock.ts'
import type { Environment } from '../domain/access/scope.ts'
import { noteOrdered } from '../domain/rail-polls.ts'
import { isRefundEnded, moveRefund, type RefundEnd, returnedAmountOf } from '../domain/refund.ts'
import { refundFailed, refundPaid } from '../schemas/refund/event.ts'
import type { Deps } from './deps.ts'
import { carryOutOnOrder, type OrderAfterAction, type RailOrders } from './rail-order-action.ts'
import { noteUndecided } from './undecided.ts'
import type { RefundAnswer, RefundOrder } from '../rails/rail.ts'
import { callRail, RailRefusal } from '../rails/rail-refusal.ts'

/** The steps of the `refund` process. Each is safe to repeat: a refund that has ended stays as it is. */
export const refundActivities = ({ database, rails }: Deps) => {
  const lookUp = async (id: string): Promise<RefundAnswer> => {
    const em = database.orm.em.fork()
    const { chargeId, environment } = await em.findOneOrFail(Refund, { id })
    const { corridor } = await em.findOneOrFail(Payment, { id: chargeId })
    return callRail(() => rails.in(environment).of(corridor).lookUpRefund(id))
  }

  /** Asks the rail, which has then told its news. What it has sent back is news until it is booked. */
  async function ask(id: string): Promise<RefundAnswer> {
    const answer = await lookUp(id)
    if (answer !== 'returned') await forgetNews(database.orm.em.fork(), 'refund', id)
    return answer
  }

  const send = <E extends Environment>(order: RefundOrder<E>): Promise<RefundAnswer> =>
    rails.in(order.environment).of(order.corridor).refund(order)

  const orders: RailOrders<Refund, RefundEnd> = {
    entity: Refund,
    resourceIdOf: ({ refundId }) => refundId,
    isEnd: isRefundEnded,
    ends: { mark_settled: 'succeeded', mark_failed: 'failed' },
    lookUp,
    async close(em, refund, end, at) {
      const charge = await lock(em, Payment, refund.chargeId)
      await endRefund(em, refund, charge, end, at)
      await recordRefundEnd(em, refund, charge, end, at)
    },
  }

  return {
    /**
     * Sends the order to the rail. Only a `RailRefusal` fails the refund; after any other error the rail is asked
     * again. For a refund that has succeeded the rail is only asked for its state: its process is started again where
     * the rail has news about it. `askAgainAt` is when the process asks again if the rail does not decide now.
     */
    submitRefund: async (id: string, at: number, askAgainAt?: number): Promise<RefundAnswer | 'on_hold'> => {
      const order = await inTransaction(database, (em) => prepareOrder(em, id, at))
      if (order === 'failed' || order === 'on_hold') return order
      if (order === 'succeeded') return (await lookUp(id)) === 'returned' ? 'returned' : order
      const answer = await callRail(() => send(order)).catch((error: unknown) => {
        if (error instanceof RailRefusal) return 'failed' as const
        throw error
      })
      return noteUndecided(database, orders, { id, askAgainAt }, answer)
    },

    /** Asks the rail for the state of the refund. */
    lookUpRefund: async (id: string, askAgainAt?: number): Promise<RefundAnswer> => {
      await inTransaction(database, async (em) => {
        const refund = await lock(em, Refund, id)
        if (!isRefundEnded(refund.status)) refund.pollCount += 1
      })
      return noteUndecided(database, orders, { id, askAgainAt }, await ask(id))
    },

    /**
     * Records the end of the refund, posts the money that was reserved for it or has come back, and records the event.
     */
    closeRefund: (id: string, answer: RefundEnd | 'returned', asked: number): Promise<RefundEnd> =>
      inTransaction(database, async (em) => {
        const refund = await lock(em, Refund, id)
        const at = await timeOf(em, refund, asked)
        const isReturned = answer === 'returned' && refund.status === 'succeeded'
        if (answer === 'returned') refund.newsDueAt = null
        if (isRefundEnded(refund.status) && !isReturned) {
          if (answer !== refund.status && answer !== 'returned')
            log.warn('the provider reports a different outcome of this refund than our books')
          return refund.status
        }
        const charge = await lock(em, Payment, refund.chargeId)
        actsAs(em, 'rail')
        const end = answer === 'returned' ? 'failed' : answer
        if (isReturned) await returnRefund(em, refund, charge, at)
        else await endRefund(em, refund, charge, end, at)
        await recordRefundEnd(em, refund, charge, end, at)
        return end
      }),

    /** Carries out what staff have ordered about the refund. */
    carryOutOnRefund: (actionId: string, at: number, own?: string): Promise<OrderAfterAction<RefundEnd>> =>
      carryOutOnOrder(database, orders, actionId, at, own),
  }
}

async function recordRefundEnd(em: EntityManager, refund: Refund, charge: Payment, end: RefundEnd, at: number) {
  const data = end === 'succeeded' ? refundPaid(refund, charge, new Date(at)) : refundFailed(refund, charge)
  const type = end === 'succeeded' ? 'refund.paid' : 'refund.failed'
  await recordEvent(em, refund, { type, resourceId: refund.id, data }, at)
  await (end === 'succeeded' ? tellDisputesOfRefund(em, charge) : lookForDisputes(em, charge, at))
}

/**
 * The order for the rail, after the refund was marked as possibly sent; or its end, where it has already ended; or that
 * staff hold it.
 */
async function prepareOrder(
  em: EntityManager,
  id: string,
  asked: number,
): Promise<RefundOrder | RefundEnd | 'on_hold'> {
  const refund = await lock(em, Refund, id)
  if (isRefundEnded(refund.status)) return refund.status
  if (refund.onHoldSince) return 'on_hold'
  const at = await timeOf(em, refund, asked)
  const charge = await em.findOneOrFail(Payment, { id: refund.chargeId })
  if (refund.status === 'pending') {
    moveRefund(refund, 'processing')
    refund.updatedAt = new Date(at)
  }
  noteOrdered(refund, at)
  return {
    environment: refund.environment,
    refundId: id,
    paymentId: refund.chargeId,
    transferReference: await transferReferenceOf(em, charge),
    corridor: charge.corridor,
    amount: returnedAmountOf(refund),
    currency: refund.currency,
    reference: refund.reference,
    address: refund.refundAddress,
    simulatedOutcome: refund.simulatedOutcome,
  }
}

/** What the bank calls a transfer into a virtual account, which no rail of ours has charged; null for a charge. */
async function transferReferenceOf(em: EntityManager, { id, checkoutId, subscriptionId }: Payment) {
  if (checkoutId !== null || subscriptionId !== null) return null
  return (await em.findOne(Deposit, { id }))?.sessionId ?? null
}

/** The types of the activities, for the process that calls them. */
export type RefundActivities = ReturnType<typeof refundActivities>
