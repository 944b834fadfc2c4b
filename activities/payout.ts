import { type Database, type EntityManager, inTransaction, lock } from '../db/database.ts'
import { lockReview, openReview, subjectOfPayout } from '../db/decide-review.ts'
import { endPayout } from '../db/end-payout.ts'
import { Payout } from '../db/payout.ts'
import { PayoutDestination } from '../db/payout-destination.ts'
import type { Currency } from '../domain/currency.ts'
import { inUsd } from '../domain/money.ts'
import { destinationLost, movePayout, railRefused } from '../domain/payout.ts'
import { isUsable } from '../domain/payout-destination.ts'
import { holdReasonOf } from '../domain/payout-risk.ts'
import { nextNudge } from '../domain/review.ts'
import type { Deps } from './deps.ts'
import { noteAnswer, type PayoutStanding, standingOf, tellEnding } from './payout-answer.ts'
import type { PayoutAnswer, PayoutOrder } from './rails/payout-rail.ts'
import { callRail, RailRefusal } from './rails/rail-refusal.ts'
import type { Rails } from './rails/index.ts'

/** The steps of the `payout` process. Each is safe to repeat: what was decided or has ended stays as it is. */
export const payoutActivities = ({ database, rails }: Deps) => ({
  /** Reads how the payout stands; one that has only just been accepted is let go, or held for a reviewer. */
  assessPayout: (id: string, at: number): Promise<PayoutStanding> =>
    inTransaction(database, async (em) => {
      const payout = await lock(em, Payout, id)
      if (payout.status === 'requested') await assess(em, payout, at)
      if (payout.status !== 'pending') return standingOf(payout)
      await em.flush() // the review may be as new as its payout's status
      const review = await lockReview(em, subjectOfPayout(id))
      return { ...standingOf(payout), nudgeAt: nextNudge(review)?.at ?? null }
    }),

  submitPayout: (id: string, at: number): Promise<PayoutStanding> => submitPayout(database, rails, id, at),

  /** Asks the rail how the payout stands, also when it has ended: a bank may send money back, or change its word. */
  askAboutPayout: async (id: string, at: number): Promise<PayoutStanding> => {
    const { destinationType } = await database.orm.em.fork().findOneOrFail(Payout, { id })
    const rail = rails.paying(destinationType)
    return noteAnswer(database, id, await callRail(() => rail.lookUpPayout(id, at)), at)
  },
})

/** The types of the activities, for the process that calls them. */
export type PayoutActivities = ReturnType<typeof payoutActivities>

const hourMs = 3_600_000

async function assess(em: EntityManager, payout: Payout, at: number): Promise<void> {
  const { accountId, environment, reference, destinationId } = payout
  const [facts] = await em.execute<{ first: boolean; recent: number }[]>(
    `select not exists (select from payouts where destination_id = ? and status = 'completed') as first,
       (select count(*)::int from payouts where account_id = ? and environment = ? and created_at > ?) as recent`,
    [destinationId, accountId, environment, new Date(payout.createdAt.getTime() - hourMs)],
  )
  const amountUsd = inUsd(payout.sourceAmount, payout.sourceCurrency as Currency)
  const seen = { isFirstToDestination: facts?.first ?? true, withinAnHour: facts?.recent ?? 0 }
  const reason = holdReasonOf({ environment, reference, amountUsd, ...seen })
  movePayout(payout, reason === null ? 'approved' : 'pending')
  Object.assign(payout, { holdReason: reason, updatedAt: new Date(at) })
  if (reason === null) return
  openReview(em, { ...subjectOfPayout(payout.id), accountId, environment, reason }, at)
}

/**
 * Hands the payout to its rail. Only a `RailRefusal` fails it; after any other error the rail is asked again. Under
 * one id only the statement of the destination is sent that was there at first: once that has changed, the order is
 * taken back instead of being repeated.
 */
export async function submitPayout(database: Database, rails: Rails, id: string, at: number): Promise<PayoutStanding> {
  const taken = await inTransaction(database, (em) => takeUp(em, id, at))
  if ('status' in taken) return taken
  const { order, isCurrent } = taken
  const rail = rails.paying(order.target.type)
  const answer = isCurrent ? await payOut() : await callRail(() => rail.cancelPayout(id, at))
  return noteAnswer(database, id, answer, at)

  async function payOut(): Promise<PayoutAnswer> {
    try {
      return await callRail(() => rail.payOut(order, at))
    } catch (error) {
      if (!(error instanceof RailRefusal)) throw error
      return { status: 'failed', reason: railRefused, traceId: null, newsDueAt: null }
    }
  }
}

type Taken = { order: PayoutOrder; isCurrent: boolean }

/** The order for the rail, from the moment on at which the payout may be with it; or how it stands, if it has ended. */
async function takeUp(em: EntityManager, id: string, at: number): Promise<Taken | PayoutStanding> {
  const payout = await lock(em, Payout, id)
  if (payout.status !== 'approved' && payout.status !== 'processing') return standingOf(payout)
  const destination = await lock(em, PayoutDestination, payout.destinationId)
  const isThere = isUsable(destination) && destination.currency === payout.currency
  if (payout.status === 'approved') {
    if (!isThere) {
      await endPayout(em, payout, { status: 'failed', reason: destinationLost }, at)
      await tellEnding(em, payout, at)
      return standingOf(payout)
    }
    movePayout(payout, 'processing')
    payout.submittedAt = payout.updatedAt = new Date(at)
    payout.destinationRevision = destination.revision
    payout.destinationType = destination.type
  }
  const isCurrent = isThere && destination.revision === payout.destinationRevision
  return { order: orderFor(payout, destination), isCurrent }
}

const orderFor = (payout: Payout, destination: PayoutDestination): PayoutOrder => ({
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
