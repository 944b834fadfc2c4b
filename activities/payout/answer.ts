import { log } from '@temporalio/activity'
import { actsAs, type Database, type EntityManager, inTransaction, lock, outcomeTime } from '../../db/core/database.ts'
import { endPayout, returnPayout } from '../../commands/payout/end-payout.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Payout } from '../../db/payout/payout.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { nextPayoutPollAt, noteAsked } from '../../domain/rail-polls.ts'
import { payoutFailed, payoutPaid, payoutReturned } from '../../schemas/payout/event.ts'
import type { PayoutAnswer } from '../../rails/payout-rail.ts'
import { type PayoutSnapshot, snapshotOf, withClockTime } from './snapshot.ts'

/**
 * Records the rail's answer: its own id, the outcome, and money that the bank has returned. A payout that has ended
 * keeps its end, whatever the rail says later. One that has not ends by no `revoked` answer: it is stuck, for staff.
 */
export const recordRailAnswer = (
  database: Database,
  id: string,
  answer: PayoutAnswer,
  asked: number,
): Promise<PayoutSnapshot> =>
  inTransaction(database, async (em) => {
    const payout = await lock(em, Payout, id)
    const at = await outcomeTime(em, await timeOf(em, payout, asked))
    if (answer.traceId !== null && payout.traceId === null) {
      Object.assign(payout, { traceId: answer.traceId, updatedAt: new Date(at) })
    }
    await applyAnswer(em, payout, answer, at)
    const snapshot = snapshotOf(payout, answer)
    if (snapshot.isContradicted) log.warn('the provider reports a different outcome of this payout than our books')
    return withClockTime(em, payout, snapshot)
  })

async function applyAnswer(em: EntityManager, payout: Payout, answer: PayoutAnswer, at: number): Promise<void> {
  actsAs(em, 'rail')
  payout.newsDueAt = null
  if (payout.status === 'processing') {
    noteAsked(payout, nextPayoutPollAt(answer.newsDueAt, payout.submittedAt?.getTime() ?? at, at))
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

/** Records the event of a payout's end, once the payout has ended; before that it records nothing. */
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
