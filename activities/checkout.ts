import { FlushMode } from '@mikro-orm/core'
import { CardSetup } from '../db/card-setup.ts'
import { Checkout } from '../db/checkout.ts'
import { type EntityManager, inTransaction, lock } from '../db/database.ts'
import { Payment, PaymentRequest } from '../db/payment.ts'
import { countCompletion, hasRoom } from '../db/payment-link.ts'
import { recordEvent } from '../db/record-event.ts'
import type { Sealer } from '../db/seal.ts'
import { assertNotProcessing, assertOpen, lateMoneyMs, movePayment, type CheckoutStatus } from '../domain/checkout.ts'
import { type Corridor, corridorOf } from '../domain/corridor.ts'
import { isZero } from '../domain/money.ts'
import { isPending } from '../domain/payment.ts'
import { Refusal } from '../domain/refusal.ts'
import { checkoutExpired } from '../schemas/checkout-event.ts'
import { buyerOf, newPayment, orderOf } from './checkout-attempt.ts'
import { applyAnswer, close, end, giveUp, giveUpSetups, pick, recordCompletion, touch } from './checkout-answer.ts'
import { applySetup, newSetup, pendingSetup, setupOrderOf, takeUpCode } from './checkout-setup.ts'
import type { Deps } from './deps.ts'
import type { ChargeOrder, RailAnswer, SetupAnswer, SetupOrder } from './rails/rail.ts'

/** Where a sale stands, as its process needs to know it: no personal data, times in milliseconds since the epoch. */
export type Progress = {
  /** Of two answers the one with the higher revision is the newer. */
  revision: number
  status: CheckoutStatus
  paymentStatus: string
  expiresAt: number
  listensUntil: number | null
  /** The attempt that the rail or the buyer still has to decide, if there is one. */
  pending: string | null
  /** The attempt about which a rail has said when there is something to ask for; missing in older histories. */
  newsDue?: { paymentId: string; at: number } | null
}

/** What the rail is to be asked for: a charge, or in a session that saves a card its verification. */
type Order = ChargeOrder | SetupOrder

