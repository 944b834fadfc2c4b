import type { EventType } from '../domain/webhook/event.ts'
import { type Api, leastWaitMs } from './api.ts'
import { Failure } from './failure.ts'
import { comingBack, isAhead } from './library/coming-back.ts'

/** An event as the API lists it. */
export type Event = {
  id: string
  type: string
  created_at: string
  /** Only of a connected account. */
  account_id?: string
  data: Record<string, unknown>
  resource_id: string
  sequence: number | string
}
export type EventPage = { items: Event[]; pagination: { next_cursor: string | null } }

const path = '/v1/events/stream'

/** Which events: of these types (left out: of all), and of this connected account (left out: the caller's own). */
export type Followed = { types?: readonly EventType[] | undefined; accountId?: string | undefined }

/** What happens to a stream, besides its events. */
export type Happenings = {
  /** The first connection has begun: from now on no event is missed. */
  onBegun(): void
  onWaiting(detail: string): void
  onResumed(): void
}

/**
 * The events that happen from now on, in the order of their sequence, each once. When the connection ends it is made
 * again, after waits that grow while the service is unavailable or busy. Throws what no wait can mend, and everything
 * that happens before the stream has begun.
 */
export async function* newEvents(
  { stream }: Pick<Api, 'stream'>,
  { types, accountId }: Followed,
  { onBegun, onWaiting, onResumed }: Happenings,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  const query = types && { types: types.join(',') }
  const account = accountId === undefined ? {} : { 'x-account-id': accountId }
  const frames = comingBack({
    open(lastEventId) {
      const headers = { ...account, ...(lastEventId && { 'last-event-id': lastEventId }) }
      return stream({ path, signal, headers, ...(query && { query }) })
    },
    retryAfterMs: (error) => (error instanceof Failure && isAhead(error.errors) ? 0 : leastWaitMs(error)),
    onBegun,
    onWaiting: (error) => onWaiting(error instanceof Error ? error.message : String(error)),
    onResumed,
    signal,
  })
  for await (const { data } of frames) yield JSON.parse(data) as Event
}
