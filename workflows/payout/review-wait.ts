import { type Wait, waitFor, waitUntil } from '../wait-until.ts'

type Review = {
  /** True ends the wait: a decision was made, or the process has something else to do first. */
  unless: () => boolean
  /** What staff can do about it, in a sentence. */
  helps: string
  /**
   * Mails the staff and returns when the next mail is due, in milliseconds since the epoch; null: there is none, or the
   * wait is over.
   */
  remind: () => Promise<number | null>
}

/**
 * Waits until staff have decided. They are mailed at `remindAt`, in milliseconds since the epoch, and from then on
 * whenever `remind` says; after the last mail the wait goes on for as long as it takes. The rule for the moments, a day
 * and three days, is in `domain/review.ts`.
 */
export async function waitForDecision(remindAt: number | null, { unless, helps, remind }: Review): Promise<void> {
  const wait: Omit<Wait, 'for'> = { unless, helps }
  for (let due = remindAt; due !== null; due = await remind()) {
    if (await waitUntil(due, { for: 'reviewer', next: 'staff are mailed', ...wait })) return
  }
  await waitFor({ for: 'lead reviewer', ...wait })
}
