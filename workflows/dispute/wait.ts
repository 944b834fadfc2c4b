import { condition } from '@temporalio/workflow'
import type { DisputeSnapshot } from '../../activities/dispute/dispute.ts'
import type { createRailCalls } from '../rail-calls.ts'
import { waitFor, waitUntil } from '../wait-until.ts'

/** The subjects of the calls to the network. */
export const [telling, asking] = ['the merchant’s answer', 'how it stands'] as const

type Waiting = {
  calls: ReturnType<typeof createRailCalls<DisputeSnapshot>>
  current: () => DisputeSnapshot
  /** Whether the network has announced news. */
  hasNews: () => boolean
  isRefunded: () => boolean
  /** Whether nothing is under way. */
  isIdle: () => boolean
}

/** Waits until something is due, until an answer, or until a message. */
export async function waitForNext({ calls, current, hasNews, isRefunded, isIdle }: Waiting): Promise<void> {
  const { status, wakesAt, pollAt, railDue, evidenceDueAt, revision } = current()
  const [wasIdle, failures, hadNews] = [isIdle(), calls.failures(), hasNews()]
  const unless = () =>
    current().revision !== revision ||
    isIdle() !== wasIdle ||
    calls.failures() !== failures ||
    hasNews() !== hadNews ||
    isRefunded()
  const tellsAt = railDue === null ? Infinity : calls.nextAt(telling, 0)
  const asksAt = railDue !== null ? Infinity : calls.nextAt(asking, hadNews ? 0 : (pollAt ?? Infinity))
  const until = Math.min(wakesAt ?? Infinity, tellsAt, asksAt)
  const isAtNetwork = status === 'under_review' || railDue !== null
  const helps = isAtNetwork
    ? 'The evidence is with the network, which decides.'
    : status === 'early_warning'
      ? 'The network has announced a dispute: a full refund prevents it.'
      : `Without evidence by ${new Date(evidenceDueAt).toISOString()} the dispute is lost.`
  const wait = { for: isAtNetwork ? ('rail' as const) : ('merchant' as const), helps, unless }
  if (until < Infinity) await waitUntil(until, wait)
  else if (wasIdle) await waitFor(wait)
  else await condition(unless)
}
