import { log } from '@temporalio/activity'
import { CardSetup } from '../../db/checkout/card-setup.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { actsAs, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { isPending, mayReceive } from '../../domain/checkout/payment.ts'
import { assertNotProcessing, assertOpen, clocksDifferMs, expiryGraceMs } from '../../domain/checkout/checkout.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { revise } from '../../domain/revision.ts'
import { checkoutExpired } from '../../schemas/checkout/event.ts'
import { acceptShortPayment } from './accept-payment.ts'
import { applyAnswer, type WhenCalled } from './answer.ts'
import { askEach } from './ask-each.ts'
import { openAttempt, type Opened } from './attempt-opening.ts'
import { choose, mustCancelEarlier } from './choice.ts'
import { openCode } from './code.ts'
import { endSession } from './end.ts'
import { type CheckoutSnapshot, snapshotOf } from './snapshot.ts'
import { touch } from './session.ts'
import { applySetup, pendingSetup } from './setup.ts'
import { carryOutOnSale, type SaleAfterAction } from './staff.ts'
import { changingOnClock } from '../change-on-clock.ts'
import type { Deps } from '../deps.ts'
import { inTime } from '../in-time.ts'
import { lockForAnswer } from '../lock-for-answer.ts'
import type { ChargeOrder, RailAnswer, SetupAnswer, SetupOrder } from '../../rails/rail.ts'
import { callRail, sendOrder } from '../../rails/rail-refusal.ts'
import { refundShortPayments } from './unwanted-payment.ts'

/** How long a buyer who chooses another payment method waits at most for the earlier attempt to be canceled. */
const cancelPatienceMs = 2_000

type Begin = (em: EntityManager, session: Checkout, at: number) => Promise<Opened | null>

/** About a rail's answer: what the payment was like when the rail was called, or that the call was to cancel it. */
type About = { whenCalled?: WhenCalled; isOfCancel?: boolean }

