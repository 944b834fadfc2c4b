import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import {
  applyStoredDecision,
  decideReview,
  lockReview,
  subjectOfDestination,
} from '../../commands/payout/decide-review.ts'
import { PayoutDestination, routingOf } from '../../db/payout/destination.ts'
import { Review } from '../../db/payout/review.ts'
import {
  type DestinationStatus,
  moveDestination,
  sandboxDecision,
  sandboxEndings,
} from '../../domain/payout/destination.ts'
import { accountIdentifierOf } from '../../domain/payout/routing.ts'
import { type Decision, nextReminder } from '../../domain/payout/review.ts'
import type { Deps } from '../deps.ts'
import { remindStaff } from './review-reminder.ts'

/** How a destination stands, for its process. */
export type DestinationSnapshot = {
  /** Grows with every statement and with what becomes of it. */
  revision: number
  /** Which statement of where money goes this is about: the first, the second. */
  statement: number
  status: DestinationStatus | 'deactivated'
  /** What is due should nobody decide, in milliseconds since the epoch; null when there is nothing more. */
  due: { what: 'decide' | 'remind' | 'escalate'; at: number } | null
}

/** The steps of the `payout-destination` process. Each answers how the destination stands, and is safe to repeat. */
export const payoutDestinationActivities = (deps: Deps) => ({
  readDestination: (id: string): Promise<DestinationSnapshot> => readSnapshot(deps, id),

  /** Takes the decision that somebody of the staff has written down; refuses one about an earlier statement. */
  decideDestination: (id: string, decisionId: string, at: number): Promise<DestinationSnapshot> =>
    inTransaction(deps.database, async (em) => {
      const destination = await lock(em, PayoutDestination, id)
      const said = await applyStoredDecision(em, decisionId, subjectOfDestination(destination), at)
      if (said) end(destination, said, at)
      return snapshot(em, destination)
    }),

  /** The sandbox's own decision about a statement, unless somebody was faster. */
  decideBySandbox: (id: string, statement: number, at: number): Promise<DestinationSnapshot> =>
    inTransaction(deps.database, async (em) => {
      const destination = await lock(em, PayoutDestination, id)
      const review = await lockReview(em, subjectOfDestination(destination))
      const due = dueFor(destination, review)
      if (destination.revision === statement && review.state === 'open' && due?.what === 'decide') {
        const said = { decision: due.decision, reason: due.decision === 'reject' ? sandboxReason : null }
        if (decideReview(review, { ...said, by: null }, at)) end(destination, said, at)
      }
      return snapshot(em, destination)
    }),

  /** Mails the staff about what nobody has decided, where that is due. */
  remindDestinationReviewers: async (id: string, statement: number, at: number): Promise<DestinationSnapshot> => {
    await remindStaff(deps, subjectOfDestination({ id, revision: statement }), at)
    return readSnapshot(deps, id)
  },
})

const sandboxReason = `the sandbox rejects numbers that end in ${sandboxEndings.rejected}`

/** What is due for a statement that nobody decides: the sandbox's own decision, or a word to the staff. */
function dueFor(destination: PayoutDestination, review: Review) {
  const number = accountIdentifierOf(routingOf(destination))
  const own = destination.environment === 'sandbox' ? sandboxDecision(number, review.createdAt.getTime()) : null
  return own ? { what: 'decide' as const, ...own } : nextReminder(review)
}

async function readSnapshot({ database }: Deps, id: string): Promise<DestinationSnapshot> {
  const em = database.orm.em.fork()
  return snapshot(em, await em.findOneOrFail(PayoutDestination, { id }))
}

const snapshot = async (em: EntityManager, destination: PayoutDestination): Promise<DestinationSnapshot> =>
  snapshotOf(destination, await em.findOneOrFail(Review, subjectOfDestination(destination)))

function snapshotOf(destination: PayoutDestination, review: Review): DestinationSnapshot {
  const { revision: statement, deactivatedAt } = destination
  const status = deactivatedAt ? 'deactivated' : destination.status
  const waits = status === 'pending_review'
  const due = waits ? dueFor(destination, review) : null
  return { revision: statement * 2 + (waits ? 0 : 1), statement, status, due: due && { what: due.what, at: due.at } }
}

/** Ends the review of a destination: what was rejected stays so, and is nobody's default. */
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
