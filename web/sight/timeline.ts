import type { Static } from 'typebox'
import type { StaffTimeline, StaffTimelineItem, Timeline } from '../../schemas/sight/timeline.ts'
import type { ShownResource, WakeReason } from '../../domain/sight/agenda.ts'
import { minuteMs } from '../../domain/duration.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { type SubscriptionStep, subscriptionSteps } from '../../domain/subscription/next-step.ts'
import { timeOf } from '../words.ts'
import {
  type DisputeWait,
  disputeWaits,
  actorName,
  askedWords,
  errorName,
  stepName,
  stepStatusName,
  waitWords,
  wakeWords,
} from './timeline-words.ts'
import { isolated } from '../isolated.ts'

/** A timeline as a merchant reads it, or as staff do. */
export type AnyTimeline = Static<typeof Timeline> | Static<typeof StaffTimeline>
type Item = Static<typeof Timeline>['items'][number] & Partial<Static<typeof StaffTimelineItem>>

/** Where the timeline is shown, and to whom. */
export type Seen = { home: string; isForStaff: boolean }

/** A moment that has passed for less than this is not overdue: what happens then takes a moment itself. */
const graceMs = minuteMs

/**
 * The data of `sight/timeline.eta`: what has happened, oldest first, and what is awaited. `now` is the time of the
 * resource, which may be that of a test clock.
 */
export const shownTimeline = (timeline: AnyTimeline, seen: Seen) => ({
  now: timeline.as_of,
  items: eachOnce(timeline.items).map((item, index, items) => shownItem(timeline, item, items.slice(index + 1), seen)),
  wait: waitOf(timeline, seen),
})

/** The statuses that a note of staff explains: the same deed, in the same moment. */
const explained: Partial<Record<string, readonly string[]>> = {
  'review.opened': ['pending', 'pending_review'],
  'review.approved': ['approved'],
  'review.rejected': ['rejected'],
}

/**
 * The items with each deed once. A note that explains a step is left out, and its person and reason are told with the
 * step. The next attempt of a delivery is awaited, and has not happened yet.
 */
function eachOnce(items: readonly Item[]): Item[] {
  const explains = (note: Item, item: Item) => note.at === item.at && explained[note.step]?.includes(item.step)
  return items
    .filter((item) => !items.some((step) => explains(item, step)))
    .filter(({ step, status }) => step !== 'attempt' || status !== 'running')
    .map((item) => {
      const note = items.find((each) => explains(each, item))
      return { ...item, user: item.user ?? note?.user ?? null, reason: item.reason ?? note?.reason ?? null }
    })
}

function shownItem(timeline: AnyTimeline, item: Item, later: Item[], { home, isForStaff }: Seen) {
  const { resource_id: id, step, last_error: error, user = null } = item
  const isPart = id !== timeline.resource_id
  // A step that ends in a failure is followed by the failure itself, which alone is shown as one.
  const isEndTold = later.some((end) => end.resource_id === id && end.step !== step && end.last_error === error)
  const status = item.status === 'failed' && isEndTold ? 'done' : item.status
  return {
    status,
    statusWords: stepStatusName(status),
    time: timeOf(item.at),
    words: wordsOf(isPart ? partKind(id) : timeline.resource, item),
    by: user ? `by ${isolated(user.name)}` : actorName(item.actor, isForStaff),
    error: status === 'failed' && error !== null ? errorOf(error, item) : null,
    asked: askedWords(item.attempts),
    reason: item.reason ?? null,
    part: isPart ? { id, link: `${home}/timelines/${id}` } : null,
  }
}

/** What belongs to another resource: an invoice of a subscription, a dispute of a payment, or a payment. */
function partKind(id: string): ShownResource {
  if (id.startsWith('inv_')) return 'invoice'
  return id.startsWith('dsp_') ? 'dispute' : 'payment'
}

function wordsOf(resource: ShownResource, { step, details }: Item): string {
  const words = stepName(resource, step)
  return step === 'attempt' ? `${words} ${details['number']}` : words
}

function errorOf(code: string, { details }: Item): string {
  const answered = details['response_status']
  return answered ? `${errorName(code)} It answered ${answered}.` : errorName(code)
}

/** What is awaited, with its next moment and the last one, each once. Null if nothing is awaited. */
function waitOf(timeline: AnyTimeline, { isForStaff }: Seen) {
  const now = Date.parse(timeline.as_of)
  const { waiting_on: on, waiting_since: since, wakes_at: next, wake_reason: reason, expected_by: last } = timeline
  if (on === null) return waitOfAccount(timeline, isForStaff)
  const words = waitWords(on, reason, isForStaff)
  // A subscription and a dispute do something else at the end of each wait, whomever they wait for.
  const ownWords = isStep(reason) && (next === null || next === last) ? wakeWords(reason, isForStaff) : null
  const moments = [
    ...(next !== null && reason !== null && next !== last ? [momentOf(wakeWords(reason, isForStaff), next, now)] : []),
    ...(last === null ? [] : [momentOf(ownWords ?? words.last, last, now)]),
  ]
  return { title: words.title, since: timeOf(since), moments }
}

/** Nothing happens by itself to an account of which something is missing, and yet it is not at its end. */
function waitOfAccount({ resource, status }: AnyTimeline, isForStaff: boolean) {
  if (resource !== 'account' || (status !== 'onboarding' && status !== 'restricted')) return null
  return { title: waitWords('information', null, isForStaff).title, since: null, moments: [] }
}

const isStep = (reason: WakeReason | null): reason is SubscriptionStep | DisputeWait =>
  reason !== null && (isOneOf(subscriptionSteps, reason) || isOneOf(disputeWaits, reason))

const momentOf = (label: string, at: string, now: number) => ({
  label,
  time: timeOf(at),
  isOverdue: now - Date.parse(at) > graceMs,
})
