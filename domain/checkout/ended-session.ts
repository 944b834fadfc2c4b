import { isLess, isZero } from '../money.ts'
import { type Charge, refundableOf } from '../refund.ts'
import { tooLateAt } from './checkout.ts'
import { asksForCode, mayBringMoney, mayReceive, type NextAction } from './payment.ts'

type Expected = Parameters<typeof mayReceive>[0] & { newsDueAt: Date | null; nextAction: NextAction | null }
type Received = Pick<Charge, 'status' | 'amountReceived' | 'fee' | 'refundClaimed'>
type Attempt = Expected & Received

/** A session that can no longer be paid, and its own time now, in milliseconds since the epoch. */
type Ended = { expiresAt: Date; listensUntil: Date | null; at: number }

/**
 * Whether money may still come for an attempt of a session that can no longer be paid: until its rail takes none any
 * more, and as long as that rail is still asked about the attempt or still has to cancel it. None comes for one that
 * waits for the buyer's code: the code is refused. A buyer who is at their bank's page, or has a prompt on the phone,
 * may still agree there.
 */
export function awaitsMoney(attempt: Expected, { at, ...session }: Ended): boolean {
  const isAsked = attempt.newsDueAt !== null || attempt.cancelling === 'due'
  const isInTime = at < Math.max(tooLateAt(session), session.listensUntil?.getTime() ?? 0)
  return mayBringMoney(attempt) && !waitsForCode(attempt) && (isAsked || isInTime)
}

/** Whether it waits for a code. One that was given up keeps its action, but may have been given its code before. */
const waitsForCode = ({ status, nextAction }: Expected): boolean =>
  status === 'requires_action' && asksForCode(nextAction)

const hasMoney = ({ amountReceived }: Attempt): boolean => isLess('0', amountReceived)

/** Whether some of the money that has arrived was not sent back, as a duplicate is. */
const keepsMoney = (attempt: Received): boolean => isLess(attempt.refundClaimed, refundableOf(attempt))

/**
 * How far the refund of all the money of a payment has come: `pending` until every part of it has been sent. It is
 * `none` where some of the money is kept.
 */
export const refundProgresses = ['none', 'pending', 'succeeded'] as const
export type RefundProgress = (typeof refundProgresses)[number]

export function refundProgressOf(payment: Received & Pick<Charge, 'refundedAmount'>): RefundProgress {
  if (isZero(payment.refundClaimed) || keepsMoney(payment)) return 'none'
  return isLess(payment.refundedAmount, payment.refundClaimed) ? 'pending' : 'succeeded'
}

/** What a buyer has to know of, the most important first. */
const concerns: readonly ((attempt: Attempt, session: Ended) => boolean)[] = [
  (attempt) => attempt.status === 'succeeded' && keepsMoney(attempt),
  keepsMoney,
  hasMoney,
  (attempt, session) => mayReceive(attempt) && awaitsMoney(attempt, session),
  awaitsMoney,
]

/**
 * The attempt that the buyer of a session which can no longer be paid has to know of, so that they do not pay a
 * second time: one that has brought money, else one that may still bring it. Of several it is the newest. Null where no
 * money has come and none is expected.
 */
export function attemptOfConcern<A extends Attempt>(newestFirst: readonly A[], session: Ended): A | null {
  for (const concernsBuyer of concerns) {
    const found = newestFirst.find((attempt) => concernsBuyer(attempt, session))
    if (found) return found
  }
  return null
}