/** The steps of the `checkout` process. Each is one transaction that locks the session first, and is safe to repeat. */
export const checkoutActivities = ({ database, rails, sealer }: Deps) => {
  const change = (id: string, work: (em: EntityManager, session: Checkout) => Promise<void>) =>
    inTransaction(database, async (em) => {
      const session = await lock(em, Checkout, id)
      await work(em, session)
      return progressOf(em, session)
    })

  /** Writes down what a rail said; a session that hears nothing new stays as it is, however late that word comes. */
  const hear = (id: string, paymentId: string, answer: RailAnswer, at: number) =>
    change(id, async (em, session) => {
      const payment = await lock(em, Payment, paymentId)
      const before = standing(session, payment)
      await applyAnswer(em, session, payment, answer, at)
      if (standing(session, payment) !== before) touch(session, at)
    })

  /** The same of a card that is to be saved. */
  const hearSetup = (id: string, setupId: string, answer: SetupAnswer, at: number) =>
    change(id, async (em, session) => {
      if (await applySetup(em, session, setupId, answer, at)) touch(session, at)
    })

  return {
    readCheckout: async (id: string): Promise<Progress> => {
      const em = database.orm.em.fork()
      return progressOf(em, await em.findOneOrFail(Checkout, { id }))
    },

    /** Takes up what the buyer asked to pay with; a free session is complete with that. */
    choosePayment: (id: string, requestId: string, at: number): Promise<Progress> =>
      change(id, (em, session) => choose(em, session, requestId, at)),

    /**
     * Makes the attempt at the rail and writes down its answer. The request's id is the payment's and the rail's.
     * With `chooses` the request is taken up in the same step; else it must be the one that was chosen.
     */
    attemptPayment: async (id: string, requestId: string, chooses: boolean, at: number): Promise<Progress> => {
      const order = await inTransaction(database, async (em) => {
        const session = await lock(em, Checkout, id)
        if (chooses) await choose(em, session, requestId, at)
        return openAttempt(em, session, requestId, { sealer, at })
      })
      if (!order) return change(id, async () => undefined)
      if ('setupId' in order) return hearSetup(id, requestId, await rails.cardSetups.setUp(order), at)
      const answer = await rails.of(order.corridor).charge(order, at)
      return hear(id, requestId, answer, at)
    },

    /** Hands the buyer's one-time code to the rail and writes down its answer. */
    confirmAction: async (id: string, paymentId: string, codeToken: string, at: number): Promise<Progress> => {
      const corridor = await inTransaction(database, (em) => openCode(em, id, paymentId, at))
      if (!corridor) return change(id, async () => undefined)
      if (corridor === 'setup')
        return hearSetup(id, paymentId, await rails.cardSetups.confirm(paymentId, codeToken), at)
      const answer = await rails.of(corridor).confirm(paymentId, codeToken, at)
      return hear(id, paymentId, answer, at)
    },

    /** Asks the rail how a payment stands and writes down its answer. */
    askRail: async (id: string, paymentId: string, at: number): Promise<Progress> => {
      const payment = await database.orm.em.fork().findOne(Payment, { id: paymentId, checkoutId: id })
      if (!payment) return hearSetup(id, paymentId, await rails.cardSetups.lookUp(paymentId), at)
      const answer = await rails.of(payment.corridor as Corridor).lookUp(paymentId, at)
      return hear(id, paymentId, answer, at)
    },

    /** Ends an open session whose time is up, unless the rail holds its payment and `force` is not set. */
    expireCheckout: (id: string, at: number, force: boolean): Promise<Progress> =>
      change(id, async (em, session) => {
        if (session.status !== 'open' || (session.paymentStatus === 'processing' && !force)) return
        await end(em, session, 'expired', at)
        const data = checkoutExpired(session, new Date(at))
        await recordEvent(em, session, { type: 'checkout.expired', resourceId: session.id, data }, at)
      }),

    cancelCheckout: (id: string, at: number): Promise<Progress> =>
      change(id, async (em, session) => {
        if (session.status === 'cancelled') return
        assertOpen(session)
        assertNotProcessing(session)
        await end(em, session, 'cancelled', at)
      }),
  }
}

const standing = (session: Checkout, payment: Payment): string =>
  [
    ...[session.status, session.paymentStatus, session.paymentId],
    ...[payment.status, payment.amountReceived, payment.newsDueAt?.getTime()],
  ].join()

/** Takes up the buyer's code: the corridor whose rail is to hear it, or null where none waits for one. */
async function openCode(
  em: EntityManager,
  id: string,
  subject: string,
  at: number,
): Promise<Corridor | 'setup' | null> {
  const session = await lock(em, Checkout, id)
  assertOpen(session)
  if (session.setup) {
    if (!(await takeUpCode(em, session, subject, at))) return null
    touch(session, at)
    return 'setup'
  }
  const payment = await lock(em, Payment, subject)
  if (payment.status !== 'requires_action' && payment.status !== 'processing') return null
  if (session.paymentStatus !== 'processing') await assertRoom(em, session)
  payment.status = 'processing'
  movePayment(session, 'processing')
  touch(session, at)
  return payment.corridor as Corridor
}

async function choose(em: EntityManager, session: Checkout, requestId: string, at: number): Promise<void> {
  if (session.requestId === requestId || session.paymentId === requestId) return
  assertOpen(session)
  assertNotProcessing(session)
  await assertRoom(em, session)
  const request = await em.findOneOrFail(PaymentRequest, { id: requestId, checkoutId: session.id })
  session.requestId = requestId
  if (request.customerDetails && !session.customerId) session.customerDetails = request.customerDetails
  if (request.lineItems) pick(session, request.lineItems)
  touch(session, at)
  if (isZero(session.amount) && !session.setup) return completeFree(em, session, at)
  if (session.paymentStatus === 'failed') movePayment(session, 'requires_payment_method')
  movePayment(session, 'requires_confirmation')
  session.corridor = request.corridor
  session.billingCurrency = corridorOf(request.corridor as Corridor).currency
  session.rate = request.rate
  await giveUpSetups(em, session, at)
  giveUp(await em.find(Payment, { checkoutId: session.id }), at)
}

