import { openDisputes } from '../../commands/dispute/open-dispute.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { actsAs, type EntityManager } from '../../db/core/database.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { moveCheckoutPaymentStatus } from '../../domain/checkout/checkout.ts'
import { assertSafeAction, isPending, movePayment } from '../../domain/checkout/payment.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { type Amount, isLess } from '../../domain/money.ts'
import { nextPollAt, noteAsked } from '../../domain/rail-polls.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { type Received, receiveMoney, receiveSurplus } from './receive-money.ts'
import { awaitsBank } from './end.ts'
import { failPayment } from './failure.ts'
import { dueOrLast, lateMoneyQuestionAt, whileInTime } from './next-question.ts'
import { isChosen, isCurrent } from './session.ts'

type Held = Extract<RailAnswer, { status: 'processing' }>
type Asking = Extract<RailAnswer, { status: 'requires_action' }>
/** The shortest pause before a rail is asked again, also where it names an earlier moment. */
const pauseMinMs = 500

/** What a payment was like when its rail was called. */
export type WhenCalled = Pick<Payment, 'status' | 'nextAction'> & { updatedAt?: Date }

/**
 * Applies a rail's answer about a payment to the payment, the session, the ledger and the events. It runs in the
 * caller's transaction, which holds the session's lock. The same answer again changes nothing. Money that arrives after
 * the session has ended is still posted, as late money.
 */
export async function applyAnswer(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  answer: RailAnswer,
  at: number,
  whenCalled: WhenCalled | null = null,
): Promise<void> {
  actsAs(em, 'rail')
  if (isHeldAtRail(payment, answer)) noteAsked(payment, nextPollAt(payment.createdAt.getTime(), at))
  const newsAt = nextNewsAt(session, payment, answer, at)
  const isOld = isOutdated(payment, answer)
  payment.newsDueAt = isOld ? payment.newsDueAt && newsAt : newsAt
  if ('received' in answer) return applyMoney(em, session, payment, answer, at)
  if (payment.status === 'succeeded') return
  if (endsForGood(payment, answer)) return expectNothing(payment)
  // A payment that has failed or was given up changes only when money arrives for it.
  if (!isPending(payment.status)) return
  if (answer.status === 'processing' && !isOld) return holdPayment(session, payment, answer, at)
  // A part of an underpaid payment has arrived: it waits for the rest, and cannot fail any more.
  if (payment.status === 'underpaid') return
  if (answer.status === 'failed') return failPayment(em, session, payment, answer, at)
  if (answer.status !== 'requires_action' || (whenCalled && hasBuyerActed(payment, whenCalled))) return
  askBuyer(session, payment, answer, at)
}

/** What an answer tells of money that has arrived, and of disputes about it. */
async function applyMoney(em: EntityManager, session: Checkout, payment: Payment, answer: Received, at: number) {
  if (payment.status === 'succeeded') await receiveSurplus(em, payment, answer, at)
  else await receiveMoney(em, session, payment, answer, at)
  await openDisputes(em, payment, answer.disputes ?? [], at)
}

/**
 * Applies what a rail has said of a payment that staff mark as paid, in a transaction that has locked both: by staff,
 * with the news that the rail has announced.
 */
export async function applyMarked(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  answer: Received,
  at: number,
): Promise<void> {
  payment.newsDueAt = nextNewsAt(session, payment, answer, at)
  await applyMoney(em, session, payment, answer, at)
}

/**
 * Whether the buyer has done what they were asked since the rail was called: its answer still asks them, and was
 * slower. The rail is asked again by our schedule.
 */
const hasBuyerActed = ({ status, nextAction, updatedAt }: Payment, before: WhenCalled): boolean =>
  status === 'processing' &&
  (before.status !== status ||
    JSON.stringify(nextAction) !== JSON.stringify(before.nextAction) ||
    (before.updatedAt !== undefined && before.updatedAt < updatedAt)) // another answer has come meanwhile

/**
 * Whether an answer knows of less money than has arrived, so that it is older and was slower. It may move or end the
 * wait for the rail's news, but it begins none: the process may have ended, and nobody would ask.
 */
const isOutdated = ({ amountReceived }: Payment, answer: RailAnswer): boolean =>
  isLess(arrivedBy(answer), amountReceived)

/**
 * Whether the rail was asked about money that it holds. Of an underpaid payment it may hold the rest: the session waits
 * for that too, so the next question must lie ahead, or the process would ask again and again.
 */
const isHeldAtRail = ({ status }: Payment, answer: RailAnswer): boolean =>
  status === 'processing' || (status === 'underpaid' && !('received' in answer))

/** How much money an answer knows to have arrived. */
function arrivedBy(answer: RailAnswer): Amount {
  if ('received' in answer) return answer.received
  return answer.status === 'processing' ? (answer.confirmed ?? '0') : '0'
}

/**
 * When the rail should have news: by its own announcement; null where that would be too late. About what was given up
 * it is asked once more before money would be too late, though it announces no news until then. A rail that still
 * processes what was given up, or what staff have marked as failed, is asked by our schedule. So is one that does not
 * know of it, as the order may still be on its way, and one that waits for the buyer's bank and could not cancel.
 */
function nextNewsAt(session: Checkout, payment: Payment, answer: RailAnswer, at: number): Date | null {
  const isGivenUp = payment.status === 'failed' || (payment.status === 'canceled' && payment.cancelling !== 'done')
  if (answer.newsDueAt !== undefined) {
    const due = Math.max(answer.newsDueAt, at + pauseMinMs)
    return isGivenUp ? dueOrLast(session, due, at) : whileInTime(session, due)
  }
  const { status } = answer
  const isUndecided =
    status === 'processing' || status === 'not_found' || awaitsBank({ status, corridor: payment.corridor })
  return isGivenUp && isUndecided ? lateMoneyQuestionAt(session, payment, at) : null
}

/**
 * Whether the rail has cancelled an attempt, or says of one that was given up that it has failed. Where it announces
 * further news, as of a page that takes another card after one that was declined, money may still come; so may a
 * transfer, which its rail only gives up to wait for.
 */
const endsForGood = ({ status, corridor }: Payment, answer: RailAnswer): boolean =>
  answer.status === 'canceled' ||
  (status === 'canceled' &&
    answer.status === 'failed' &&
    answer.newsDueAt === undefined &&
    corridorOf(corridor).method !== 'bank_transfer')

/** No money will arrive for an attempt that was given up. */
function expectNothing(payment: Payment): void {
  if (payment.cancelling || payment.status === 'canceled') payment.cancelling = 'done'
}

/** The buyer has done their part and the rail is processing the payment. The open session does not expire meanwhile. */
function holdPayment(session: Checkout, payment: Payment, { details }: Held, at: number): void {
  payment.updatedAt = new Date(at)
  if (details) payment.methodDetails = details
  if (payment.status === 'requires_action') movePayment(payment, 'processing')
  if (isChosen(session, payment)) moveCheckoutPaymentStatus(session, 'processing')
}

/** The buyer has to do something first, such as to enter a code. */
function askBuyer(session: Checkout, payment: Payment, { nextAction }: Asking, at: number): void {
  payment.updatedAt = new Date(at)
  if (payment.status !== 'processing') return // the buyer has already been asked
  movePayment(payment, 'requires_action')
  payment.nextAction = assertSafeAction(nextAction, payment.environment)
  if (isCurrent(session, payment)) moveCheckoutPaymentStatus(session, 'requires_action')
}
