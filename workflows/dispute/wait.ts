import { condition } from '@temporalio/workflow'
import type { DisputeSnapshot } from '../../activities/dispute/dispute.ts'
import { waitFor, waitUntil } from '../wait-until.ts'

/** What a dispute waits with. */
export type Waiting = {
  current: () => DisputeSnapshot
  /** When the network is told or asked next, in milliseconds since the epoch; Infinity: not before it has news. */
  callsAt: number
  /** Whether nothing is under way. */
  isIdle: () => boolean
  /** Whether something has happened since the wait began. */
  isOver: () => boolean
}

/** Waits until something is due, until an answer, or until a message. */
export async function waitForNext({ current, callsAt, isIdle, isOver }: Waiting): Promise<void> {
  const { status, wakesAt, revision, evidenceDueAt, railDue } = current()
  const wasIdle = isIdle()
  const unless = () => current().revision !== revision || isIdle() !== wasIdle || isOver()
  const wait = { ...whomFor(current()), unless }
  const until = Math.min(wakesAt ?? Infinity, callsAt)
  const atMoment = until < evidenceDueAt ? 'a reminder is sent' : 'the dispute is lost'
  const dueNext = status === 'needs_response' ? { next: atMoment } : {}
  if (until < Infinity) await waitUntil(until, { ...wait, ...(until === wakesAt ? dueNext : asksAgain) })
  else if (wasIdle || railDue !== null) await waitFor(wait)
  else await condition(unless)
}

const asksAgain = { next: 'the network is called' }

/** What the network has not been told yet. */
const unsent = {
  evidence: 'The evidence has not reached the network yet: it is sent again until the network takes it.',
  acceptance: 'The dispute is accepted, which the network does not know yet: it is told again until it does.',
}

const decides =
  'If it takes too long, retry or mark it in the review desk (/ops). The evidence is with the network, which decides.'

/** Whom a dispute waits for, and what happens if they do nothing. */
function whomFor({ status, railDue, evidenceDueAt }: DisputeSnapshot) {
  if (railDue !== null) return { for: 'rail' as const, helps: unsent[railDue] }
  if (status === 'under_review') return { for: 'rail' as const, helps: decides }
  const helps =
    status === 'early_warning'
      ? 'The network has announced a dispute: a full refund prevents it.'
      : `Without evidence by ${new Date(evidenceDueAt).toISOString()} the dispute is lost.`
  return { for: 'merchant' as const, helps }
}
