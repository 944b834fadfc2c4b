import { randomUUID } from 'node:crypto'
import type Router from '@koa/router'
import Koa, { type Context, type Next } from 'koa'
import { errorCodes, invalid, mustBeOneOf, Refusal } from '../../domain/refusal.ts'
import { isUnavailable } from '../../engine/unavailable.ts'
import { refusalIn } from '../../engine/refusals.ts'
import { withFormRoom } from './form-room.ts'
import { readArriving } from './read-arriving.ts'
import { addressOf } from './caller-address.ts'
import { answerPreflight, createCors, isForBrowsers } from './cors.ts'
import { loggedCall } from './logged-call.ts'
import { callsFromAddress, type CountCall, createCounter } from './count-calls.ts'
import { addHealth, healthPaths } from './health.ts'
import { errorBody } from './error-object.ts'
import type { Operation } from './operation.ts'
import { operations } from '../operations.ts'
import { createPerformer } from './perform.ts'
import { addRailCallbacks } from '../rail-callbacks.ts'
import { addOpenApi, addReference } from '../reference.ts'
import { PlaceRouter } from './place-router.ts'
import { createSecurityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { challenge } from './unauthorized.ts'
import { addDocuments, addUploads } from '../catalogue/upload-content.ts'

/** The HTTP application. `addPages` mounts the hosted pages, which are not part of the API. */
export function createApp(services: Services, addPages: (router: Router) => void = () => undefined): Koa {
  const app = new Koa()
  const router = new PlaceRouter()
  const count = createCounter(services)
  const refuse = refuseMethods(services, count)
  addOperations(router, createPerformer(services, count), refuse)
  addOpenApi(router, services)
  router.get('/.well-known/jwks.json', async (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.body = await services.accessTokens.keySet(await services.clock.now())
  })
  addReference(router)
  addHealth(router, services)
  addRailCallbacks(router, services, count)
  addUploads(router, services)
  addDocuments(router, services)
  addPages(router)
  app.silent = true
  app.on('error', (error: Error & { code?: string }, ctx?: Context) => {
    const isHangUp = hangUps.test(error.code ?? '')
    const { requestId } = (ctx?.state ?? {}) as { requestId?: string }
    services.logger[isHangUp ? 'debug' : 'warn']({ requestId, err: error }, 'answer not sent')
  })
  const { traceCall } = services
  if (traceCall) app.use((ctx, next) => traceCall(ctx, () => routeOf(ctx), next))
  app.use(logged(services))
  app.use(cutOffStuck(services))
  app.use(letGo(services))
  app.use(createSecurityHeaders())
  app.use(refusing(services))
  app.use(refuseHeads)
  app.use(createCors(operations)) // before everything that a page of a merchant may be refused for
  app.use(namingVersion(services))
  app.use(router.dispatch())
  app.use((ctx) => refuse(ctx, methodsFor(ctx)))
  return app
}

type Refuse = ReturnType<typeof refuseMethods>

/** Fixed paths come before paths with parameters, so that `/v1/payouts/estimate` is not read as a payout's id. */
function addOperations(router: Router, perform: ReturnType<typeof createPerformer>, refuse: Refuse): void {
  const serve = (operation: Operation) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    router[operation.method](path, (ctx) => perform(operation, ctx))
    if (isForBrowsers(operation)) router.options(path, answerPreflight(operation))
  }
  const inFull = operations.filter(({ path }) => !path.includes('{'))
  inFull.forEach(serve)
  for (const [path, sharing] of Map.groupBy(inFull, (operation) => operation.path)) {
    const methods = sharing.map(({ method }) => method.toUpperCase())
    router.all(path, (ctx) => refuse(ctx, methods.includes('GET') ? [...methods, 'HEAD'] : methods))
  }
  operations.filter((operation) => !inFull.includes(operation)).forEach(serve)
}

/** The error codes when the caller has hung up. They are neither our error nor an outage. */
const hangUps = /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/

/** The pattern of the path; `none` where no route has it. */
const routeOf = (ctx: Context): string => String(ctx['_matchedRoute'] ?? 'none')

/** Logs one line per call, with the route and never the URL: a URL may contain a secret. Merchants see theirs. */
const logged = ({ logger, requestLog, measureCall }: Services) => {
  // No field of this line can be a secret, so that no place in it has to be looked at for one.
  const calls = logger.child({}, { redact: [] })
  return async (ctx: Context, next: Next) => {
    const startedAt = performance.now()
    const sent = ctx.get('x-request-id')
    const requestId = /^[\w-]{1,64}$/.test(sent) ? sent : randomUUID()
    ctx.state['requestId'] = requestId
    ctx.set('X-Request-Id', requestId)
    await next()
    const ms = performance.now() - startedAt
    const durationMs = Math.round(ms)
    const { method, status } = ctx
    const route = routeOf(ctx)
    const { accountId, refused = null } = ctx.state as { accountId?: string; refused?: Refusal }
    calls.info({ requestId, method, route, status, durationMs, accountId }, 'call')
    if (!healthPaths.has(route)) measureCall?.({ method, route, status, ms })
    const call = loggedCall(ctx, refused, durationMs)
    if (call) requestLog.add(call)
  }
}

