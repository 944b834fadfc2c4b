import type { Static } from 'typebox'
import { type DeliveryStatus, type DeliveryTrigger, retryDelaysMs } from '../../domain/webhook/delivery.ts'
import type { AccountScope } from '../../domain/webhook/endpoint.ts'
import { eventMeanings, type EventType, eventTypes } from '../../domain/webhook/event.ts'
import type { WebhookDelivery } from '../../schemas/webhook/delivery.ts'
import type { WebhookEndpoint } from '../../schemas/webhook/endpoint.ts'
import type { Refused } from '../api.ts'
import { plainWord, timeOf } from '../words.ts'
import { type CodeWords, reusedWords } from './board-form.ts'
import { errorName } from './timeline-words.ts'

export type ShownEndpoint = Static<typeof WebhookEndpoint>
export type ShownDelivery = Static<typeof WebhookDelivery>

export const deliveryStatusNames: Record<DeliveryStatus, string> = {
  pending: 'Waiting',
  succeeded: 'Delivered',
  failed: 'Failed',
  skipped: 'Not sent',
}

const triggerNames: Record<DeliveryTrigger, string> = {
  automatic: 'The event itself',
  manual: 'Sent again',
  recovery: 'Recovery',
  test: 'Test event',
}

export const accountScopeNames: Record<AccountScope, string> = {
  own: 'Your own',
  connected: 'Those of connected accounts',
  all: 'Both',
}

/** What an event type reports, as a sentence without code marks. */
export const typeWords = (type: EventType): string => eventMeanings[type].replaceAll('`', '')

/** The event types in the groups of their first word, each with what it reports. */
export const typeGroups = [...Map.groupBy(eventTypes, (type) => type.split('.')[0] ?? '')].map(([group, types]) => ({
  name: `${group[0]?.toUpperCase()}${plainWord(group.slice(1))}`,
  types: types.map((type) => ({ type, words: typeWords(type) })),
}))

const titleMax = 80
const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)

/** An endpoint's name for people: its address, cut. */
export const titleOf = ({ url }: ShownEndpoint): string => (url === null ? 'No address' : cut(url, titleMax))

/** How an endpoint stands, and since when it fails or is off. */
export function endpointState({ url, enabled, disabled_at: off, disabled_reason: reason, ...row }: ShownEndpoint) {
  if (enabled && row.failing_since === null) return { words: 'On', isLate: false, isActive: true, since: null }
  if (enabled) return { words: 'Failing', isLate: true, isActive: false, since: timeOf(row.failing_since) }
  return {
    words: offWords({ url, disabled_reason: reason }),
    isLate: reason !== null,
    isActive: false,
    since: timeOf(off),
  }
}

function offWords({ url, disabled_reason: reason }: Pick<ShownEndpoint, 'url' | 'disabled_reason'>): string {
  if (reason) return 'Switched off: it failed'
  return url === null ? 'Off: no address' : 'Off'
}

const countNames = { succeeded: 'delivered', failed: 'failed', pending: 'waiting', skipped: 'not sent' } as const

/** The deliveries of the last 24 hours in one line; null where there are none. */
export function countWords(counts: ShownEndpoint['stats_24h']): string | null {
  const parts = (Object.keys(countNames) as (keyof typeof countNames)[])
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${countNames[status]}`)
  return parts.length > 0 ? parts.join(', ') : null
}

/** The event types of an endpoint in one line. */
export function filterWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All'
  return events.length > 3 ? `${events.slice(0, 3).join(', ')} and ${events.length - 3} more` : events.join(', ')
}

const attemptsMax = ({ trigger }: ShownDelivery): number => (trigger === 'manual' ? 1 : retryDelaysMs.length + 1)

/** The answer to the newest attempt; null before the first one. */
function lastAnswer({ attempts }: ShownDelivery): string | null {
  const last = attempts.at(-1)
  if (!last) return null
  return last.response_status === null ? errorName(last.error ?? '') : String(last.response_status)
}

/** A delivery as a row of a table. */
export const deliveryRow = (row: ShownDelivery, home: string) => ({
  link: `${home}/webhooks/deliveries/${row.delivery_id}`,
  type: row.event_type,
  status: deliveryStatusNames[row.status],
  isLate: row.status === 'failed',
  isActive: row.status === 'succeeded',
  trigger: triggerNames[row.trigger],
  attempts: `${row.attempts.length} of ${attemptsMax(row)}`,
  answer: lastAnswer(row),
  next: timeOf(row.next_attempt_at),
  created: timeOf(row.created_at),
})

/**
 * Until when a delivery is tried: its next attempt, and about when the last one is made if all of them fail. Null once
 * it has ended, and while it is on hold.
 */
export function retriesOf(row: ShownDelivery) {
  const { next_attempt_at: next, attempts } = row
  if (next === null) return null
  const later = retryDelaysMs.slice(attempts.length, attemptsMax(row) - 1)
  const lastAt = Date.parse(next) + later.reduce((sum, delay) => sum + delay, 0)
  return {
    number: attempts.length + 1,
    max: attemptsMax(row),
    next: timeOf(next),
    last: later.length === 0 ? null : timeOf(new Date(lastAt).toISOString()),
  }
}

/** The words for a conflict; another for a form whose key has been used with other values. */
export const conflictWords = (refused: Refused, words: string): CodeWords => ({
  CONFLICT: words,
  ...reusedWords(refused),
})

/** Why nothing is sent again: how the endpoint or an earlier delivery stands, as the API says it. */
export const notSentAgain = ({ detail }: Refused): string =>
  `Not sent again: ${detail ?? 'this is not possible at the moment'}.`
