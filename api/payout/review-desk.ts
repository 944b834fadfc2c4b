import Type, { type Static } from 'typebox'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { Payout } from '../../db/payout/payout.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { Review } from '../../db/review/review.ts'
import { namesOf } from '../../db/access/user.ts'
import { stuckAt } from '../../domain/payout/payout.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isBound } from '../../domain/revision.ts'
import { idParameter, iso } from '../../schemas/common.ts'
import { type ReviewDeskCommon, ReviewDeskDestination, ReviewDeskPayout } from '../../schemas/payout/review-desk.ts'
import { presentPayout } from '../../schemas/payout/payout.ts'
import { presentDestination } from '../../schemas/payout/destination.ts'
import { presentReview } from '../../schemas/review.ts'
import { operation } from '../http/operation.ts'
import { forStaff } from '../http/staff.ts'

type Shown = Tenant & { id: string }

/**
 * The part that destinations and payouts have in common. The newest review is shown, as a destination has one for each
 * of its statements.
 */
async function common(
  em: EntityManager,
  { id, accountId, environment }: Shown,
): Promise<Static<typeof ReviewDeskCommon>> {
  const [review] = await em.find(Review, { resourceId: id }, { orderBy: { revision: 'desc' }, limit: 1 })
  const account = await em.findOneOrFail(Account, { id: accountId })
  return {
    account: { account_id: accountId, name: account.name },
    environment,
    review: review ? presentReview(review) : null,
    people: await namesOf(em, [review?.claimedBy, review?.decidedBy]),
  }
}

export const readReviewDeskDestination = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/payout-destinations/{destination_id}',
  summary: 'Read a destination for a decision of staff, with its review',
  params: Type.Object({ destination_id: idParameter('pd') }),
  returns: [200, ReviewDeskDestination],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, em }) {
    const row = await em.findOne(PayoutDestination, { id: params.destination_id })
    if (!row) throw new Refusal('NOT_FOUND', 'no such payout destination')
    const destination = presentDestination(row)
    return { destination, holder_at_bank: row.holderAtBank, ...(await common(em, row)) }
  },
})

/** Whether a payout was sent, and its destination's money would go elsewhere now. Of very old ones it is not known. */
const isDestinationChanged = (payout: Payout, destination: PayoutDestination): boolean =>
  payout.submittedAt !== null && payout.destinationRevision !== null && !isBound(payout, destination)

export const readReviewDeskPayout = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/payouts/{payout_id}',
  summary: 'Read a payout for a decision of staff, with its review',
  params: Type.Object({ payout_id: idParameter('pay') }),
  returns: [200, ReviewDeskPayout],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, em, now }) {
    const row = await em.findOne(Payout, { id: params.payout_id })
    if (!row) throw new Refusal('NOT_FOUND', 'no such payout')
    const destination = await em.findOneOrFail(PayoutDestination, { id: row.destinationId })
    const { status, submittedAt } = row
    const at = (await clockTimeOf(em, row)) ?? now
    const isStuck = status === 'processing' && submittedAt !== null && at >= stuckAt(submittedAt.getTime())
    return {
      payout: presentPayout(row),
      destination: presentDestination(destination),
      holder_at_bank: destination.holderAtBank,
      ...(await common(em, row)),
      destination_changed: isDestinationChanged(row, destination),
      stuck_since: isStuck ? iso(new Date(stuckAt(submittedAt.getTime()))) : null,
    }
  },
})
