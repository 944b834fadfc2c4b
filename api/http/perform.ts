import type { Context } from 'koa'
import type { ClockTime } from '../../db/core/database.ts'
import { type ErrorCode, type FieldError, Refusal } from '../../domain/refusal.ts'
import { actFor, assertMayCall } from './acting-for.ts'
import { createAuthenticator, RefusedKey } from '../access/authenticate.ts'
import { createClockReader } from './clock-of-caller.ts'
import { addressOf, isFromPages } from './caller-address.ts'
import { callsFromAddress, type CountCall } from './count-calls.ts'
import { inEnvironment } from './environment.ts'
import { withFormRoom } from './form-room.ts'
import { type Answer, identifyCall, type KeyedCall } from './idempotency.ts'
import { createLoadLimits, type WaitsOn } from './load-limits.ts'
import { noteActing, noteCaller } from './logged-call.ts'
import {
  type Caller,
  type FileAnswer,
  type FileType,
  type ValidationContext,
  type Operation,
  type StreamCaller,
  takesKey,
} from './operation.ts'
import { validatePage } from './pagination.ts'
import { type MultipartBody, readMultipart } from './read-multipart.ts'
import { createReadPlaces } from './read-places.ts'
import { freshMs } from './remembering.ts'
import { type Body, digitsIn, readBody } from './read-body.ts'
import { type AnyCall, type CheckedCall, runOperation } from './run-operation.ts'
import type { Services } from './services.ts'
import { sendStream } from './send-stream.ts'
import { challengeTo } from './unauthorized.ts'
import { assertValid, validateInput, validateQuery } from './validate.ts'
import { addDeprecationHeaders } from './deprecation.ts'
import { createVersioning } from './version.ts'

/** The caller, the real time of the call (ms since the epoch), and the test clock by which the call goes. */
type Made = Pick<AnyCall, 'caller' | 'now' | 'stream'> & { clock: ClockTime | null }

