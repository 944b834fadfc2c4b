import { Refusal } from './refusal.ts'

export const payoutStatuses = [
  ...(['requested', 'pending', 'processing', 'approved', 'rejected', 'completed', 'failed'] as const),
] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** How a payout ends without having arrived: what was held back for it goes back to the balance. */
export type PayoutEnd = 'completed' | 'failed' | 'rejected'

/** Every move that a payout can make (decisions.md, section 5, "Transitions"). */
export const payoutMoves: Record<PayoutStatus, readonly PayoutStatus[]> = {
  requested: ['approved', 'pending'],
  pending: ['approved', 'rejected'],
  approved: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  rejected: [],
  completed: [],
  failed: [],
}

export const hasEnded = (status: PayoutStatus): status is PayoutEnd => payoutMoves[status].length === 0

/** Moves a payout on; an illegal move is a fault of ours and never retried into being. */
export function movePayout(payout: { status: PayoutStatus }, to: PayoutStatus): void {
  if (!payoutMoves[payout.status].includes(to)) {
    throw new Refusal('CONFLICT', `a payout that is ${payout.status} cannot become ${to}`)
  }
  payout.status = to
}