/** Nothing is paid, whatever the buyer had chosen before they picked what is free. */
async function completeFree(em: EntityManager, session: Checkout, at: number): Promise<void> {
  if (session.paymentStatus === 'failed') movePayment(session, 'requires_payment_method')
  if (session.paymentStatus !== 'requires_payment_method') movePayment(session, 'processing')
  movePayment(session, 'succeeded')
  session.paymentId = session.corridor = session.rate = null
  giveUp(await em.find(Payment, { checkoutId: session.id }), at)
  if (!(await countCompletion(em, session))) throw soldOut()
  await close(em, session, at)
  await recordCompletion(em, session, null, at)
}

/** Refuses to begin what the session's link has no room for any more; nothing has been paid then. */
async function assertRoom(em: EntityManager, session: Checkout): Promise<void> {
  if (!(await hasRoom(em, session))) throw soldOut()
}

const soldOut = () => new Refusal('CONFLICT', 'the payment link has been used as often as it may be')

async function openAttempt(
  em: EntityManager,
  session: Checkout,
  requestId: string,
  { sealer, at }: { sealer: Sealer; at: number },
): Promise<Order | null> {
  const request = await em.findOneOrFail(PaymentRequest, { id: requestId, checkoutId: session.id })
  const made = await (session.setup ? em.findOne(CardSetup, { id: requestId }) : em.findOne(Payment, { id: requestId }))
  if (made && made.status !== 'processing') return null
  if (!made) {
    assertOpen(session)
    if (session.requestId !== requestId) throw new Refusal('CONFLICT', 'another payment method has been chosen')
    await assertRoom(em, session)
    movePayment(session, 'processing')
    touch(session, at)
    if (session.setup) em.create(CardSetup, newSetup(session, request, at))
    else {
      session.paymentId = requestId
      em.create(Payment, newPayment(session, request, at))
    }
  }
  const buyer = buyerOf(session, request, sealer)
  return session.setup ? setupOrderOf(request, buyer) : orderOf(session, request, buyer)
}

async function progressOf(em: EntityManager, session: Checkout): Promise<Progress> {
  const payment = session.paymentId ? await em.findOne(Payment, { id: session.paymentId }) : null
  const { revision, status, paymentStatus } = session
  const listensUntil = session.expiresAt.getTime() + lateMoneyMs
  const newsDue = payment ? await newsDueOf(em, session) : null
  return {
    ...{ revision, status, paymentStatus },
    expiresAt: session.expiresAt.getTime(),
    listensUntil: session.listensUntil?.getTime() ?? null,
    pending: session.setup ? await pendingSetup(em, session) : payment && isPending(payment.status) ? payment.id : null,
    newsDue: newsDue && newsDue.at < listensUntil ? newsDue : null,
  }
}

/** The first news that a rail has announced, be it of an attempt that was given up: its money is taken all the same. */
async function newsDueOf(em: EntityManager, { id }: Checkout): Promise<Progress['newsDue']> {
  // Not flushed before: what has changed in memory is what counts, and a commit is one round of statements.
  const payments = await em.find(Payment, { checkoutId: id }, { flushMode: FlushMode.COMMIT })
  const [first] = payments
    .flatMap(({ id: paymentId, newsDueAt }) => (newsDueAt ? [{ paymentId, at: newsDueAt.getTime() }] : []))
    .toSorted((one, other) => one.at - other.at)
  return first ?? null
}

/** The types of the activities, for the processes that call them. */
export type CheckoutActivities = ReturnType<typeof checkoutActivities>
