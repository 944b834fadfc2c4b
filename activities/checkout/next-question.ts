import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { tooLateAt } from '../../domain/checkout/checkout.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { minuteMs } from '../../domain/duration.ts'

/** The last question comes this long before money would be too late, in milliseconds. */
const lastAheadMs = minuteMs

/**
 * When the rail is asked again about an attempt that was given up: by our schedule, and once more before its money
 * would be too late; null after that.
 */
export const lateMoneyQuestionAt = (session: Checkout, { createdAt }: Payment, at: number): Date | null =>
  dueOrLast(session, nextPollAt(createdAt.getTime(), at), at)

/** A moment for a question, but no later than shortly before money would be too late; null once it would be. */
export function dueOrLast(session: Checkout, dueAt: number, at: number): Date | null {
  const last = tooLateAt(session) - lastAheadMs
  return whileInTime(session, at < last ? Math.min(dueAt, last) : dueAt)
}

/** A moment for a question to the rail; null once money that is found then would be too late. */
export const whileInTime = (session: Checkout, at: number): Date | null =>
  at < tooLateAt(session) ? new Date(at) : null
