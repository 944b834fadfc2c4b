import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { applyStoredDecision } from '../../commands/review.ts'
import { subjectOfPayout } from '../../commands/payout/review-subject.ts'
import { endPayout, type PayoutEnding } from '../../commands/payout/end-payout.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { Payout } from '../../db/payout/payout.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { destinationInReview, isInReview } from '../../domain/payout/destination.ts'
import { isWithRail, movePayout, notDelivered, rejectedWithoutReason } from '../../domain/payout/payout.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import { conflict, Refusal } from '../../domain/refusal.ts'
import type { Deps } from '../deps.ts'
import { assertOwn, concludeAction, orThrow, readAction, takeUpAction } from '../operator-action.ts'
import { answerOrNull } from '../answer-or-null.ts'
import { remindStaff } from '../review-reminder.ts'
import { submitPayout } from './payout.ts'
import { recordPayoutEnd, recordRailAnswer } from './answer.ts'
import { type PayoutSnapshot, snapshotOf, withClockTime } from './snapshot.ts'
import type { PayoutAnswer } from '../../rails/payout-rail.ts'
import { callRail } from '../../rails/rail-refusal.ts'

/** What staff do in the `payout` process: decide about a payout that is held, and act on one that is stuck. */
export const payoutStaffActivities = (deps: Deps) => ({
  /** Applies a reviewer's decision. The same decision again changes nothing; the opposite one is refused. */
  decidePayout: (id: string, decisionId: string, asked: number): Promise<PayoutSnapshot> =>
    inTransaction(deps.database, async (em) => {
      const payout = await lock(em, Payout, id)
      const at = await timeOf(em, payout, asked)
      const outcome = await applyStoredDecision(em, decisionId, subjectOfPayout(payout), at)
      if (outcome?.decision === 'approve') await approve(em, payout)
      if (outcome?.decision === 'reject') {
        await endPayout(em, payout, { status: 'rejected', reason: outcome.reason ?? rejectedWithoutReason }, at)
        await recordPayoutEnd(em, payout, at)
      }
      if (outcome) payout.updatedAt = new Date(at)
      return withClockTime(em, payout, snapshotOf(payout))
    }),

  /** Mails the staff if a mail is due. Returns when to look again, in milliseconds since the epoch; null: never. */
  remindPayoutReviewers: async (id: string, at: number): Promise<number | null> => {
    const payout = await deps.database.orm.em.fork().findOneOrFail(Payout, { id })
    return remindStaff(deps, { ...subjectOfPayout(payout), clockId: payout.clockId }, at)
  },

  /**
   * Carries out an operator action. Before a mark or a retry the rail is asked, and its answer counts for more than the
   * order: an order that contradicts it is refused, and the payout ends as the rail says. A rail that does not answer
   * stops nobody from acting: a payout is then marked on the word of staff alone, and a retry is left to the process.
   */
  carryOutAction: async (actionId: string, asked: number, own?: string): Promise<PayoutSnapshot> => {
    const { database, rails } = deps
    const reader = database.orm.em.fork()
    const { action, state, payoutId } = await readAction(reader, actionId)
    const id = assertOwn(payoutId, own)
    const payout = await reader.findOneOrFail(Payout, { id })
    const at = await timeOf(reader, payout, asked)
    const rail = rails.in(payout.environment).paying(payout.destinationType, payout.currency)
    if (action === 'hold' || action === 'release') {
      return orThrow(await inTransaction(database, (em) => setHold(em, actionId, at)))
    }
    if (action === 'retry') {
      if (payout.onHoldSince || state === 'refused')
        return orThrow(await inTransaction(database, (em) => refuseOnHold(em, actionId, at)))
      const given = await answerOrNull(() => submitPayout(database, rails, id, at))
      return inTransaction(database, async (em) => {
        const { payout: retried, action: row, at: concludedAt } = await lockActionAndPayout(em, actionId, at)
        concludeAction(em, row, 'executed', concludedAt)
        return given ?? { ...snapshotOf(retried), isOrderDue: true }
      })
    }
    // The rail keeps a cancelling for good, so none is sent for a mark that is refused all the same: another order of
    // staff may have released the payout since this one was given.
    if (state === 'refused' || !isMarkable(payout))
      return orThrow(await inTransaction(database, (em) => mark(em, actionId, null, at)))
    const call = () => (action === 'mark_failed' ? rail.cancelPayout(id, at) : rail.lookUpPayout(id, at))
    const answer = (await answerOrNull(() => callRail(call))) ?? noAnswer
    const done = await inTransaction(database, (em) => mark(em, actionId, answer, at))
    if (!(done instanceof Refusal)) return done
    if (answer !== noAnswer) await recordRailAnswer(database, id, answer, at)
    throw done
  },
})

