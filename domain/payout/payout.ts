import { assertMove, type Moves } from '../move.ts'
import { hourMs } from '../duration.ts'

export const payoutStatuses = [
  'requested',
  'pending',
  'processing',
  'approved',
  'rejected',
  'completed',
  'failed',
] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** How a payout ends. After `failed` and `rejected` the reserved money is released to the balance. */
export type PayoutEnd = 'completed' | 'failed' | 'rejected'

/**
 * Every move that a payout can make (docs/contract/payout.md, "Transitions"). An approved one is held again where its
 * destination has been restated since.
 */
export const payoutMoves: Moves<PayoutStatus> = {
  requested: ['approved', 'pending'],
  pending: ['approved', 'rejected'],
  approved: ['processing', 'failed', 'pending'],
  processing: ['completed', 'failed'],
  rejected: [],
  completed: [],
  failed: [],
}

export const isPayoutEnded = (status: PayoutStatus): status is PayoutEnd => payoutMoves[status].length === 0

/** Whether the payout is to be sent to its rail, or may have been. */
export const isWithRail = (status: PayoutStatus): boolean => status === 'approved' || status === 'processing'

/** Moves a payout to another status. */
export function movePayout(payout: { status: PayoutStatus }, to: PayoutStatus): void {
  assertMove('payout', payoutMoves, payout.status, to)
  payout.status = to
}

/** The progress of a payout: a number that grows with each of its moves, also with those that hold it again. */
export const payoutProgress = (status: PayoutStatus, heldAgain = 0): number =>
  heldAgain * 20 + (['requested', 'pending', 'approved', 'processing'].indexOf(status) + 1 || 10)

/** The failure reason that a merchant reads where neither rail nor reviewer has given one. */
export const destinationUnusable = 'The destination could no longer be used when the payout was due to be sent.'
export const termsChanged = 'The destination has changed and so has the fee: request the payout again.'
export const payoutsNotActive = 'The account was not allowed to pay out when the payout was due to be sent.'
export const railRefused = 'The payment provider did not accept the payout.'
export const notDelivered = 'The payout could not be delivered.'
export const rejectedWithoutReason = 'The payout was rejected.'

const lossCodes: Record<string, string> = {
  [destinationUnusable]: 'destination_not_usable',
  [termsChanged]: 'terms_changed',
  [payoutsNotActive]: 'payouts_not_active',
  [railRefused]: 'rail_refused',
  [notDelivered]: 'not_delivered',
}

/** Why a payout has not arrived, as a code; `reason` is the text that a merchant reads. */
export const lossCodeOf = (status: PayoutStatus, reason: string): string =>
  status === 'rejected' ? 'rejected_in_review' : (lossCodes[reason] ?? 'rail_failed')

/** Why a payout is held again. */
export const restatedSince = 'the destination changed after the payout was accepted'

/** A payout that the rail has not answered counts as stuck this long after it was sent to the rail, in milliseconds. */
export const stuckAfterMs = hourMs

/** When a payout that the rail has not answered counts as stuck. */
export const stuckAt = (submittedAt: number): number => submittedAt + stuckAfterMs
