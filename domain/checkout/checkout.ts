import { assertMove, type Moves } from '../move.ts'
import { Refusal } from '../refusal.ts'

export const checkoutStatuses = ['open', 'completed', 'expired', 'cancelled'] as const
export type CheckoutStatus = (typeof checkoutStatuses)[number]

/** Every move of a session. It ends once; money that comes later changes its payment and not the session. */
export const sessionMoves: Moves<CheckoutStatus> = {
  open: ['completed', 'expired', 'cancelled'],
  completed: [],
  expired: [],
  cancelled: [],
}

/** Ends a session; one that has ended is refused. */
export function moveSession(session: { status: CheckoutStatus }, to: CheckoutStatus): void {
  assertMove('checkout session', sessionMoves, session.status, to)
  session.status = to
}

export const paymentStatuses = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'canceled',
] as const
export type CheckoutPaymentStatus = (typeof paymentStatuses)[number]

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

/** Moves the session's `payment_status`; to stay as it is is no move, and an illegal move is refused. */
export function movePaymentStatus(session: Session, to: CheckoutPaymentStatus): void {
  const from = session.paymentStatus
  if (from !== to) assertMove('session’s payment', paymentStatusMoves, from, to)
  session.paymentStatus = to
}

/** Refuses with `CONFLICT` what only an open session may do. */
export function assertOpen(session: Session): void {
  if (session.status !== 'open') throw new Refusal('CONFLICT', `the checkout session is ${session.status}`)
}

/** Refuses with `CONFLICT` while the rail holds the sale: nobody may end or change it until the rail has answered. */
export function assertNotProcessing(session: Session): void {
  if (session.paymentStatus === 'processing') throw new Refusal('CONFLICT', 'a payment is being processed')
}

/** So many attempts at most one session takes: the buyer of a real sale needs a few. */
export const attemptsMax = 100
/** After so many declines a session waits before it takes another attempt. */
export const declinesFree = 10
const firstPauseMs = 60_000
const pauseMaxMs = 24 * 3_600_000

/** How a session has been tried so far; `retryAt` is null while nothing has to be waited for. */
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
 * has had as many as one session takes.
 */
export function assertMayTry({ attempts, retryAt }: AttemptCount, at: number): void {
  if (attempts >= attemptsMax) {
    throw new Refusal('CONFLICT', `the checkout session has had ${attemptsMax} attempts: create a new one`)
  }
  const waitMs = (retryAt?.getTime() ?? 0) - at
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Refusal('TOO_MANY_REQUESTS', `too many declined attempts: try again in ${seconds} s`, [], seconds)
}

/** Milliseconds that push rails are listened to after the session has ended (docs/contract/checkout.md, "Expiry"). */
export const lateMoneyMs = 72 * 3_600_000

/** Milliseconds that an expired session waits for a rail that holds its payment. */
export const expiryGraceMs = 24 * 3_600_000