/** The types of the activities, for the process that calls them. */
export type PayoutStaffActivities = ReturnType<typeof payoutStaffActivities>

/**
 * Approves a held payout. Refused while its destination is in review: the payout would only be held again, and the
 * decision would come to nothing.
 */
async function approve(em: EntityManager, payout: Payout): Promise<void> {
  const destination = await em.findOneOrFail(PayoutDestination, { id: payout.destinationId })
  if (isInReview(destination, payout)) {
    const message = 'the destination of this payout is in review: decide about the destination first'
    throw conflict(destinationInReview, message)
  }
  movePayout(payout, 'approved')
}

/** The answer of a rail that has not answered. */
const noAnswer: PayoutAnswer = { status: 'unknown', traceId: null, newsDueAt: null }

/** Whether staff may mark a payout. What is neither sent nor on hold is being sent. */
const isMarkable = ({ status, onHoldSince }: Payout): boolean => status === 'processing' || onHoldSince !== null

/**
 * Ends the payout as staff have ordered, unless the rail says the opposite or the payout has ended otherwise meanwhile.
 * `answer` is null where the rail was not asked: then it is not marked.
 */
async function mark(
  em: EntityManager,
  actionId: string,
  answer: PayoutAnswer | null,
  asked: number,
): Promise<PayoutSnapshot | Refusal> {
  const { action: row, payout, at } = await lockActionAndPayout(em, actionId, asked)
  const { action, state } = row
  if (state === 'executed') return snapshotOf(payout)
  const ending: PayoutEnding =
    action === 'mark_settled' ? { status: 'completed' } : { status: 'failed', reason: notDelivered }
  const opposite = action === 'mark_settled' ? ['failed', 'not_found', 'returned'] : ['completed', 'returned']
  const isOpposed = answer !== null && opposite.includes(answer.status)
  const isOpen = isMarkable(payout)
  if (answer === null || state === 'refused' || isOpposed || !isOpen) {
    concludeAction(em, row, 'refused', at)
    // The process gets the refusal and not what the rail says, so it has to ask: otherwise it waits for its next poll.
    if (isOpposed && isOpen) signalProcess(em, 'payout', payout.id, aboutPayout(payout, 'rail'), 'railAnswered')
    return new Refusal('CONFLICT', isOpposed ? `the rail says: ${answer.status}` : `the payout is ${payout.status}`)
  }
  await endPayout(em, payout, ending, at)
  await recordPayoutEnd(em, payout, at)
  concludeAction(em, row, 'executed', at)
  return snapshotOf(payout)
}

/** An action with its payout; both are locked, the payout first, as everywhere. */
async function lockActionAndPayout(em: EntityManager, actionId: string, asked: number) {
  const { payoutId } = await readAction(em, actionId)
  const payout = await lock(em, Payout, payoutId ?? '')
  return { payout, action: await takeUpAction(em, actionId), at: await timeOf(em, payout, asked) }
}

/** Refuses a retry that was ordered before a hold. One that an earlier try of this step has carried out stays so. */
async function refuseOnHold(em: EntityManager, actionId: string, asked: number): Promise<PayoutSnapshot | Refusal> {
  const { payout, action, at } = await lockActionAndPayout(em, actionId, asked)
  if (action.state === 'executed') return snapshotOf(payout)
  concludeAction(em, action, 'refused', at)
  return new Refusal('CONFLICT', 'the payout is on hold')
}

/** Holds or releases a payout. On hold nothing is sent; a release has the process send the order again. */
async function setHold(em: EntityManager, actionId: string, asked: number): Promise<PayoutSnapshot | Refusal> {
  const { payout, action, at } = await lockActionAndPayout(em, actionId, asked)
  const isOpen = isWithRail(payout.status)
  // What an earlier try of this step has carried out stays so, also where the payout has ended meanwhile.
  if (action.state === 'refused' || (action.state === 'approved' && !isOpen)) {
    concludeAction(em, action, 'refused', at)
    return new Refusal('CONFLICT', `the payout is ${payout.status}`)
  }
  if (action.state === 'approved') payout.onHoldSince = action.action === 'hold' ? new Date(at) : null
  concludeAction(em, action, 'executed', at)
  return { ...snapshotOf(payout), isOrderDue: isOpen && payout.onHoldSince === null }
}
