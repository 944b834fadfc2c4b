import type { ReviewType } from '../../domain/review.ts'
import type { EntityManager } from '../core/database.ts'

type Counts = { open: number; late: number; claimed_by_me: number; by_type: Record<ReviewType, number> }

/**
 * Counts the open reviews. A claim counts for `userId` if it was made after `claimedAfter`; both moments are in
 * milliseconds since the epoch.
 */
export async function countReviews(
  em: EntityManager,
  { userId, now, claimedAfter }: { userId: string; now: number; claimedAfter: number },
): Promise<Counts> {
  const rows = await em.execute<{ type: ReviewType; open: number; late: number; mine: number }[]>(
    `select type, count(*)::int as open,
       count(*) filter (where reminds_at < ? or reminded_at is not null)::int as late,
       count(*) filter (where claimed_by = ? and claimed_at > ?)::int as mine
     from reviews where state = 'open' group by type`,
    [new Date(now), userId, new Date(claimedAfter)],
  )
  const sum = (of: 'open' | 'late' | 'mine') => rows.reduce((total, row) => total + row[of], 0)
  const openOf = (type: ReviewType) => rows.find((row) => row.type === type)?.open ?? 0
  return {
    open: sum('open'),
    late: sum('late'),
    claimed_by_me: sum('mine'),
    by_type: { payout_destination: openOf('payout_destination'), payout: openOf('payout'), account: openOf('account') },
  }
}