/** Runs operations: credential, version, limit, scope, input, idempotency, handler, answer, in this order. */
export function createPerformer(services: Services, count: CountCall) {
  const authenticate = createAuthenticator(services)
  const versionFor = createVersioning(services)
  const load = createLoadLimits(services.database)
  const inReadPlace = createReadPlaces(services.database.orm.config.get('pool')?.max ?? 10)
  const clockOfCaller = createClockReader(services.database)

  async function admit(operation: Operation, ctx: Context, now: number): Promise<Caller> {
    const authorization = ctx.get('authorization')
    const address = addressOf(ctx, services.config.trustedProxyHops)
    const from = { now, address, hasKey: hasKey(ctx) }
    const { caller, counted } = await authenticate(authorization, operation, from).catch(async (error: unknown) => {
      if (error instanceof RefusedKey) note(operation, ctx, error.caller, now)
      await count(ctx, callsFromAddress(address), now) // guessing credentials is counted too
      if (error instanceof Refusal && error.code === 'UNAUTHORIZED')
        ctx.set('WWW-Authenticate', challengeTo(authorization, error.message))
      throw error
    })
    note(operation, ctx, caller, now)
    ctx.set('X-API-Version', await versionFor(caller, ctx.get('x-api-version')))
    if (counted) await count(ctx, counted, now)
    return caller
  }

  return async (operation: Operation, ctx: Context): Promise<void> => {
    const beganAt = performance.now()
    ctx.set('Cache-Control', 'no-store') // answers hold personal data, some also keys, tokens and codes
    const now = await services.clock.now()
    const person = inEnvironment(operation, await admit(operation, ctx, now), ctx.headers['x-environment'])
    ctx.state['accountId'] = person.accountId
    note(operation, ctx, person, now)
    assertMayCall(operation, person)
    const caller = await actFor(services.database.orm.em, operation, person, ctx.headers['x-account-id'])
    noteActing(ctx, caller.accountId)
    const clock = await clockOfCaller(caller)
    const stream: StreamCaller = {
      holder: person.accountId,
      lastEventId: ctx.get('last-event-id'),
      assertStillAllowed: async () => void (await readAgain(operation, ctx, caller)),
    }
    const hasArrived = ctx.req.complete
    const work = async (body: MultipartBody | null) => {
      const isLate = body !== null && !hasArrived && performance.now() - beganAt > freshMs
      const made = isLate ? await judgeAgain(operation, ctx, caller) : { caller, now, clock }
      return runWith(body, operation, ctx, { ...made, stream })
    }
    const answer = await withBody(operation, ctx, person.accountId, work)
    if (answer.file && operation.returnsFile) sendFile(ctx, answer.file, operation.returnsFile)
    else if (answer.stream && operation.returnsStream) sendStream(ctx, answer.stream, operation.returnsStream)
    else send(ctx, answer)
  }

  /** Checks the credential of a call that goes on: it must still give access to the data that it began with. */
  async function readAgain(operation: Operation, ctx: Context, began: Caller): Promise<Caller> {
    const from = { now: await services.clock.now(), address: began.address, hasKey: hasKey(ctx) }
    const { caller } = await authenticate(ctx.get('authorization'), operation, from)
    const person = inEnvironment(operation, caller, ctx.headers['x-environment'])
    assertMayCall(operation, person)
    const again = await actFor(services.database.orm.em, operation, person, ctx.headers['x-account-id'])
    const isSame = again.accountId === began.accountId && again.environment === began.environment
    if (!isSame) throw new Refusal('FORBIDDEN', 'the credential gives access to other data now')
    return again
  }

  /**
   * The caller and the time of a call whose body has come late. A body may take minutes, in which a quote can
   * expire and its caller can be removed.
   */
  async function judgeAgain(operation: Operation, ctx: Context, began: Caller) {
    const caller = await readAgain(operation, ctx, began)
    return { caller, now: await services.clock.now(), clock: await clockOfCaller(caller) }
  }

  async function runWith(
    body: MultipartBody | null,
    operation: Operation,
    ctx: Context,
    { caller, now, clock, stream }: Made,
  ) {
    addDeprecationHeaders(ctx, operation, body?.json ?? {})
    const digitsOf = digitsIn(body)
    const time = clock?.time ?? now
    const input = readInput(operation, ctx, body, { caller, now: time, services, digitsOf })
    const { params } = input
    const { keyPepper } = services.config
    const once = takesKey(operation) ? keyOf(operation, ctx, { params, caller, now, keyPepper }, body) : null
    const callOf = (waitsOn: WaitsOn) => ({
      params,
      query: input.query,
      body: input.body,
      file: body?.file,
      isFromPages: isFromPages(ctx),
      services,
      count: (subject: string, limit: number) => count(ctx, { subject, limit }, now),
      assertMaySell: load.assertMaySell,
      digitsOf,
      stream,
      caller,
      now: time,
      waitsOn,
    })
    // The types of its input are not known here: the operation's own schemas have checked what it gets.
    const run = () =>
      load.run(operation.needs, caller.accountId, (waitsOn) =>
        runOperation(operation, callOf(waitsOn) as unknown as CheckedCall, once, clock, now),
      )
    return operation.method === 'get' && stream.holder !== '' ? inReadPlace(stream.holder, run) : run()
  }
}

const hasKey = (ctx: Context): boolean => ctx.get('idempotency-key') !== ''

/** Notes the caller for the log of calls. */
function note(operation: Operation, ctx: Context, caller: Caller, at: number): void {
  const { accountId, environment, keyId, userId } = caller
  const call = { operation, at, accountId, environment, keyId, userId, isFromPages: isFromPages(ctx) }
  noteCaller(ctx, { ...call, actingFor: null })
}

/** Runs `work` with the parsed body, null if the operation takes none. A file is held in `withFormRoom`. */
async function withBody<T>(
  { method, takesFile, bodyBytesMax }: Operation,
  { req }: Context,
  accountId: string,
  work: (body: MultipartBody | null) => Promise<T>,
): Promise<T> {
  if (method === 'get') return work(null)
  if (takesFile) return withFormRoom(accountId, async (place) => work(await readMultipart(req, place)))
  return work({ ...(await readBody(req, bodyBytesMax, accountId)), file: null })
}

