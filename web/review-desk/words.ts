import { moment } from '../words.ts'

/** A time, with its text for browsers without scripts, which cannot show local time. Null if there is none. */
export const timeOf = (at: string | null): { at: string; words: string } | null =>
  at ? { at, words: moment(at) } : null

/** The words of the timeline of a payout or a destination. */
const timelineTexts: Record<string, string> = {
  'payout.created': 'Accepted; amount and fee debited from the balance',
  'payout.paid': 'Paid',
  'payout.failed': 'Failed; the money is back in the balance',
  'payout.returned': 'Returned by the bank; the money is back in the balance',
  'payout.submitted': 'Sent to the provider',
  'destination.registered': 'Registered',
  'destination.deactivated': 'Deactivated by the merchant',
  'review.opened': 'Added to the queue',
  'review.claimed': 'Claimed',
  'review.reminded': 'Open for a day: reviewers reminded',
  'review.escalated': 'Open for three days: escalated to a lead',
  'review.approved': 'Approved',
  'review.rejected': 'Rejected',
  'review.withdrawn': 'Changed by the merchant: the earlier review was withdrawn',
  'retry.proposed': 'Retry proposed',
  'retry.executed': 'Retried',
  'retry.refused': 'Retry refused',
  'mark_settled.proposed': 'Proposed as arrived',
  'mark_settled.executed': 'Marked as arrived',
  'mark_settled.refused': 'Not marked as arrived: the provider reports a different outcome',
  'mark_failed.proposed': 'Proposed as failed',
  'mark_failed.executed': 'Marked as failed',
  'mark_failed.refused': 'Not marked as failed: the provider reports a different outcome',
}

/** The end of an account number, phone number or wallet address, as staff see it. */
export const endingIn = (lastFour: string | null): string | null => (lastFour ? `•••• ${lastFour}` : null)

export const timelineWords = (what: string): string => timelineTexts[what] ?? what
