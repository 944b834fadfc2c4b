import createClient, { type HeadersOptions, type MaybeOptionalInit, mergeHeaders } from 'openapi-fetch'
import type { AnswerOf, ItemOf, ListPath, PathWith } from './answer.ts'
import { badAnswer, errorIn } from './error.ts'
import { followEvents, type StreamedEvent, type StreamOptions } from './follow-events.ts'
import type { paths } from './openapi.ts'
import { otherTypes, takingKeys } from './operations.ts'
import { itemsOf } from './pages.ts'
import { createPatientFetch, type Fetch } from './retry.ts'

export type SteadypayOptions = {
  /** The address of the service, without a path. Sandbox and live have different ones. */
  baseUrl: string
  /** An API key: `sk_sandbox_…` or `sk_live_…`. */
  apiKey: string
  /** How often a call is made again; 0 for never. Default: 3. */
  retriesMax?: number
  /**
   * How long one try may take, in milliseconds. Default: 30000; for an advance of a test clock and for a scenario,
   * which the service lets take longer, 120000.
   */
  timeoutMs?: number
  /** In the place of the global `fetch`: a proxy, or a test. */
  fetch?: Fetch
}

/** The parameters and the body of a call. It may be left out where nothing is needed. */
type Input<Path extends keyof paths, Method extends keyof paths[Path]> =
  undefined extends MaybeOptionalInit<paths[Path], Method>
    ? [input?: MaybeOptionalInit<paths[Path], Method>]
    : [input: MaybeOptionalInit<paths[Path], Method>]

/**
 * Calls by their path, as in the reference. Each returns what the operation answers with.
 *
 * @throws {SteadypayError} for every other answer, and if there is none. If the call is aborted by its own `signal`,
 * the signal's reason is thrown.
 */
export type Steadypay = {
  GET<Path extends PathWith<'get'>>(path: Path, ...input: Input<Path, 'get'>): Promise<AnswerOf<Path, 'get'>>
  POST<Path extends PathWith<'post'>>(path: Path, ...input: Input<Path, 'post'>): Promise<AnswerOf<Path, 'post'>>
  PUT<Path extends PathWith<'put'>>(path: Path, ...input: Input<Path, 'put'>): Promise<AnswerOf<Path, 'put'>>
  PATCH<Path extends PathWith<'patch'>>(path: Path, ...input: Input<Path, 'patch'>): Promise<AnswerOf<Path, 'patch'>>
  DELETE<Path extends PathWith<'delete'>>(
    path: Path,
    ...input: Input<Path, 'delete'>
  ): Promise<AnswerOf<Path, 'delete'>>
  /** The items of all pages of a list, for `for await`. `limit` is the size of a page; default: 100. */
  list<Path extends ListPath>(path: Path, ...input: Input<Path, 'get'>): AsyncGenerator<ItemOf<Path>>
  events: {
    /**
     * The events that happen from now on, for `for await`: each once, in the order of their `sequence`, about a quarter
     * of a second after they happen. The stream begins with the first step of the loop. It has no end of its own: leave
     * the loop, or abort `signal`. A lost connection is made again, after waits that grow to half a minute, and goes on
     * after the last event, so that what has happened meanwhile comes too. Until the first connection has begun it is
     * tried as often as a call (`retriesMax`). The key needs the scope `webhooks:read`.
     *
     * For what must not be missed use webhooks: they wait while your process is not running.
     *
     * @throws {SteadypayError} where no wait helps: the key is not valid, or no longer (401), lacks the scope (403), or
     * the call is wrong.
     */
    stream(options?: StreamOptions): AsyncGenerator<StreamedEvent>
  }
}

type AnyInput = {
  params?: { query?: Record<string, unknown>; header?: Record<string, string | null> }
  headers?: HeadersOptions
  body?: unknown
}