type Asked = Omit<ValidationContext, 'query' | 'hasErrors'>

/** The checked input. The errors of path, query, headers and body are reported together. */
function readInput(operation: Operation, ctx: Context, body: Body | null, made: Asked) {
  const params = validateInput(operation.params, ctx['params'])
  const query = validateQuery(operation.query, ctx.querystring === '' ? {} : ctx.query)
  const sent = validateInput(operation.body, body?.json ?? {})
  const hasErrors = sent.errors.length + query.errors.length > 0
  const further = operation.validate?.(sent.normalized, { ...made, query: query.normalized, hasErrors }) ?? []
  const ofPage = validatePage(operation.query, query.normalized, made.services)
  const mayHaveKey = operation.method === 'post' || operation.method === 'patch'
  const ofKey = mayHaveKey ? validateIdempotencyKey(ctx.req.headers['idempotency-key']) : []
  const ofBody = [...sent.errors, ...further]
  const isMissing = !operation.takesFile && body?.raw.length === 0 && ofBody.length > 0
  const errors = [...params.errors, ...query.errors, ...ofPage, ...ofKey, ...(isMissing ? [noBody] : []), ...ofBody]
  assertValid(errors)
  return { params: params.value as Record<string, string>, query: query.value, body: sent.value }
}

const noBody: FieldError = { field: 'body', message: 'is required, as a JSON object', type: 'value_error.missing' }

/** Checks every key that is sent: an empty or truncated key would protect nothing. */
function validateIdempotencyKey(key: string | string[] | undefined): FieldError[] {
  if (key === undefined || /^[\x20-\x7e]{1,255}$/.test(String(key))) return []
  const isLong = key.length > 255
  const message = isLong ? 'must be at most 255 characters' : 'must be 1 to 255 printable ASCII characters'
  return [{ field: 'Idempotency-Key', message, type: isLong ? 'value_error.range' : 'value_error.format' }]
}

type Scope = { caller: AnyCall['caller']; params: Record<string, string>; now: number; keyPepper: Buffer }

/** Refunds and API keys may have the key in their body. The header is used if both are sent. */
function inBody({ body: shape }: Operation, body: Body | null): string {
  const sent = shape && 'idempotency_key' in shape.properties ? body?.json['idempotency_key'] : undefined
  return typeof sent === 'string' ? sent : ''
}

function keyOf(
  operation: Operation,
  ctx: Context,
  { caller, params, now, keyPepper }: Scope,
  body: Body | null,
): KeyedCall | null {
  const header = ctx.get('idempotency-key')
  const key = header || inBody(operation, body)
  if (!key) return null
  const field = header ? 'Idempotency-Key' : 'idempotency_key'
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const scope = [caller.accountId, caller.environment, operation.method, path, ...personOf(caller, path)]
  return identifyCall(keyPepper, scope, { key, field }, body?.raw ?? Buffer.alloc(0), now)
}

/**
 * The one person for whom a credential was made. Their key is their own: another one of the same account who sends the
 * same key gets no answer of theirs. Where the path names their session, that says it.
 */
function personOf({ customerId, invitationId, onboardingSessionId, checkoutId }: Caller, path: string): string[] {
  const buyer = checkoutId !== null && path.split('/').includes(checkoutId) ? null : checkoutId
  return [customerId, invitationId, onboardingSessionId, buyer].filter((each) => each !== null)
}

function send(ctx: Context, answer: Answer): void {
  ctx.status = answer.status
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  if (answer.replayed) ctx.set('Idempotent-Replayed', 'true')
  ctx.body = answer.body
}

/** Sends a file to be shown. */
function sendFile(ctx: Context, { bytes, name }: FileAnswer, type: FileType): void {
  ctx.status = 200
  ctx.type = type
  ctx.set('Content-Disposition', `inline; filename="${name}"`)
  ctx.body = Buffer.from(bytes)
}

/** Codes that any operation may answer with. */
export const commonRefusals: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'TOO_MANY_REQUESTS',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
]
