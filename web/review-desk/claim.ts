import type { Static } from 'typebox'
import { isClaimed } from '../../domain/review.ts'
import type { Review } from '../../schemas/review.ts'

type Claimed = Pick<Static<typeof Review>, 'claimed_by' | 'claimed_at'>

/** Who has claimed a review, and since when; null where the claim no longer holds `at`, in ms since the epoch. */
export function claimOf({ claimed_by: by, claimed_at: since }: Claimed, at: number): { by: string; at: string } | null {
  if (by === null || since === null) return null
  return isClaimed({ claimedBy: by, claimedAt: new Date(since) }, at) ? { by, at: since } : null
}
