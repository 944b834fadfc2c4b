import type { Static } from 'typebox'
import type { StaffTimeline, StaffTimelineItem, Timeline } from '../../schemas/sight/timeline.ts'
import type { AgendaResource } from '../../domain/sight/agenda.ts'
import { moment } from '../words.ts'
import { actorName, askedWords, errorName, kindName, stepName, stepStatusName, waitWords } from './timeline-words.ts'

/** A timeline as a merchant reads it, or as staff do. */
export type AnyTimeline = Static<typeof Timeline> | Static<typeof StaffTimeline>
type Item = Static<typeof Timeline>['items'][number] & Partial<Static<typeof StaffTimelineItem>>

/** Where the timeline is shown, and when, in ms since the epoch. */
export type Seen = { home: string; now: number; isForStaff: boolean }

/** A moment that has passed for less than this is not overdue: what happens then takes a moment itself. */
const graceMs = 60_000

/** The data of `sight/timeline.eta`: what has happened, oldest first, and what is awaited. */
export const shownTimeline = (timeline: AnyTimeline, seen: Seen) => ({
  now: new Date(seen.now).toISOString(),
  items: timeline.items
    .filter(hasBegun)
    .map((item, index, items) => shownItem(timeline, item, items.slice(index + 1), seen)),
  wait: waitOf(timeline, seen.now),
})

/** The next attempt of a delivery is awaited, and has not begun. */
const hasBegun = ({ step, status }: Item): boolean => step !== 'attempt' || status !== 'running'

function shownItem(timeline: AnyTimeline, item: Item, later: Item[], { home, isForStaff }: Seen) {
  const { resource_id: id, user = null } = item
  const isPart = id !== timeline.resource_id
  // Where a step ends in a failure, the failure is the next step, and says why.
  const next = later.find((other) => other.resource_id === id)
  const isSaidNext = next?.last_error === item.last_error && next?.step !== item.step
  return {
    status: item.status,
    statusWords: stepStatusName(item.status),
    time: timeOf(item.at),
    words: wordsOf(isPart ? 'payment' : timeline.resource, item),
    by: user ? `by ${user.name}` : actorName(item.actor, isForStaff),
    error: item.last_error === null || isSaidNext ? null : errorOf(item.last_error, item),
    asked: askedWords(item.attempts),
    reason: item.reason ?? null,
    part: isPart ? { name: `${kindName('payment')} ${id}`, link: `${home}/timelines/${id}` } : null,
  }
}

function wordsOf(resource: AgendaResource, { step, details }: Item): string {
  const words = stepName(resource, step)
  return step === 'attempt' ? `${words} ${details['number']}` : words
}

function errorOf(code: string, { details }: Item): string {
  const answered = details['response_status']
  return answered ? `${errorName(code)} It answered ${answered}.` : errorName(code)
}

/** What is awaited, with its next moment and the last one, each once. Null if nothing is awaited. */
function waitOf({ waiting_on: on, waiting_since: since, wakes_at: next, expected_by: last }: AnyTimeline, now: number) {
  if (on === null) return null
  const words = waitWords(on)
  const moments = [
    ...(next !== null && next !== last ? [momentOf(words.next, next, now)] : []),
    ...(last === null ? [] : [momentOf(words.last, last, now)]),
  ]
  return { title: words.title, since: since === null ? null : timeOf(since), moments }
}

const momentOf = (label: string, at: string, now: number) => ({
  label,
  time: timeOf(at),
  isOverdue: now - Date.parse(at) > graceMs,
})

/** A time, with its text for browsers without scripts, which cannot show local time. */
const timeOf = (at: string) => ({ at, words: moment(at) })
