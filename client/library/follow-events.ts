import { comingBack, isAhead } from './coming-back.ts'
import { errorIn, SteadypayError } from './error.ts'
import type { EventType, SteadypayEvent } from './event.ts'
import { type Fetch, noAnswer } from './retry.ts'

const path = '/v1/events/stream'
/** The service says something at least every 15 seconds. */
const silenceMaxMs = 40_000

/** An event of a stream: as a webhook has it, and with what a delivery has in its headers. */
export type StreamedEvent = SteadypayEvent & {
  /** The id of what the event is about. */
  resource_id: string
  /** Higher for a later event of the account. A stream goes on after it (`after`). */
  sequence: number
}

export type StreamOptions = {
  /** Only events of these types. Default: all. */
  types?: readonly EventType[]
  /** Goes on after the event with this `sequence`. Default: begins with what happens from now on. */
  after?: number
  /** For a platform: the connected account whose events are followed (`X-Account-Id`). Default: your own account. */
  accountId?: string
  /** Ends the stream: the loop is over, and nothing is thrown. */
  signal?: AbortSignal | undefined
  /** Called once, when the first connection has begun: from now on no event is missed. */
  onBegun?: () => void
  /** Called when the connection is lost or refused, and will be made again; once until it is there again. */
  onWaiting?: (error: SteadypayError) => void
  /** Called when the connection is there again after `onWaiting`. */
  onResumed?: () => void
}

type Service = { baseUrl: string; apiKey: string; retriesMax: number; timeoutMs: number; fetch: Fetch }

/** The events of an account over as many connections as it takes. What it promises is said at `Steadypay`. */
export async function* followEvents(service: Service, options: StreamOptions = {}): AsyncGenerator<StreamedEvent> {
  const { signal, onBegun, onWaiting, onResumed } = options
  const frames = comingBack({
    open: (lastEventId) => open(service, options, lastEventId),
    retryAfterMs,
    retriesMax: service.retriesMax,
    signal,
    ...(onBegun && { onBegun }),
    ...(onWaiting && { onWaiting: (error) => onWaiting(error as SteadypayError) }), // others are thrown
    ...(onResumed && { onResumed }),
  })
  try {
    for await (const { data } of frames) {
      if (signal?.aborted) return
      yield JSON.parse(data) as StreamedEvent
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** At least how long to wait after an error; null for one that no wait mends. */
function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof SteadypayError)) return null
  const { status, errors, retryAfterSeconds } = error
  const isTemporary = status === null || status === 429 || status >= 500 || isAhead(errors)
  return isTemporary ? (retryAfterSeconds ?? 0) * 1_000 : null
}

async function open(service: Service, options: StreamOptions, lastEventId: string): Promise<AsyncIterable<Uint8Array>> {
  const { apiKey, timeoutMs, fetch } = service
  const { accountId, signal } = options
  const silence = new AbortController()
  const request = new Request(addressOf(service, options), {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${apiKey}`,
      ...(accountId !== undefined && { 'X-Account-Id': accountId }),
      ...(lastEventId !== '' && { 'Last-Event-ID': lastEventId }),
    },
    redirect: 'manual', // the key is for this address only
    signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
  })
  const response = await within(timeoutMs, silence, fetch(request)).catch((error: unknown) => {
    throw noAnswer(request, error)
  })
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  if (response.ok && isStream && response.body) return chunksOf(response.body, request, silence)
  throw errorIn(response, await within(timeoutMs, silence, response.json()).catch(() => null))
}

function addressOf({ baseUrl }: Service, { types, after }: StreamOptions): string {
  const query = new URLSearchParams({
    ...(types && { types: types.join(',') }),
    ...(after !== undefined && { after: String(after) }),
  })
  return `${baseUrl.replace(/\/+$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`
}

/** What comes, until the connection ends. Only waiting counts as silence, and not what the caller does meanwhile. */
async function* chunksOf(body: ReadableStream<Uint8Array>, request: Request, silence: AbortController) {
  const reader = body.getReader()
  try {
    while (true) {
      const { done, value } = await within(silenceMaxMs, silence, reader.read())
      if (done) return
      yield value
    }
  } catch (cause) {
    throw new SteadypayError('NO_ANSWER', `the connection to ${new URL(request.url).origin} is lost`, { cause })
  } finally {
    silence.abort() // else the connection stays open when the caller leaves the loop
  }
}

/** Aborts the connection if the work takes longer. */
async function within<T>(ms: number, connection: AbortController, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.abort(new Error(`nothing came for ${ms / 1_000} seconds`)), ms)
  return work.finally(() => clearTimeout(timer))
}
