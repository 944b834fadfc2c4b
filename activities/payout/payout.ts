import { type Database, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { lockReview, openReview } from '../../commands/review.ts'
import { subjectOfPayout } from '../../commands/payout/review-subject.ts'
import { forgetNews } from '../../commands/note-news.ts'
import { endPayout } from '../../commands/payout/end-payout.ts'
import { isCapable } from '../../db/platform/capability.ts'
import { Payout } from '../../db/payout/payout.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { hourMs } from '../../domain/duration.ts'
import { inUsd } from '../../domain/money.ts'
import {
  destinationUnusable,
  isPayoutEnded,
  isWithRail,
  movePayout,
  payoutsNotActive,
  railRefused,
  restatedSince,
  termsChanged,
} from '../../domain/payout/payout.ts'
import { isInReview, isUsable } from '../../domain/payout/destination.ts'
import { holdReasonOf, type RiskLimits } from '../../domain/payout/risk.ts'
import { bind, isBound } from '../../domain/revision.ts'
import { keepsTerms } from '../../domain/payout/terms.ts'
import { nextReminder } from '../../domain/review.ts'
import type { Deps } from '../deps.ts'
import { recordPayoutEnd, recordRailAnswer } from './answer.ts'
import { type PayoutSnapshot, snapshotOf, withClockTime } from './snapshot.ts'
import type { PayoutAnswer, PayoutOrder } from '../../rails/payout-rail.ts'
import { callRail, RailRefusal } from '../../rails/rail-refusal.ts'
import type { Rails } from '../../rails/index.ts'

/** The steps of the `payout` process. Each is safe to repeat: what was decided or has ended stays as it is. */
export const payoutActivities = ({ database, rails, riskLimits }: Deps) => ({
  /** Reads the payout's state. A payout that was only just accepted is approved, or held for a reviewer. */
  assessPayout: (id: string, asked: number): Promise<PayoutSnapshot> =>
    inTransaction(database, async (em) => {
      const payout = await lock(em, Payout, id)
      const at = await timeOf(em, payout, asked)
      if (payout.status === 'requested') await assess(em, payout, riskLimits, at)
      if (payout.status !== 'pending') return withClockTime(em, payout, snapshotOf(payout))
      await em.flush() // the review may have been created in this same transaction
      const review = await lockReview(em, subjectOfPayout(payout))
      return withClockTime(em, payout, { ...snapshotOf(payout), remindAt: nextReminder(review)?.at ?? null })
    }),

  submitPayout: (id: string, at: number): Promise<PayoutSnapshot> => submitPayout(database, rails, id, at),

  /**
   * Asks the rail for the state of the payout, also after its end: a bank may return the money, or change its answer.
   * The order is sent again where the rail has never received it.
   */
  lookUpPayout: async (id: string, asked: number): Promise<PayoutSnapshot> => {
    const em = database.orm.em.fork()
    const payout = await em.findOneOrFail(Payout, { id })
    const at = await timeOf(em, payout, asked)
    const rail = rails.in(payout.environment).paying(payout.destinationType, payout.currency)
    const answer = await callRail(() => rail.lookUpPayout(id, at))
    if (answer.status !== 'not_found') return recordRailAnswer(database, id, answer, at)
    if (isPayoutEnded(payout.status)) await forgetNews(em, 'payout', id)
    return submitPayout(database, rails, id, at)
  },
})

/** The types of the activities, for the process that calls them. */
export type PayoutActivities = ReturnType<typeof payoutActivities>

async function assess(em: EntityManager, payout: Payout, limits: RiskLimits, at: number): Promise<void> {
  const { id, accountId, environment, reference, destinationId, destinationRevision, createdAt } = payout
  await lockRiskLimits(em, payout)
  const [from, until] = [-hourMs, hourMs].map((ms) => new Date(createdAt.getTime() + ms))
  // `first`: no payout has arrived at the destination, under its current statement, without being returned.
  // `fullest`: how many the fullest hour around this one has, whichever comes first. Those that were not looked at yet
  // do not count, so that of many that wait together the first ones are not held.
  const [facts] = await em.execute<{ first: boolean; fullest: number }[]>(
    `select not exists (
         select from payouts where destination_id = ? and destination_revision = ? and status = 'completed'
           and returned_at is null) as first,
       (select max(count)::int from (
           select created_at, count(*) over (order by created_at
             range between current row and interval '59 minutes 59.999 seconds' following)
           from payouts where account_id = ? and environment = ? and created_at > ? and created_at < ?
             and (status <> 'requested' or id = ?)) as hours where created_at <= ?) as fullest`,
    [destinationId, destinationRevision, accountId, environment, from, until, id, createdAt],
  )
  const amountUsd = inUsd(payout.sourceAmount, payout.sourceCurrency)
  const seen = { isFirstToDestination: facts?.first ?? true, withinAnHour: facts?.fullest ?? 1 }
  const reason = holdReasonOf({ environment, reference, amountUsd, ...seen }, limits)
  movePayout(payout, reason === null ? 'approved' : 'pending')
  Object.assign(payout, { holdReason: reason, updatedAt: new Date(at) })
  if (reason === null) return
  openReview(em, { ...subjectOfPayout(payout), accountId, environment, reason }, at)
}

/**
 * Lets the payouts of one account be looked at one after another, until the transaction ends: two together could both
 * be the last one below the limit of an hour. The sandbox's limit is only there to be far away.
 */
async function lockRiskLimits(em: EntityManager, { accountId, environment }: Payout): Promise<void> {
  if (environment === 'sandbox') return
  await em.execute(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`risk/${accountId}`])
}