const usualStuckMs = 60_000

/**
 * Ends the connection of a caller who takes nothing of an answer for so long: what is not sent yet is held in memory.
 * An answer that has nothing to send for the moment goes on. Node sets its own limit again once the answer is sent.
 */
const cutOffStuck =
  ({ stuckMs = usualStuckMs }: Services) =>
  async (ctx: Context, next: Next) => {
    await next()
    const { socket } = ctx.req
    // Without this listener, Node would end the connection in both cases.
    ctx.res.on('timeout', () => void (ctx.res.writableLength > 0 && socket.destroy()))
    socket.setTimeout(stuckMs)
  }

/**
 * Closes the connection if the call was answered before its whole body arrived, so that the rest cannot hold it, and
 * once the process was told to stop, so that the caller goes elsewhere next.
 */
const letGo =
  ({ isStopping = () => false }: Services) =>
  async (ctx: Context, next: Next) => {
    // for the hosted pages, which read forms and the files in them
    ctx.state['arriving'] = readArriving.bind(null, ctx.req) // not written as a function here: decision 0105
    ctx.state['withFormRoom'] = withFormRoom
    await next()
    if (!ctx.req.complete || isStopping()) ctx.set('Connection', 'close')
  }

/** The methods that the routes of a path accept. */
const methodsFor = (ctx: Context): string[] =>
  ((ctx['matched'] ?? []) as { methods: string[] }[]).flatMap(({ methods }) => methods)

/** Refuses calls without a route. They count against the address, so that nobody can search for paths quickly. */
const refuseMethods =
  ({ config, clock }: Services, count: CountCall) =>
  async (ctx: Context, taken: string[]) => {
    await count(ctx, callsFromAddress(addressOf(ctx, config.trustedProxyHops)), await clock.now())
    if (taken.length === 0 || taken.includes(ctx.method))
      throw new Refusal('NOT_FOUND', `no such path: ${config.publicUrl}/reference lists all of them`)
    const methods = [...new Set(taken)].toSorted().join(', ')
    ctx.set('Allow', methods)
    throw new Refusal('METHOD_NOT_ALLOWED', `this path takes ${methods}`)
  }

/** Whether the target of a request is a path, or an address with a path, as proxies are sent. */
const namesPath = (target = ''): boolean =>
  /^[/*]/.test(target) || (/^https?:\/\//i.test(target) && URL.canParse(target))

/** Refuses a head that is valid HTTP only at first sight. HTTP/1.1 asks for Host (RFC 9112, section 3.2). */
const refuseHeads = ({ req }: Context, next: Next) => {
  if (!namesPath(req.url)) throw new Refusal('VALIDATION_ERROR', 'the target of the request must be a path')
  if (req.httpVersion === '1.0') return next()
  const { host, expect = '100-continue' } = req.headers
  if (host === undefined) throw invalid('Host', 'is required', 'value_error.missing')
  if (!/\b100-continue\b/i.test(expect)) throw invalid('Expect', 'must be 100-continue, or left out', 'value_error')
  return next()
}

const namingVersion =
  ({ versions }: Services) =>
  (ctx: Context, next: Next) => {
    const version = ctx.get('x-api-version')
    if (version && !versions.includes(version))
      throw invalid('X-API-Version', mustBeOneOf(versions), 'value_error.enum')
    ctx.set('X-API-Version', version || versions[0]) // an operation sets the version of the caller's account instead
    return next()
  }

/** Turns every error into the error object. */
const refusing = (services: Services) => async (ctx: Context, next: Next) => {
  try {
    await next()
  } catch (error) {
    const refused = error instanceof Refusal ? error : (refusalIn(error) ?? unexpected(services, ctx, error))
    ctx.state['refused'] = refused
    const status = errorCodes[refused.code]
    const waits = status === 503 || refused.errors.some((fieldError) => fieldError.code === 'idempotency_key_in_use')
    if (refused.retryAfter !== null) ctx.set('Retry-After', String(refused.retryAfter))
    else if (waits) ctx.set('Retry-After', '1')
    if (status === 401 && !ctx.response.get('WWW-Authenticate')) ctx.set('WWW-Authenticate', challenge)
    ctx.status = status
    ctx.type = 'application/json'
    ctx.body = errorBody(refused, services.config)
  }
}

function unexpected({ logger }: Services, ctx: Context, error: unknown): Refusal {
  const { requestId } = ctx.state as { requestId: string }
  if (isUnavailable(error)) {
    logger.warn({ requestId, err: error }, 'the database or the engine is unavailable')
    return new Refusal('SERVICE_UNAVAILABLE', 'the service is not available for the moment; try again')
  }
  logger.error({ requestId, err: error }, 'unexpected error')
  return new Refusal('INTERNAL_SERVER_ERROR', `something went wrong on our side; request ${requestId}`)
}
