import type { SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { type SubscriptionStep } from '../../domain/subscription/next-step.ts'
import type { createRailCalls } from '../rail-calls.ts'
import { endedAtRail, paymentAtRail } from '../rail-order/words.ts'
import { waitFor, waitUntil, type WaitingOn } from '../wait-until.ts'

type Waiting = {
  calls: ReturnType<typeof createRailCalls<SubscriptionSnapshot>>
  current: () => SubscriptionSnapshot
  /** The payments about which their rail has news, and was not asked yet. */
  news: readonly string[]
  /** Whether a message has come that can be handled now. */
  isCalled: () => boolean
  /** Whether nothing is under way. */
  isIdle: () => boolean
}

const waits: Record<SubscriptionStep, Shown> = {
  trial_reminder: {
    for: 'next period',
    helps: 'In a trial: its customer is told before it ends.',
    next: 'its customer is told',
  },
  period_end: {
    for: 'next period',
    helps: 'Paid: it renews, or ends as was asked, at the end of its period.',
    next: 'its period ends',
  },
  dunning_end: {
    for: 'buyer',
    helps: 'Its card was permanently declined: the subscription ends unless the customer names another card.',
    next: 'it ends',
  },
  payment_attempt: {
    for: 'buyer',
    helps: 'Not paid: its card is charged again, or its customer pays by the link.',
    next: 'its card is charged',
  },
  resumption: { for: 'merchant', helps: 'Paused: nothing is charged until it resumes.', next: 'it resumes' },
  invoice_opening: {
    for: 'next period',
    helps: 'Its customer pays invoices: the next one is opened 3 days ahead.',
    next: 'it is opened',
  },
}

type Shown = { for: WaitingOn; helps: string; next: string }
const mailWait: Shown = {
  for: 'mail server',
  helps: 'A mail to its customer could not be sent yet.',
  next: 'it is sent again',
}
const railWait: Shown = paymentAtRail
const endedWait: Shown = endedAtRail
const pausedWait: Shown = {
  for: 'merchant',
  helps: 'Paused, without an end: it goes on when it is resumed.',
  next: 'it is looked at again',
}

type Next = Pick<SubscriptionSnapshot, 'wakesFor'> & { isMailNext: boolean; isAtRail: boolean; isEnded: boolean }

/** Whom operators see the subscription wait for: what comes first, and otherwise the next step of its row. */
function shownWait({ isMailNext, isAtRail, isEnded, wakesFor }: Next): Shown {
  if (isMailNext) return mailWait
  if (isEnded) return endedWait
  if (isAtRail) return railWait
  return wakesFor ? waits[wakesFor] : pausedWait
}

/** Waits for the next moment at which something is due, for an answer, or for a message. */
export async function waitForNext({ calls, current, news, isCalled, isIdle }: Waiting): Promise<void> {
  const { revision, status, paymentId, wakesAt, wakesFor, polls, isChargeDue, isMailDue } = current()
  const wasIdle = isIdle()
  const changes = calls.changes()
  const unless = () =>
    isCalled() || current().revision !== revision || isIdle() !== wasIdle || calls.changes() !== changes
  const asking = [...polls, ...news.map((known) => ({ paymentId: known, at: 0 }))]
  const pollsAt = Math.min(...asking.map((poll) => calls.nextAt(poll.paymentId, poll.at)))
  const chargesAt = isChargeDue ? calls.nextAt('charge', 0) : Infinity
  const mailsAt = isMailDue ? calls.nextAt('mail', 0) : Infinity
  const until = Math.min(wakesAt ?? Infinity, pollsAt, chargesAt, mailsAt)
  // As the engine's list has it: a payment is at its rail also while its card is being charged.
  const isAtRail = paymentId !== null || isChargeDue || pollsAt < (wakesAt ?? Infinity)
  // Both are Infinity while the last mail is being sent.
  const isMailNext = isMailDue && (mailsAt === until || calls.rests('mail'))
  const isEnded = status === 'canceled' && paymentId === null
  const wait = shownWait({ isMailNext, isAtRail, isEnded, wakesFor })
  const next = until === wakesAt && wakesFor ? waits[wakesFor].next : wait.next
  if (until < Infinity) await waitUntil(until, { ...wait, next, unless })
  else await waitFor({ ...wait, unless })
}
