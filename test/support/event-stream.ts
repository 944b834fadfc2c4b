import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { type Frame, framesIn } from '../../client/library/event-stream.ts'
import { bearer } from './api.ts'
import { until } from './until.ts'

export const streamPath = '/v1/events/stream'

type Opening = { key: string; query?: Record<string, string | number>; headers?: Record<string, string> }

/** Opens a stream of events over a connection of its own. `isPaused` takes nothing of it until `resume` is called. */
export async function openStream(baseUrl: string, opening: Opening, isPaused = false) {
  const { key, query = {}, headers = {} } = opening
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const startedAt = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${baseUrl}${streamPath}?${search}`, { agent: false, headers: { ...bearer(key), ...headers } })
    sent.on('response', resolve).on('error', reject).end()
  })
  const frames: Frame[] = []
  let endedAfterMs: number | null = null
  const read = async () => {
    try {
      for await (const frame of framesIn(response)) frames.push(frame)
    } catch {
      // the connection was cut
    }
    endedAfterMs = performance.now() - startedAt
  }
  if (!isPaused) void read()
  const events = () => frames.filter(({ data }) => data !== '')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    events,
    sequences: () => events().map(({ id }) => Number(id)),
    /** The id up to which the caller has everything. */
    lastId: () => frames.findLast(({ id }) => id !== '')?.id ?? '',
    comments: () => frames.flatMap(({ comment }) => (comment === '' ? [] : [comment])),
    isOpen: () => endedAfterMs === null,
    has: (count: number) =>
      until(() => events().length >= count, `${count} events arrive`, { withinMs: 20_000, everyMs: 10 }),
    /** Waits for its end, and returns the milliseconds since the call. */
    async ended(withinMs = 15_000): Promise<number> {
      await until(() => endedAfterMs !== null, 'the stream ends', { withinMs, everyMs: 10 })
      return endedAfterMs ?? 0
    },
    resume: () => void read(),
    close: () => response.destroy(),
  }
}

export type Stream = Awaited<ReturnType<typeof openStream>>
