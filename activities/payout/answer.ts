import { type Database, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { endPayout, returnPayout } from '../../commands/payout/end-payout.ts'
import { Payout } from '../../db/payout/payout.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { payoutProgress, type PayoutStatus } from '../../domain/payout/payout.ts'
import { payoutFailed, payoutPaid, payoutReturned } from '../../schemas/payout/event.ts'
import type { PayoutAnswer } from '../../rails/payout-rail.ts'

/** How a payout stands, as far as its process has to know: no text, and nothing about where the money goes. */
export type PayoutSnapshot = {
  status: PayoutStatus
  isReturned: boolean
  /** When the rail was given it first, in milliseconds since the epoch. */
  submittedAt: number | null
  /** When the rail should have news, in milliseconds since the epoch; null where nobody knows. */
  newsDueAt: number | null
  /** When staff are told that nobody has decided, where it is read as held; null: no more. */
  remindAt: number | null
  /** Whether the provider reports a different outcome than our books. */
  isContradicted: boolean
  /** Whether staff want the order given again, which the rail has not answered. */
  isOrderDue?: boolean
  /** Grows with every move, so that of two answers the process keeps the later one. */
  revision: number
}

export const snapshotOf = (payout: Payout, answer?: PayoutAnswer): PayoutSnapshot => ({
  status: payout.status,
  isReturned: payout.returnedAt !== null,
  submittedAt: payout.submittedAt?.getTime() ?? null,
  newsDueAt: answer?.newsDueAt ?? null,
  remindAt: null,
  isContradicted: answer !== undefined && contradicts(payout, answer),
  revision: payoutProgress(payout.status, payout.heldAgain) + (payout.returnedAt ? 1 : 0),
})

const contradicts = ({ status }: Payout, answer: PayoutAnswer): boolean =>
  status === 'completed' ? answer.status === 'failed' : status === 'failed' && answer.status === 'completed'

/**
 * Writes down what the rail says: its own id, the end, and money that the bank has sent back. A payout that has ended
 * keeps its end, whatever the rail says later.
 */
export const recordRailAnswer = (
  database: Database,
  id: string,
  answer: PayoutAnswer,
  at: number,
): Promise<PayoutSnapshot> =>
  inTransaction(database, async (em) => {
    const payout = await lock(em, Payout, id)
    if (answer.traceId !== null && payout.traceId === null) {
      Object.assign(payout, { traceId: answer.traceId, updatedAt: new Date(at) })
    }
    await applyAnswer(em, payout, answer, at)
    return snapshotOf(payout, answer)
  })

async function applyAnswer(em: EntityManager, payout: Payout, answer: PayoutAnswer, at: number): Promise<void> {
  if (payout.status === 'processing') {
    const { status } = answer
    if (status === 'failed') await endPayout(em, payout, { status, reason: answer.reason }, at)
    if (status === 'completed' || status === 'returned') await endPayout(em, payout, { status: 'completed' }, at)
    await recordPayoutEnd(em, payout, at)
  }
  if (answer.status === 'returned' && payout.status === 'completed' && (await returnPayout(em, payout, at))) {
    const data = payoutReturned(payout, new Date(at))
    await recordEvent(em, payout, { type: 'payout.returned', resourceId: payout.id, data }, at)
  }
}

/** Tells the end that a payout has just come to; nothing while it has come to none. */
export async function recordPayoutEnd(em: EntityManager, payout: Payout, at: number): Promise<void> {
  const when = new Date(at)
  if (payout.status === 'completed') {
    const data = payoutPaid(payout, when)
    await recordEvent(em, payout, { type: 'payout.paid', resourceId: payout.id, data }, at)
  }
  if (payout.status === 'failed' || payout.status === 'rejected') {
    const data = payoutFailed(payout, when)
    await recordEvent(em, payout, { type: 'payout.failed', resourceId: payout.id, data }, at)
  }
}
