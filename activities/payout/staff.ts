import { setTimeout } from 'node:timers/promises'
import { audit } from '../../db/core/audit.ts'
import { actsAs, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { applyStoredDecision, subjectOfPayout } from '../../commands/payout/decide-review.ts'
import { endPayout, type PayoutEnding } from '../../commands/payout/end-payout.ts'
import { OperatorAction } from '../../db/payout/operator-action.ts'
import { Payout } from '../../db/payout/payout.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { movePayout, notDelivered, rejectedWithoutReason } from '../../domain/payout/payout.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Deps } from '../deps.ts'
import { remindStaff } from './review-reminder.ts'
import { submitPayout } from './payout.ts'
import { onClock, recordRailAnswer, type PayoutSnapshot, snapshotOf, recordPayoutEnd } from './answer.ts'
import type { PayoutAnswer } from '../../rails/payout-rail.ts'
import { callRail, RailUnavailable } from '../../rails/rail-refusal.ts'

/** What staff do in the `payout` process: decide about a payout that is held, and act on one that is stuck. */
export const payoutStaffActivities = (deps: Deps) => ({
  /** Applies a reviewer's decision. The same decision again changes nothing; the opposite one is refused. */
  decidePayout: (id: string, decisionId: string, asked: number): Promise<PayoutSnapshot> =>
    inTransaction(deps.database, async (em) => {
      const payout = await lock(em, Payout, id)
      const at = await timeOf(em, payout, asked)
      const taken = await applyStoredDecision(em, decisionId, subjectOfPayout(payout), at)
      if (taken?.decision === 'approve') movePayout(payout, 'approved')
      if (taken?.decision === 'reject') {
        await endPayout(em, payout, { status: 'rejected', reason: taken.reason ?? rejectedWithoutReason }, at)
        await recordPayoutEnd(em, payout, at)
      }
      if (taken) payout.updatedAt = new Date(at)
      return onClock(em, payout, snapshotOf(payout))
    }),

  /** Mails the staff if a mail is due. Returns when to look again, in milliseconds since the epoch; null: never. */
  remindPayoutReviewers: async (id: string, at: number): Promise<number | null> => {
    const payout = await deps.database.orm.em.fork().findOneOrFail(Payout, { id })
    return remindStaff(deps, { ...subjectOfPayout(payout), clockId: payout.clockId }, at)
  },

  /**
   * Carries out an operator action. The rail is asked first, and its answer counts for more than the order: an order
   * that contradicts it is refused, and the payout ends as the rail says. A rail that does not answer stops nobody from
   * acting: a payout is then marked on the word of staff alone, and a retry is left to the process.
   */
  carryOutAction: async (actionId: string, asked: number): Promise<PayoutSnapshot> => {
    const { database, rails } = deps
    const reader = database.orm.em.fork()
    const { action, payoutId: id } = await reader.findOneOrFail(OperatorAction, { id: actionId })
    const payout = await reader.findOneOrFail(Payout, { id })
    const at = await timeOf(reader, payout, asked)
    const rail = rails.in(payout.environment).paying(payout.destinationType)
    if (action === 'retry') {
      const given = await answered(() => submitPayout(database, rails, id, at))
      return inTransaction(database, async (em) => {
        await conclude(em, actionId, 'executed', at)
        return given ?? { ...snapshotOf(await em.findOneOrFail(Payout, { id })), isOrderDue: true }
      })
    }
    const call = () => (action === 'mark_failed' ? rail.cancelPayout(id, at) : rail.lookUpPayout(id, at))
    const answer = (await answered(() => callRail(call))) ?? silence
    const done = await inTransaction(database, (em) => mark(em, actionId, answer, at))
    if (!(done instanceof Refusal)) return done
    await recordRailAnswer(database, id, answer, at)
    throw done
  },
})

/** The types of the activities, for the process that calls them. */
export type PayoutStaffActivities = ReturnType<typeof payoutStaffActivities>

const silence: PayoutAnswer = { status: 'unknown', traceId: null, newsDueAt: null }
/** A rail is asked this many times while a member of staff waits for the answer. */
const triesMax = 3
const patienceMs = 3_000
const pauseMs = 500

/**
 * The rail's answer; null where it is unavailable. It is limited in time, so that staff get their response before their
 * call times out.
 */
async function answered<T>(call: () => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries++) {
    const answer = await withPatience(call)
    if (answer !== null || tries === triesMax) return answer
    await setTimeout(pauseMs)
  }
}

async function withPatience<T>(call: () => Promise<T>): Promise<T | null> {
  const abort = new AbortController()
  const patience = setTimeout(patienceMs, null, { signal: abort.signal }).catch(() => null)
  try {
    return await Promise.race([call(), patience])
  } catch (error) {
    if (error instanceof RailUnavailable) return null
    throw error
  } finally {
    abort.abort()
  }
}

/**
 * Ends the payout as staff have ordered, unless the rail says the opposite or the payout has ended otherwise meanwhile.
 */
async function mark(
  em: EntityManager,
  actionId: string,
  answer: PayoutAnswer,
  asked: number,
): Promise<PayoutSnapshot | Refusal> {
  const { payoutId } = await em.findOneOrFail(OperatorAction, { id: actionId })
  const payout = await lock(em, Payout, payoutId)
  const at = await timeOf(em, payout, asked)
  const { action, state, approvedBy, proposedBy } = await lock(em, OperatorAction, actionId)
  actsAs(em, 'operator', approvedBy ?? proposedBy)
  if (state === 'executed') return snapshotOf(payout)
  const ending: PayoutEnding =
    action === 'mark_settled' ? { status: 'completed' } : { status: 'failed', reason: notDelivered }
  const opposite = action === 'mark_settled' ? ['failed', 'not_found'] : ['completed', 'returned']
  const isOpposed = opposite.includes(answer.status)
  if (state === 'refused' || isOpposed || payout.status !== 'processing') {
    await conclude(em, actionId, 'refused', at)
    return new Refusal('CONFLICT', isOpposed ? `the rail says: ${answer.status}` : `it is ${payout.status}`)
  }
  await endPayout(em, payout, ending, at)
  await recordPayoutEnd(em, payout, at)
  await conclude(em, actionId, 'executed', at)
  return snapshotOf(payout)
}

/**
 * Records the outcome of an operator action, also in the audit log. That entry has no address, as it comes from the
 * process and not from a call.
 */
async function conclude(em: EntityManager, actionId: string, state: 'executed' | 'refused', at: number): Promise<void> {
  const row = await lock(em, OperatorAction, actionId)
  if (row.state === state) return
  Object.assign(row, { state, updatedAt: new Date(at) })
  const { accountId, payoutId: target, approvedBy, proposedBy } = row
  const action = `payout.${row.action}_${state}`
  audit(em, { action, accountId, userId: approvedBy ?? proposedBy, address: 'process', target }, at)
}
