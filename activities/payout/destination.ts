import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { applyStoredDecision, decideReview, lockReview } from '../../commands/review.ts'
import { subjectOfDestination } from '../../commands/payout/review-subject.ts'
import { PayoutDestination, routingOf } from '../../db/payout/destination.ts'
import { clockTimeOf, timeOf } from '../../db/core/test-clock.ts'
import { Review } from '../../db/review/review.ts'
import {
  type DestinationStatus,
  moveDestination,
  sandboxDecision,
  sandboxEndings,
} from '../../domain/payout/destination.ts'
import { accountIdentifierOf } from '../../domain/payout/routing.ts'
import { type Decision, decisionOf, nextReminder } from '../../domain/review.ts'
import type { Deps } from '../deps.ts'
import { remindStaff } from '../review-reminder.ts'

/** The state of a destination that its process needs. */
export type DestinationSnapshot = {
  /** Grows with every new statement and every decision about it. */
  revision: number
  /** The number of the statement: 1 for the first, 2 for the second. */
  statement: number
  status: DestinationStatus | 'deactivated'
  /** What has to happen next if nobody decides, and when, in milliseconds since the epoch; null: nothing more. */
  due: { what: 'decide' | 'remind' | 'escalate'; at: number } | null
  /** The time of the destination's test clock; null: the real time. */
  clockTime: number | null
}

/** The steps of the `payout-destination` process. Each returns the destination's state, and is safe to repeat. */
export const payoutDestinationActivities = (deps: Deps) => ({
  readDestination: (id: string): Promise<DestinationSnapshot> => readSnapshot(deps, id),

  /** Applies a decision that staff have stored. Refuses one about an earlier statement. */
  decideDestination: (id: string, decisionId: string, asked: number): Promise<DestinationSnapshot> =>
    inTransaction(deps.database, async (em) => {
      const destination = await lock(em, PayoutDestination, id)
      const at = await timeOf(em, destination, asked)
      const outcome = await applyStoredDecision(em, decisionId, subjectOfDestination(destination), at)
      if (outcome) end(destination, { ...outcome, decision: decisionOf(outcome.decision) }, at)
      return snapshot(em, destination)
    }),

  /** Decides about a statement by the sandbox's rule, unless staff have decided first. */
  decideBySandbox: (id: string, statement: number, asked: number): Promise<DestinationSnapshot> =>
    inTransaction(deps.database, async (em) => {
      const destination = await lock(em, PayoutDestination, id)
      const at = await timeOf(em, destination, asked)
      const review = await lockReview(em, subjectOfDestination(destination))
      const due = dueFor(destination, review)
      // A process that does not know of its test clock yet comes by the real time.
      const isEarly = destination.clockId && due !== null && at < due.at
      const isOpen = destination.revision === statement && review.state === 'open'
      if (isOpen && due?.what === 'decide' && !isEarly) {
        const outcome = { decision: due.decision, reason: due.decision === 'reject' ? sandboxReason : null }
        if (decideReview(review, { ...outcome, by: null }, at)) end(destination, outcome, at)
      }
      return snapshot(em, destination)
    }),

  /** Mails the staff about a destination that nobody has decided, if a mail is due. */
  remindDestinationReviewers: async (id: string, statement: number, at: number): Promise<DestinationSnapshot> => {
    const { clockId } = await deps.database.orm.em.fork().findOneOrFail(PayoutDestination, { id })
    await remindStaff(deps, { ...subjectOfDestination({ id, revision: statement }), clockId }, at)
    return readSnapshot(deps, id)
  },
})

const sandboxReason = `the sandbox rejects numbers that end in ${sandboxEndings.rejected}`

/** What has to happen next for a statement that nobody decides: the sandbox's own decision, or a mail to staff. */
function dueFor(destination: PayoutDestination, review: Review) {
  const number = accountIdentifierOf(routingOf(destination))
  const own = destination.environment === 'sandbox' ? sandboxDecision(number, review.createdAt.getTime()) : null
  return own ? { what: 'decide' as const, ...own } : nextReminder(review)
}

async function readSnapshot({ database }: Deps, id: string): Promise<DestinationSnapshot> {
  const em = database.orm.em.fork()
  return snapshot(em, await em.findOneOrFail(PayoutDestination, { id }))
}

const snapshot = async (em: EntityManager, destination: PayoutDestination): Promise<DestinationSnapshot> => ({
  ...snapshotOf(destination, await em.findOneOrFail(Review, subjectOfDestination(destination))),
  clockTime: await clockTimeOf(em, destination),
})

function snapshotOf(destination: PayoutDestination, review: Review): Omit<DestinationSnapshot, 'clockTime'> {
  const { revision: statement, deactivatedAt } = destination
  const status = deactivatedAt ? 'deactivated' : destination.status
  const waits = status === 'pending_review'
  const due = waits ? dueFor(destination, review) : null
  return { revision: statement * 2 + (waits ? 0 : 1), statement, status, due: due && { what: due.what, at: due.at } }
}

/** Ends the review of a destination. A rejected destination stays rejected, and is no longer the default. */
function end(
  destination: PayoutDestination,
  { decision, reason }: { decision: Decision; reason: string | null },
  at: number,
): void {
  moveDestination(destination, decision === 'approve' ? 'approved' : 'rejected')
  Object.assign(destination, { reviewedAt: new Date(at), updatedAt: new Date(at) })
  if (decision === 'reject') Object.assign(destination, { statusReason: reason, isDefault: false })
}

/** The types of the activities, for the process that calls them. */
export type PayoutDestinationActivities = ReturnType<typeof payoutDestinationActivities>
