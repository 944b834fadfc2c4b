import { moment } from './words.ts'

/** A time with the words that are read where no script makes it local; null where there is none. */
export const timeOf = (at: string | null): { at: string; words: string } | null =>
  at ? { at, words: moment(at) } : null

/** What staff read of one moment in the life of a payout or a destination. */
const happenings: Record<string, string> = {
  'payout.created': 'Accepted; its amount and fee are held back from the balance',
  'payout.paid': 'Arrived',
  'payout.failed': 'Has not arrived; the balance has its money back',
  'payout.returned': 'Sent back by the bank; the balance has its money back',
  'payout.submitted': 'Handed to the rail',
  'destination.registered': 'Registered',
  'destination.deactivated': 'Deactivated by the merchant',
  'review.opened': 'Put into the queue',
  'review.claimed': 'Claimed',
  'review.reminded': 'Nobody has decided for a day: reviewers were reminded',
  'review.escalated': 'Nobody has decided for three days: somebody above was told',
  'review.approved': 'Approved',
  'review.rejected': 'Rejected',
  'review.withdrawn': 'Restated by the merchant: the review before it is void',
  'retry.proposed': 'Asked to try again',
  'retry.executed': 'Tried again',
  'retry.refused': 'Could not be tried again',
  'mark_settled.proposed': 'Said to have arrived',
  'mark_settled.executed': 'Marked as arrived',
  'mark_settled.refused': 'Not marked as arrived: the rail says otherwise',
  'mark_failed.proposed': 'Said to have failed',
  'mark_failed.executed': 'Marked as failed',
  'mark_failed.refused': 'Not marked as failed: the rail says otherwise',
}

export const happening = (what: string): string => happenings[what] ?? what
