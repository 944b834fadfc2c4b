import type { Static } from 'typebox'
import type { RequestLog } from '../schemas/sight/request-log.ts'
import type { Api } from './api.ts'

/** A call as the API lists it. */
export type LoggedCall = Static<typeof RequestLog>
export type LogFilters = { status?: string; path?: string }
export type LogPage = { items: LoggedCall[]; pagination: { next_cursor: string | null; has_more: boolean } }

const pageSize = 100
/** A call may appear this long after its time: it is listed by its arrival, once it is answered and written. */
const lateMs = 60_000
/**
 * So often all calls of that time are read again: a late one may have pages of known ones above it. More often would be
 * too much of what a key may ask, where there are 2,000 calls a minute.
 */
const wholeEvery = 16

/** The position of a call in the list: by time, then by id. ISO times sort as text. */
const placeOf = ({ created_at, request_log_id }: LoggedCall): string => `${created_at} ${request_log_id}`

/** One page of the log, newest first. */
export const readLogs = (
  { call }: Pick<Api, 'call'>,
  query: LogFilters & Record<string, string | number | undefined>,
) => call<LogPage>({ method: 'GET', path: '/v1/request-logs', query })

/** Follows the new calls that match. What is above `floor` and not known is new, also if it appears late. */
export function followLogs({ call }: Pick<Api, 'call'>, filters: LogFilters) {
  const known = new Map<string, string>()
  let [floor, newest] = ['', '']
  let reads = 0
  /** The newest call as the last read of all calls began. What was not there yet is at most `lateMs` older. */
  let settled = ''
  /** What the current read has found, and where it goes on after a call that failed: it may be of many pages. */
  let found: LoggedCall[] = []
  let cursor: string | null | undefined

  /** From when on a call that is not known may appear. */
  const openSince = () => (settled === '' ? undefined : new Date(Date.parse(settled) - lateMs).toISOString())

  function read(from: string | undefined, signal: AbortSignal): Promise<LogPage> {
    const query = { ...filters, limit: pageSize, cursor: from, created_after: openSince() }
    return call<LogPage>({ method: 'GET', path: '/v1/request-logs', query, signal })
  }

  /** Marks calls as known, and forgets those that are too old to appear again. */
  function keep(calls: LoggedCall[]): void {
    for (const each of calls) {
      known.set(each.request_log_id, placeOf(each))
      if (each.created_at > newest) newest = each.created_at
    }
    const oldest = openSince() ?? ''
    for (const [id, place] of known) if (place < oldest) known.delete(id)
  }

  return {
    /** Marks the existing calls as known, and returns the newest of them, the oldest first. */
    async start(count: number, signal: AbortSignal): Promise<LoggedCall[]> {
      const { items, pagination } = await read(undefined, signal)
      const last = items.at(-1)
      if (last && pagination.next_cursor) floor = placeOf(last)
      keep(items)
      settled = newest
      return items.slice(0, count).toReversed()
    },
    /** The new calls, the oldest first. If a call of the API fails, none is marked as known: the next read goes on. */
    async next(signal: AbortSignal): Promise<LoggedCall[]> {
      const isWhole = reads % wholeEvery === wholeEvery - 1
      while (cursor !== null) {
        const { items, pagination } = await read(cursor, signal)
        const unknown = items.filter((each) => !known.has(each.request_log_id) && placeOf(each) > floor)
        found.push(...unknown)
        cursor = unknown.length > 0 || isWhole ? pagination.next_cursor : null
      }
      const sorted = found.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      if (isWhole) settled = newest
      keep(found)
      reads += 1
      found = []
      cursor = undefined
      return sorted
    },
  }
}