const usualTimeoutMs = 30_000
/** The calls that the service lets take longer. */
const longCalls: ReadonlySet<string> = new Set<`POST ${PathWith<'post'>}`>([
  'POST /v1/test-helpers/clocks/{clock_id}/advance',
  'POST /v1/test-helpers/scenarios',
])
const longTimeoutMs = 120_000

/** A client for one API key. It keeps no connection and no state, so one is enough for a whole server. */
export function createSteadypay({
  baseUrl,
  apiKey,
  retriesMax = 3,
  timeoutMs,
  fetch = (request) => globalThis.fetch(request),
}: SteadypayOptions): Steadypay {
  const patient = (ownMs: number) => createPatientFetch({ fetch, retriesMax, timeoutMs: timeoutMs ?? ownMs })
  const forLongCalls = { fetch: patient(longTimeoutMs) }
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: patient(usualTimeoutMs),
    redirect: 'error', // the key is for this address only
    bodySerializer: serialized,
  })

  const call = (method: string) => async (path: string, input?: AnyInput) => {
    const send = client.request as unknown as (method: string, path: string, input: object) => Promise<Answered>
    const operation = `${method.toUpperCase()} ${path}`
    const key = keyOf(operation, input)
    const { response, error } = await send(method, path, {
      ...(longCalls.has(operation) && forLongCalls),
      ...input,
      ...withKey(input, key),
      parseAs: 'stream',
    })
    if (!response.ok) throw errorIn(response, error, key)
    return contentOf(response, otherTypes.get(operation), key)
  }
  const read = call('get')
  const list = (path: string, input?: AnyInput) =>
    itemsOf(
      (query) => read(path, { ...input, params: { ...input?.params, query } }) as never,
      input?.params?.query ?? {},
    )
  const followed = { baseUrl, apiKey, retriesMax, timeoutMs: timeoutMs ?? usualTimeoutMs, fetch }
  const calls = {
    GET: read,
    POST: call('post'),
    PUT: call('put'),
    PATCH: call('patch'),
    DELETE: call('delete'),
    list,
    events: {
      stream: (options?: StreamOptions) => followEvents(followed, options),
    },
  }
  return calls as unknown as Steadypay // the types of all operations are in openapi.ts; here they are one
}

type Answered = { response: Response; error?: unknown }

/**
 * The idempotency key of a call, which all its tries have: the caller's, or a new one for a write that takes a key.
 * Null: the call has none, as what takes no key would be made twice under one. A key in the body is sent as the header
 * too, because the service would prefer another one there. If a header cannot hold it there is no header, and the
 * service decides about the body.
 */
function keyOf(operation: string, { headers, params, body }: AnyInput = {}): string | null {
  if (!takingKeys.has(operation)) return null
  const given = mergeHeaders(headers, params?.header).get('Idempotency-Key')
  if (given !== null) return given
  const { idempotency_key: inBody } = (body ?? {}) as { idempotency_key?: unknown }
  if (typeof inBody !== 'string') return globalThis.crypto.randomUUID()
  return fitsHeader.test(inBody) ? inBody : null
}

/** What the service takes as a header. Spaces at the ends would be lost on the way. */
const fitsHeader = /^(?! )[\x20-\x7e]{1,255}(?<! )$/

/** The call with this key; null takes away one that the caller has set. */
const withKey = (input: AnyInput | undefined, key: string | null): AnyInput => ({
  params: { ...input?.params, header: { ...input?.params?.header, 'Idempotency-Key': key } },
})

/** A file is sent as a form, everything else as JSON. */
function serialized(body: unknown): string | FormData {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) if (value !== undefined) form.append(name, value as string | Blob)
  return form
}

async function contentOf(response: Response, otherType: string | undefined, key: string | null): Promise<unknown> {
  const type = otherType ?? 'application/json'
  if (!response.headers.get('Content-Type')?.startsWith(type)) throw badAnswer(response, key)
  if (otherType !== undefined) return response.blob()
  return response.json().catch((error: unknown) => {
    throw badAnswer(response, key, error)
  })
}
