import { dayMs, hourMs, minuteMs } from '../duration.ts'
import { assertMove, type Moves } from '../move.ts'
import { conflict, Refusal } from '../refusal.ts'

export const checkoutStatuses = ['open', 'completed', 'expired', 'cancelled'] as const
export type CheckoutStatus = (typeof checkoutStatuses)[number]

/** Every legal move of a session. It ends once: money that arrives later changes its payment and not the session. */
export const sessionMoves: Moves<CheckoutStatus> = {
  open: ['completed', 'expired', 'cancelled'],
  completed: [],
  expired: [],
  cancelled: [],
}

/** Ends a session. */
export function moveSession(session: { status: CheckoutStatus }, to: CheckoutStatus): void {
  assertMove('checkout session', sessionMoves, session.status, to)
  session.status = to
}

export const checkoutPaymentStatuses = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'canceled',
] as const
export type CheckoutPaymentStatus = (typeof checkoutPaymentStatuses)[number]

/** The moves of `payment_status` (docs/contract/checkout.md, "Payment status of a session"). */
export const paymentStatusMoves: Moves<CheckoutPaymentStatus> = {
  requires_payment_method: ['requires_confirmation', 'processing', 'succeeded', 'canceled'],
  requires_confirmation: ['requires_confirmation', 'requires_action', 'processing', 'canceled'],
  requires_action: ['requires_confirmation', 'requires_action', 'processing', 'failed', 'canceled'],
  processing: ['requires_action', 'succeeded', 'failed', 'canceled'],
  failed: ['requires_payment_method', 'canceled'],
  succeeded: [],
  canceled: [],
}

type Session = { status: CheckoutStatus; paymentStatus: CheckoutPaymentStatus }

/** Moves the session's `payment_status`. The same status again is allowed. */
export function moveCheckoutPaymentStatus(session: Session, to: CheckoutPaymentStatus): void {
  const from = session.paymentStatus
  if (from !== to) assertMove('session’s payment', paymentStatusMoves, from, to)
  session.paymentStatus = to
}

/** Refuses with `CONFLICT` when the session is not open. */
export function assertOpen(session: Session): void {
  if (session.status !== 'open') throw new Refusal('CONFLICT', `the checkout session is ${session.status}`)
}

/**
 * Refuses with `CONFLICT` when the session is not open, or its time was over at `at` (milliseconds since the epoch):
 * its process may not have ended it yet.
 */
export function assertInTime(session: Session & { expiresAt: Date }, at: number): void {
  assertOpen(session)
  if (session.expiresAt.getTime() <= at) throw new Refusal('CONFLICT', 'the checkout session is expired')
}

/**
 * Refuses with `CONFLICT` while the rail processes the session's payment: nobody may end or change the session until
 * the rail has answered.
 */
export function assertNotProcessing(session: Session): void {
  if (session.paymentStatus === 'processing') throw new Refusal('CONFLICT', 'a payment is being processed')
}

/** The most attempts of one session; a real buyer needs a few. */
export const attemptsMax = 100
/** The entry code of a refusal: the session takes no more attempts, and the buyer needs a new one. */
export const tooManyAttempts = 'too_many_attempts'
/** From this many declines on a session waits before it allows another attempt. */
export const declinesFree = 10
const firstPauseMs = minuteMs
const pauseMaxMs = dayMs

/** The attempts and declines of a session so far; `retryAt` is null while no wait is needed. */
export type AttemptCount = { attempts: number; declines: number; retryAt: Date | null }

/**
 * Counts a decline. From the tenth on the session waits: a minute, and twice as long after each further one, so that
 * nobody tries out card numbers on it.
 */
export function countDecline(session: AttemptCount, at: number): void {
  session.declines += 1
  if (session.declines < declinesFree) return
  const pauseMs = Math.min(firstPauseMs * 2 ** (session.declines - declinesFree), pauseMaxMs)
  session.retryAt = new Date(at + pauseMs)
}

/**
 * Refuses another attempt with `TOO_MANY_REQUESTS` while the session waits after declines, and with `CONFLICT` once it
 * has had the most attempts that a session may have.
 */
export function assertMayTry({ attempts, retryAt }: AttemptCount, at: number): void {
  if (attempts >= attemptsMax) {
    throw conflict(tooManyAttempts, `the checkout session has had ${attemptsMax} attempts: create a new one`)
  }
  const waitMs = (retryAt?.getTime() ?? 0) - at
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Refusal('TOO_MANY_REQUESTS', `too many declined attempts: try again in ${seconds} s`, [], seconds)
}

/**
 * How long late money is expected from push rails after the session has ended, in milliseconds
 * (docs/contract/checkout.md, "Expiry").
 */
export const lateMoneyMs = 72 * hourMs

/** Until when rails take money for a session, in milliseconds since the epoch, also if it was cancelled earlier. */
export const tooLateAt = ({ expiresAt }: { expiresAt: Date }): number => expiresAt.getTime() + lateMoneyMs

/** How long a session past its expiry waits for a rail that processes its payment, in milliseconds. */
export const expiryGraceMs = dayMs

/** The difference of two clocks that are kept right, and more: nobody has to wait for it. */
export const clocksDifferMs = 1_000