/**
 * Sends the payout to its rail. Only a `RailRefusal` fails it; after any other error the rail is asked again. A payout
 * is bound to one statement of its destination, and only that one is sent under the payout's id. If the destination was
 * restated since, a payout that was not sent yet is held again, also while the destination is in review itself, and an
 * order that may have been sent is cancelled at the rail instead of being repeated.
 */
export async function submitPayout(
  database: Database,
  rails: Rails,
  id: string,
  asked: number,
): Promise<PayoutSnapshot> {
  const prepared = await inTransaction(database, (em) => prepareOrder(em, id, asked))
  if ('status' in prepared) return prepared
  const { order, isCurrent, at } = prepared
  const rail = rails.in(order.environment).paying(order.target.type, order.currency)
  const answer = isCurrent ? await payOut(rails, order, at) : await callRail(() => rail.cancelPayout(id, at))
  return recordRailAnswer(database, id, answer, at)
}

async function payOut<E extends Environment>(rails: Rails, order: PayoutOrder<E>, at: number): Promise<PayoutAnswer> {
  const rail = rails.in(order.environment).paying(order.target.type, order.currency)
  try {
    return await callRail(() => rail.payOut(order, at))
  } catch (error) {
    if (!(error instanceof RailRefusal)) throw error
    return { status: 'failed', reason: railRefused, traceId: null, newsDueAt: null }
  }
}

/** `isCurrent`: the destination is as it was when the payout was bound to it; otherwise the order is cancelled. */
type PreparedOrder = { order: PayoutOrder; isCurrent: boolean; at: number }

/**
 * The order for the rail, after the payout was marked as possibly sent; or the payout's state, if it has ended or is on
 * hold.
 */
async function prepareOrder(em: EntityManager, id: string, asked: number): Promise<PreparedOrder | PayoutSnapshot> {
  const payout = await lock(em, Payout, id)
  const at = await timeOf(em, payout, asked)
  if (!isWithRail(payout.status) || payout.onHoldSince) return withClockTime(em, payout, snapshotOf(payout))
  const destination = await lock(em, PayoutDestination, payout.destinationId)
  const isThere = isUsable(destination) && destination.currency === payout.currency
  if (payout.status === 'approved') {
    if (!(await isCapable(em, payout, 'payouts'))) return failUnsent(em, payout, payoutsNotActive, at)
    // It was stated anew, and is usable again once staff have approved it.
    const isUndecided = isInReview(destination, payout)
    if (!isThere && !isUndecided) return failUnsent(em, payout, destinationUnusable, at)
    if (payout.destinationRevision === null) bind(payout, destination) // accepted by a worker from before 2026-11-23
    if (isUndecided || !isBound(payout, destination)) return holdAgain(em, payout, destination, at)
    if (!keepsTerms(destination, payout)) return failUnsent(em, payout, termsChanged, at)
    movePayout(payout, 'processing')
    payout.submittedAt = payout.updatedAt = new Date(at)
    payout.nextPollAt = new Date(at) // until the rail has answered, the question is due
  }
  return { order: orderFor(payout, destination), isCurrent: isThere && isBound(payout, destination), at }
}

/** Fails a payout that was not sent: the reserved money is released. */
async function failUnsent(em: EntityManager, payout: Payout, reason: string, at: number): Promise<PayoutSnapshot> {
  await endPayout(em, payout, { status: 'failed', reason }, at)
  await recordPayoutEnd(em, payout, at)
  return snapshotOf(payout)
}

/** Holds the payout for another review: nobody who approved it has seen the destination's new statement. */
function holdAgain(em: EntityManager, payout: Payout, destination: PayoutDestination, at: number): PayoutSnapshot {
  const { accountId, environment } = payout
  movePayout(payout, 'pending')
  payout.heldAgain += 1
  bind(payout, destination)
  payout.destinationType = destination.type
  Object.assign(payout, { holdReason: restatedSince, updatedAt: new Date(at) })
  const subject = { ...subjectOfPayout(payout), accountId, environment }
  const review = openReview(em, { ...subject, reason: restatedSince }, at)
  return { ...snapshotOf(payout), remindAt: nextReminder(review)?.at ?? null }
}

const orderFor = (payout: Payout, destination: PayoutDestination): PayoutOrder => ({
  environment: payout.environment,
  payoutId: payout.id,
  target: { ...targetOf(destination), type: payout.destinationType },
  amount: payout.amount,
  currency: payout.currency,
  reference: payout.reference,
  simulatedOutcome: payout.simulatedOutcome,
})

const targetOf = (destination: PayoutDestination) => {
  const { scheme, accountNumber, accountName, bankCode, phoneNumber, mobileProvider, walletAddress, network } =
    destination
  return { scheme, accountNumber, accountName, bankCode, phoneNumber, mobileProvider, walletAddress, network }
}
