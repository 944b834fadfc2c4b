import type { PayoutStanding } from '../../activities/payout/answer.ts'
import { heldWords } from './words.ts'
import { showStatus } from '../search-attributes.ts'
import { now, waitFor, waitUntil } from '../wait-until.ts'

const mailPauseMs = 15 * 60_000

type Holding = {
  /** Whether the engine's list says already that it is held. */
  isShown: boolean
  isOver: () => boolean
  /** Mails the staff when that is due (in milliseconds since the epoch) and says when it is next; null: never. */
  nudge: (at: number) => Promise<number | null>
}

/** Waits until a payout is decided or its run has become too long: overdue after a day, escalated after three. */
export async function decided({ nudgeAt }: PayoutStanding, { isShown, isOver, nudge }: Holding): Promise<void> {
  if (!isShown) showStatus('pending', 'reviewer')
  const wait = { unless: isOver, helps: heldWords }
  // Histories of before 2026-11-22, 00:48 lack `nudgeAt`: their processes asked for it by a step of its own.
  for (let due = nudgeAt === undefined ? await nudge(now()) : nudgeAt; due !== null;) {
    if (await waitUntil(due, { for: 'reviewer', ...wait })) return
    try {
      due = await nudge(now())
      const [status, waitingOn] = due === null ? ['escalated', 'lead reviewer'] : ['overdue', 'reviewer']
      if (!isOver()) showStatus(status, waitingOn)
    } catch {
      due = now() + mailPauseMs // the mail server is away: the review waits on, and staff are told later
    }
  }
  await waitFor({ for: 'lead reviewer', ...wait })
}
