import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import type { Payout } from '../../db/payout/payout.ts'
import { payoutProgress, type PayoutStatus } from '../../domain/payout/payout.ts'
import type { PayoutAnswer } from '../../rails/payout-rail.ts'

/** The state of a payout that its process needs: no text, and nothing about where the money goes. */
export type PayoutSnapshot = {
  status: PayoutStatus
  isReturned: boolean
  /** When the order was first sent to the rail, in milliseconds since the epoch. */
  submittedAt: number | null
  /** When the rail should have news, in milliseconds since the epoch; null where that is unknown. */
  newsDueAt: number | null
  /** When staff are next mailed about a held payout that nobody has decided; null: never. */
  remindAt: number | null
  /** Whether staff have stopped it: nothing is sent. Left out by workers from before 2026-11-24. */
  isOnHold?: boolean
  /** Whether the provider reports a different outcome than our books. */
  isContradicted: boolean
  /** Whether staff have ordered a retry that the rail has not answered yet. */
  isOrderDue?: boolean
  /** The time of the payout's test clock; null: the real time. Left out where a step does not tell. */
  clockTime?: number | null
  /** Grows with every change, so that the process keeps the newer of two snapshots. */
  revision: number
}

export const snapshotOf = (payout: Payout, answer?: PayoutAnswer): PayoutSnapshot => ({
  status: payout.status,
  isReturned: payout.returnedAt !== null,
  submittedAt: payout.submittedAt?.getTime() ?? null,
  newsDueAt: answer?.newsDueAt ?? null,
  remindAt: null,
  ...(payout.onHoldSince && { isOnHold: true }),
  isContradicted: answer !== undefined && contradicts(payout, answer),
  revision: payoutProgress(payout.status, payout.heldAgain) + (payout.returnedAt ? 1 : 0),
})

/** A snapshot with the time of the payout's test clock. */
export const withClockTime = async (
  em: EntityManager,
  payout: Payout,
  snapshot: PayoutSnapshot,
): Promise<PayoutSnapshot> => ({
  ...snapshot,
  clockTime: await clockTimeOf(em, payout),
})

const contradicts = ({ status }: Payout, answer: PayoutAnswer): boolean =>
  status === 'completed'
    ? answer.status === 'failed' || answer.status === 'revoked'
    : status === 'failed' && answer.status === 'completed'
