import { heldWords } from './payout-words.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitFor, waitUntil } from './wait-until.ts'

const mailPauseMs = 15 * 60_000

/**
 * Waits until a payout is decided. `nudge` mails the staff where that is due and says when it is next: overdue after a
 * day, escalated after three.
 */
export async function decided(isDecided: () => boolean, nudge: (at: number) => Promise<number | null>): Promise<void> {
  showStatus('pending', 'reviewer')
  const wait = { unless: isDecided, helps: heldWords }
  const statuses = ['overdue', 'escalated']
  for (let due = await nudge(now()); due !== null;) {
    if (await waitUntil(due, { for: 'reviewer', ...wait })) return
    try {
      due = await nudge(now())
      const status = statuses.shift()
      if (status && !isDecided()) showStatus(status, due === null ? 'lead reviewer' : 'reviewer')
    } catch {
      due = now() + mailPauseMs // the mail server is away: the review waits on, and staff are told later
    }
  }
  await waitFor({ for: 'lead reviewer', ...wait })
}
