import type { Api } from './api.ts'

/** An event as the API lists it. */
export type Event = {
  id: string
  type: string
  created_at: string
  data: Record<string, unknown>
  resource_id: string
  sequence: number | string
}
export type EventPage = { items: Event[]; pagination: { next_cursor: string | null } }

const pageSize = 100
const keptMax = 10_000

/** The position of an event in the list: by time, then by id. ISO times sort as text. */
const placeOf = ({ created_at, id }: Event): string => `${created_at} ${id}`

/**
 * Follows the new events of an account. Events at or below `floor` are old. An event above it is new unless it is
 * known, so an event that appears late, because its transaction took long, is still found.
 */
export function followEvents({ call }: Pick<Api, 'call'>) {
  const known = new Map<string, string>()
  let floor = ''

  const read = (cursor: string | undefined, signal: AbortSignal) =>
    call<EventPage>({ method: 'GET', path: '/v1/webhooks/events', query: { limit: pageSize, cursor }, signal })

  function keep(events: Event[]): void {
    for (const event of events) known.set(event.id, placeOf(event))
    if (known.size <= keptMax) return
    const places = [...known].toSorted(([, one], [, other]) => (one < other ? 1 : -1))
    for (const [id] of places.slice(keptMax / 2)) known.delete(id)
    floor = places[keptMax / 2]?.[1] ?? floor
  }

  return {
    /** Marks the existing events as known. */
    async start(signal: AbortSignal): Promise<void> {
      const { items, pagination } = await read(undefined, signal)
      const last = items.at(-1)
      if (last && pagination.next_cursor) floor = placeOf(last)
      keep(items)
    },
    /** Returns the new events in the order in which they were recorded. If a call fails, none is marked as known. */
    async next(signal: AbortSignal): Promise<Event[]> {
      const found = new Map<string, Event>()
      for (let cursor: string | null | undefined; cursor !== null;) {
        const { items, pagination } = await read(cursor, signal)
        const unknown = items.filter((event) => !known.has(event.id) && placeOf(event) > floor)
        for (const event of unknown) found.set(event.id, event)
        cursor = unknown.length > 0 ? pagination.next_cursor : null
      }
      const events = [...found.values()]
      keep(events)
      return events.toSorted((one, other) => Number(one.sequence) - Number(other.sequence))
    },
  }
}
