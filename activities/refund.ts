import { actsAs, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { endRefund, returnRefund } from '../commands/open-refund.ts'
import { Payment } from '../db/checkout/payment.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { Refund } from '../db/refund.ts'
import { timeOf } from '../db/core/test-clock.ts'
import type { Environment } from '../domain/access/scope.ts'
import { noteOrdered } from '../domain/rail-polls.ts'
import { isEnded, moveRefund, type RefundEnd, returnedAmountOf } from '../domain/refund.ts'
import { refundFailed, refundPaid } from '../schemas/refund/event.ts'
import type { Deps } from './deps.ts'
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

  /** Notes when the rail is asked again, if it has not decided; a process of before 2026-11-24 does not say it. */
  async function undecided(id: string, answer: RefundAnswer, askAgainAt: number | undefined): Promise<RefundAnswer> {
    if (answer !== 'unknown' || askAgainAt === undefined) return answer
    await inTransaction(database, async (em) => {
      const refund = await lock(em, Refund, id)
      if (!isEnded(refund.status)) refund.nextPollAt = new Date(askAgainAt)
    })
    return answer
  }

  const give = <E extends Environment>(order: RefundOrder<E>): Promise<RefundAnswer> =>
    rails.in(order.environment).of(order.corridor).refund(order)

  return {
    /**
     * Sends the order to the rail. Only a `RailRefusal` fails the refund; after any other error the rail is asked
     * again. For a refund that has succeeded the rail is only asked for its state: its process is started again where
     * the rail has news about it. `askAgainAt` is when the process asks again if the rail does not decide now.
     */
    submitRefund: async (id: string, at: number, askAgainAt?: number): Promise<RefundAnswer> => {
      const taken = await inTransaction(database, (em) => takeUp(em, id, at))
      if (taken === 'failed') return taken
      if (taken === 'succeeded') return (await lookUp(id)) === 'returned' ? 'returned' : taken
      const answer = await callRail(() => give(taken)).catch((error: unknown) => {
        if (error instanceof RailRefusal) return 'failed' as const
        throw error
      })
      return undecided(id, answer, askAgainAt)
    },

    /** Asks the rail for the state of the refund. */
    lookUpRefund: async (id: string, askAgainAt?: number): Promise<RefundAnswer> => {
      await inTransaction(database, async (em) => {
        const refund = await lock(em, Refund, id)
        if (!isEnded(refund.status)) refund.pollCount += 1
      })
      return undecided(id, await lookUp(id), askAgainAt)
    },

    /**
     * Records the end of the refund, posts the money that was reserved for it or has come back, and records the event.
     */
    closeRefund: (id: string, answer: RefundEnd | 'returned', asked: number): Promise<RefundEnd> =>
      inTransaction(database, async (em) => {
        const refund = await lock(em, Refund, id)
        const at = await timeOf(em, refund, asked)
        const isReturned = answer === 'returned' && refund.status === 'succeeded'
        if (isEnded(refund.status) && !isReturned) return refund.status
        const charge = await lock(em, Payment, refund.chargeId)
        actsAs(em, 'rail')
        const end = answer === 'returned' ? 'failed' : answer
        if (isReturned) await returnRefund(em, refund, charge, at)
        else await endRefund(em, refund, charge, end, at)
        const data = end === 'succeeded' ? refundPaid(refund, charge, new Date(at)) : refundFailed(refund, charge)
        const type = end === 'succeeded' ? 'refund.paid' : 'refund.failed'
        await recordEvent(em, refund, { type, resourceId: id, data }, at)
        return end
      }),
  }
}

/** The order for the rail, after the refund was marked as possibly sent; or its end, where it has already ended. */
async function takeUp(em: EntityManager, id: string, asked: number): Promise<RefundOrder | RefundEnd> {
  const refund = await lock(em, Refund, id)
  if (isEnded(refund.status)) return refund.status
  const at = await timeOf(em, refund, asked)
  const { corridor } = await em.findOneOrFail(Payment, { id: refund.chargeId })
  if (refund.status === 'pending') {
    moveRefund(refund, 'processing')
    refund.updatedAt = new Date(at)
  }
  noteOrdered(refund, at)
  return {
    environment: refund.environment,
    refundId: id,
    paymentId: refund.chargeId,
    corridor,
    amount: returnedAmountOf(refund),
    currency: refund.currency,
    reference: refund.reference,
    address: refund.refundAddress,
    simulatedOutcome: refund.simulatedOutcome,
  }
}

/** The types of the activities, for the process that calls them. */
export type RefundActivities = ReturnType<typeof refundActivities>