/** The steps of the `checkout` process. Each is one transaction that locks the session first, and is safe to repeat. */
export const checkoutActivities = ({ database, rails, encrypter, clock }: Deps) => {
  /** Changes a session at its own time: `asked`, or the time of its test clock. */
  const change = changingOnClock(database, Checkout, snapshotOf)

  const unchanged = (id: string, at: number) => change(id, at, async () => undefined)

  /** Records a rail's answer. An answer that says nothing new does not change the session, however late it arrives. */
  const record = (id: string, paymentId: string, answer: RailAnswer, asked: number, about: About = {}) =>
    change(id, asked, async (em, session, at) => {
      const payment = await lockForAnswer(em, paymentId, answer)
      const before = stateOf(session, payment)
      const newsDueAt = payment.newsDueAt?.getTime()
      await applyAnswer(em, session, payment, answer, at, about.whenCalled)
      // the rail did not cancel: the attempt goes on
      if (about.isOfCancel && payment.cancelling === 'due') payment.cancelling = null
      if (stateOf(session, payment) !== before) touch(session, at)
      else if (payment.newsDueAt?.getTime() !== newsDueAt) revise(session) // the process sees when it asks next
    })

  /** Records the card network's answer about a card that is to be saved. */
  const applySetupAnswer = (id: string, setupId: string, answer: SetupAnswer, asked: number) =>
    change(id, asked, async (em, session, at) => {
      if (await applySetup(em, session, setupId, answer, at)) touch(session, at)
    })

  /** Asks the rails to cancel attempts that were replaced or given up, and records their answers. */
  async function cancelReplaced(id: string, asked: number): Promise<void> {
    const em = database.orm.em.fork()
    const replaced = await em.find(Payment, { checkoutId: id, cancelling: 'due' })
    await askEach(replaced, async (payment) => {
      const { id: paymentId, environment, corridor } = payment
      const at = await timeOf(em.fork(), payment, asked)
      const answer = await callRail(() => rails.in(environment).of(corridor).cancelCharge(paymentId, at))
      await record(id, paymentId, answer, at, { isOfCancel: true })
    })
  }

  /**
   * Begins an attempt after the rails have had time to cancel the attempts that it replaces. Null when one of those has
   * completed the sale. The process asks again for what could not be cancelled now, and a second success is refunded.
   */
  async function afterCancelling(id: string, at: number, begin: Begin): Promise<Opened | null> {
    await within(cancelPatienceMs, cancelReplaced(id, at))
    return inTransaction(database, async (em) => {
      const session = await lock(em, Checkout, id)
      return session.status === 'open' ? begin(em, session, await timeOf(em, session, at)) : null
    })
  }

  const charge = <E extends Environment>(order: ChargeOrder<E>, at: number): Promise<RailAnswer> =>
    rails.in(order.environment).of(order.corridor).charge(order, at)

  const setUp = <E extends Environment>(order: SetupOrder<E>): Promise<SetupAnswer> =>
    rails.in(order.environment).cardSetupsOf(order.corridor).setUp(order)

  async function attempt(id: string, requestId: string, chooses: boolean, asked: number): Promise<CheckoutSnapshot> {
    const begin: Begin = (em, session, time) => openAttempt(em, session, requestId, { encrypter, at: time })
    const { begun, at } = await inTransaction(database, async (em) => {
      const session = await lock(em, Checkout, id)
      const time = await timeOf(em, session, asked)
      if (chooses) await choose(em, session, requestId, time)
      if (await mustCancelEarlier(em, session)) return { begun: 'cancel first' as const, at: time }
      return { begun: await begin(em, session, time), at: time }
    })
    const opened = begun === 'cancel first' ? await afterCancelling(id, at, begin) : begun
    if (!opened) return unchanged(id, at)
    const { order, buyerAsked: nextAction } = opened
    if ('setupId' in order) return applySetupAnswer(id, requestId, await sendOrder(() => setUp(order)), at)
    const answer = await sendOrder(() => charge(order, at))
    return record(id, requestId, answer, at, { whenCalled: { status: 'processing', nextAction } })
  }

  async function lookUp(id: string, attemptId: string, asked: number): Promise<CheckoutSnapshot> {
    const em = database.orm.em.fork()
    const payment = await em.findOne(Payment, { id: attemptId, checkoutId: id })
    const found = payment ?? (await em.findOne(CardSetup, { id: attemptId, checkoutId: id }))
    if (!found) {
      log.warn('news about an attempt that the session does not know is ignored')
      return unchanged(id, asked)
    }
    const at = await timeOf(em, found, asked)
    const own = rails.in(found.environment)
    if (payment) {
      const rail = own.of(payment.corridor)
      const answer = await callRail(() => rail.lookUp(attemptId, at))
      // what was given up is not sent again
      return answer.status === 'not_found' && payment.status === 'processing'
        ? attempt(id, attemptId, false, at)
        : record(id, attemptId, answer, at, { whenCalled: payment })
    }
    const answer = await callRail(() => own.cardSetupsOf(found.corridor).lookUp(attemptId))
    return answer.status === 'not_found'
      ? attempt(id, attemptId, false, at)
      : applySetupAnswer(id, attemptId, answer, at)
  }

  return {
    readCheckout: async (id: string): Promise<CheckoutSnapshot> => {
      const em = database.orm.em.fork()
      return snapshotOf(em, await em.findOneOrFail(Checkout, { id }))
    },

    /** Applies the payment method that the buyer chose. A free session is then complete. */
    choosePayment: (id: string, requestId: string, asked: number): Promise<CheckoutSnapshot> =>
      change(id, asked, (em, session, at) => choose(em, session, requestId, at)),

    /**
     * Sends the attempt's order to the rail and records the answer. The request's id is also the id of the payment and
     * of the rail's order. With `chooses` the request is also applied as the buyer's choice in this step; without it,
     * it must already be the chosen one.
     */
    attemptPayment: attempt,

    /** Sends the buyer's one-time code to the rail and records the answer. */
    confirmAction: async (
      id: string,
      paymentId: string,
      codeToken: string,
      asked: number,
    ): Promise<CheckoutSnapshot> => {
      const open = await inTransaction(database, (em) => openCode(em, id, paymentId, asked))
      if (!open) return unchanged(id, asked)
      const { environment, corridor, saves, at, buyerAsked: nextAction } = open
      const own = rails.in(environment)
      if (saves) {
        const setups = own.cardSetupsOf(corridor)
        return applySetupAnswer(id, paymentId, await callRail(() => setups.confirm(paymentId, codeToken)), at)
      }
      const answer = await callRail(() => own.of(corridor).confirm(paymentId, codeToken, at))
      return record(id, paymentId, answer, at, { whenCalled: { status: 'processing', nextAction } })
    },

    /**
     * Asks the rail for the state of an attempt and records the answer. An order that the rail has never seen is sent
     * again. An id that does not belong to the session is ignored.
     */
    lookUpPayment: lookUp,

    /** Asks the rails about every attempt for which money may still arrive, and records their answers. */
    lookUpOpenAttempts: async (id: string, at: number): Promise<CheckoutSnapshot> => {
      const em = database.orm.em.fork()
      const setup = await pendingSetup(em, await em.findOneOrFail(Checkout, { id }))
      const payments = (await em.find(Payment, { checkoutId: id })).filter(
        // Also of one whose buyer is at their bank: they may have agreed there, and the rail's news may be lost.
        (payment) => mayReceive(payment) || isPending(payment.status),
      )
      await askEach([...payments, ...(setup ? [setup] : [])], (each) => lookUp(id, each.id, at))
      return unchanged(id, at)
    },

    /** Asks the rails to cancel attempts that were replaced or given up, however long that takes. */
    cancelReplaced: async (id: string, at: number): Promise<CheckoutSnapshot> => {
      await cancelReplaced(id, at)
      return unchanged(id, at)
    },

    /**
     * Expires an open session whose time is over. Without `force` it stays open while the rail processes its payment.
     * Nothing happens where the process comes too early: it does not know of its test clock yet, or the engine's clock
     * is ahead. Then the answer tells when it is time by the clock that has sent it.
     */
    expireCheckout: async (id: string, asked: number, force: boolean): Promise<CheckoutSnapshot> => {
      const real = Math.min(asked, await clock.now())
      let isTooEarly = false
      const after = await change(id, real, async (em, session, at) => {
        if (session.status !== 'open' || (session.paymentStatus === 'processing' && !force)) return
        const dueAt = session.expiresAt.getTime() + (force ? expiryGraceMs : 0)
        if (session.clockId && at < dueAt) return
        if (at < dueAt - clocksDifferMs) return void (isTooEarly = true)
        const endsAt = Math.max(at, dueAt)
        await endSession(em, session, 'expired', endsAt)
        const data = checkoutExpired(session, new Date(endsAt))
        await recordEvent(em, session, { type: 'checkout.expired', resourceId: session.id, data }, endsAt)
      })
      return isTooEarly ? { ...after, expiresAt: after.expiresAt + asked - real } : after
    },

    cancelCheckout: (id: string, asked: number): Promise<CheckoutSnapshot> =>
      change(id, asked, async (em, session, at) => {
        if (session.status === 'cancelled') return
        actsAs(em, 'merchant')
        assertOpen(session)
        assertNotProcessing(session)
        await endSession(em, session, 'cancelled', at)
      }),

    /** Refunds short payments where the account wants that, once no more money is expected for them. */
    returnShortPayments: (id: string, asked: number): Promise<CheckoutSnapshot> =>
      change(id, asked, (em, session, at) => refundShortPayments(em, session, at)),

    /** Settles what has arrived of a short payment of a session that has ended. */
    acceptPayment: (id: string, paymentId: string, asked: number): Promise<CheckoutSnapshot> =>
      change(id, asked, (em, session, at) => acceptShortPayment(em, session, paymentId, at)),

    /** Carries out what staff have ordered about an attempt. */
    carryOutOnPayment: (id: string, actionId: string, asked: number): Promise<SaleAfterAction> =>
      carryOutOnSale({ database, rails }, { lookUp, record }, { id, actionId }, asked),
  }
}

/** What an answer of the rail may change. A text, so that two of them can be compared. */
const stateOf = (session: Checkout, payment: Payment): string =>
  [
    session.status,
    session.paymentStatus,
    session.paymentId,
    payment.status,
    payment.amountReceived,
    payment.cancelling,
  ].join()

/** Waits until the work has ended, at most `ms` milliseconds. A failure of the work is ignored. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = work.catch((error: Error) => log.warn('a rail could not cancel an attempt yet', { type: error.name }))
  await inTime(ms, done, undefined)
}

/** The types of the activities, for the processes that call them. */
export type CheckoutActivities = ReturnType<typeof checkoutActivities>
export type { CheckoutSnapshot } from './snapshot.ts'
