import type { PayoutSnapshot } from '../../activities/payout/snapshot.ts'
import { hasMailed } from '../mail-pause.ts'
import { showStatus } from '../search-attributes.ts'
import { now } from '../wait-until.ts'
import { waitForDecision } from './review-wait.ts'
import { heldDetails } from './details.ts'

type Holding = {
  /** Whether the engine's list already shows the payout as held. */
  isShown: boolean
  isOver: () => boolean
  /**
   * Mails the staff if a mail is due. Returns when the next one is due, in milliseconds since the epoch; null: never.
   */
  remind: (at: number) => Promise<number | null>
}

/** Waits until a payout is decided or its run has become too long: overdue after a day, escalated after three. */
export async function holdForReview(
  { remindAt }: PayoutSnapshot,
  { isShown, isOver, remind: mailIfDue }: Holding,
): Promise<void> {
  // Begun anew, after staff have had their last mail, it still waits for the lead reviewer.
  if (!isShown) showWaiting(remindAt, 'pending')
  const wait = { unless: isOver, helps: heldDetails }
  await waitForDecision(remindAt, { ...wait, remind })

  async function remind(): Promise<number | null> {
    let next: number | null = null
    const send = async () => void (next = await mailIfDue(now()))
    while (!(await hasMailed(send, wait))) if (isOver()) return null
    if (isOver()) return next
    showWaiting(next, 'overdue')
    return next
  }
}

/** Shows whom a payout waits for: a reviewer, with this status, while another mail is due; then the lead reviewer. */
const showWaiting = (nextMailAt: number | null, status: 'pending' | 'overdue'): void =>
  nextMailAt === null ? showStatus('escalated', 'lead reviewer') : showStatus(status, 'reviewer')
