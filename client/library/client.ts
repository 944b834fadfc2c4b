import createClient, { type MaybeOptionalInit, type Middleware } from 'openapi-fetch'
import type { AnswerOf, ItemOf, ListPath, PathWith } from './answer.ts'
import { badAnswer, errorIn } from './error.ts'
import { followEvents, type StreamedEvent, type StreamOptions } from './follow-events.ts'
import type { paths } from './openapi.ts'
import { takingKeys } from './operations.ts'
import { itemsOf } from './pages.ts'
import { createPatientFetch, type Fetch } from './retry.ts'

export type SteadypayOptions = {
  /** The address of the service, without a path. Sandbox and live have different ones. */
  baseUrl: string
  /** An API key: `sk_sandbox_…` or `sk_live_…`. */
  apiKey: string
  /** How often a call is made again; 0 for never. Default: 3. */
  retriesMax?: number
  /** How long one try may take, in milliseconds. Default: 30000. */
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
     * For what must not be missed use webhooks: they wait while your process is away.
     *
     * @throws {SteadypayError} where no wait helps: the key is not valid, or no longer (401), lacks the scope (403), or
     * the call is wrong.
     */
    stream(options?: StreamOptions): AsyncGenerator<StreamedEvent>
  }
}

type AnyInput = { params?: { query?: Record<string, unknown> } }

/** A client for one API key. It keeps no connection and no state, so one is enough for a whole server. */
export function createSteadypay({
  baseUrl,
  apiKey,
  retriesMax = 3,
  timeoutMs = 30_000,
  fetch = (request) => globalThis.fetch(request),
}: SteadypayOptions): Steadypay {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: createPatientFetch({ fetch, retriesMax, timeoutMs }),
    redirect: 'error', // the key is for this address only
    bodySerializer: serialized,
  })
  client.use(withIdempotencyKey)

  const call = (method: string) => async (path: string, input?: AnyInput) => {
    const sent = client.request as unknown as (method: string, path: string, input: object) => Promise<Answered>
    const { response, error } = await sent(method, path, { ...input, parseAs: 'stream' })
    if (!response.ok) throw errorIn(response, error)
    return contentOf(response)
  }
  const read = call('get')
  const list = (path: string, input?: AnyInput) =>
    itemsOf(
      (query) => read(path, { ...input, params: { ...input?.params, query } }) as never,
      input?.params?.query ?? {},
    )
  const calls = {
    GET: read,
    POST: call('post'),
    PUT: call('put'),
    PATCH: call('patch'),
    DELETE: call('delete'),
    list,
    events: {
      stream: (options?: StreamOptions) => followEvents({ baseUrl, apiKey, retriesMax, timeoutMs, fetch }, options),
    },
  }
  return calls as unknown as Steadypay // the types of all operations are in openapi.ts; here they are one
}

type Answered = { response: Response; error?: unknown }

/** Gives each write that takes a key a new one, unless the caller has set one. All its tries have the same. */
const withIdempotencyKey: Middleware = {
  onRequest({ request, schemaPath }) {
    const takesKey = takingKeys.has(`${request.method} ${schemaPath}`)
    if (takesKey && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', globalThis.crypto.randomUUID())
    }
    return request
  },
}

/** A file is sent as a form, everything else as JSON. */
function serialized(body: unknown): string | FormData {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) if (value !== undefined) form.append(name, value as string | Blob)
  return form
}

async function contentOf(response: Response): Promise<unknown> {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return response.blob()
  return response.json().catch((error: unknown) => {
    throw badAnswer(response, error)
  })
}
