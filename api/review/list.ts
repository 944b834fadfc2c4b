import type { FilterQuery } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { countReviews } from '../../db/review/counts.ts'
import { Review as ReviewRow } from '../../db/review/review.ts'
import { claimMs, reviewStates, reviewTypes } from '../../domain/review.ts'
import { page, pageQuery } from '../../schemas/common.ts'
import { ListedReview } from '../../schemas/review.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { presentQueue } from './queue.ts'
import { forStaff, staffOf } from '../http/staff.ts'

const ListReviews = Type.Object({
  ...pageQuery,
  type: Type.Optional(Type.Enum([...reviewTypes])),
  state: Type.Optional(Type.Enum([...reviewStates])),
  late: Type.Optional(Type.Boolean({ description: 'Only open reviews that nobody has decided within a day.' })),
  claimed_by: Type.Optional(
    Type.Enum(['me'], { description: 'Only reviews that the caller has claimed within the last hour.' }),
  ),
  order: Type.Optional(
    Type.Enum(['newest', 'due'], {
      default: 'newest',
      description: 'Newest first, or by `reminds_at` with the earliest first, so that late reviews come first.',
    }),
  ),
})

export const listReviews = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/reviews',
  summary: 'List reviews, open and decided, newest first or by what is due first',
  query: ListReviews,
  returns: [200, page(ListedReview)],
  refuses: ['FORBIDDEN'],

  async handle({ query, caller, em, now, services }) {
    const order = query.order === 'due' ? { by: 'remindsAt', first: 'earliest' as const } : undefined
    const where = conditionsOf(query, staffOf(caller), now)
    const { rows, pagination } = await listPage({ em, services }, ReviewRow, where, query, order)
    return { items: await presentQueue(em, rows), pagination }
  },
})

function conditionsOf(query: Static<typeof ListReviews>, userId: string, now: number): FilterQuery<ReviewRow> {
  const { type, state, late, claimed_by: claimed } = query
  const conditions: FilterQuery<ReviewRow>[] = [
    ...(type ? [{ type }] : []),
    ...(state ? [{ state }] : []),
    // A review on a test clock is late by its own time, at which it was reminded of.
    ...(late
      ? [{ state: 'open' as const, $or: [{ remindsAt: { $lt: new Date(now) } }, { remindedAt: { $ne: null } }] }]
      : []),
    ...(claimed ? [{ claimedBy: userId, claimedAt: { $gt: new Date(now - claimMs) } }] : []),
  ]
  return conditions.length > 0 ? { $and: conditions } : {}
}

const countOf = (what: string) => Type.Integer({ minimum: 0, description: `How many open reviews ${what}.` })

/** How many reviews are open, in all and of each type. */
const ReviewCounts = Type.Object(
  {
    open: countOf('there are'),
    late: countOf('nobody has decided within a day'),
    claimed_by_me: countOf('the caller has claimed'),
    by_type: Type.Object(
      {
        payout_destination: countOf('are about destinations'),
        payout: countOf('are about payouts'),
        account: countOf('are about accounts'),
      },
      { description: 'How many open reviews there are of each type.' },
    ),
  },
  { $id: 'ReviewCounts' },
)

export const readReviewCounts = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/reviews/counts',
  summary: 'Count the open reviews: of each type, late ones, and those that the caller has claimed',
  returns: [200, ReviewCounts],
  refuses: ['FORBIDDEN'],

  handle: ({ caller, em, now }) => countReviews(em, { userId: staffOf(caller), now, claimedAfter: now - claimMs }),
})
