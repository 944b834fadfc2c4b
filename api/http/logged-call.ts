import type { Context } from 'koa'
import type { TSchema } from 'typebox'
import { anyIdPattern, newId } from '../../domain/id.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { LoggedCall } from '../../domain/sight/logged-call.ts'
import { type Caller, type Operation, takesAccountId } from './operation.ts'

/** Who calls which operation, as far as it is known when the call ends; `at` is when it arrived (ms). */
type Noted = Pick<Caller, 'accountId' | 'environment' | 'keyId' | 'userId'> & {
  operation: Operation
  at: number
  actingFor: string | null
  isFromPages: boolean
}

type State = { noted?: Noted; requestId: string }

/** Notes who makes a call, once that is known. Noted again, the later word counts. */
export function noteCaller(ctx: Context, call: Noted): void {
  ctx.state['noted'] = call
}

/** Notes the connected account that a call acts for. */
export function noteActing(ctx: Context, accountId: string): void {
  const { noted } = ctx.state as State
  if (noted && accountId !== noted.accountId) noted.actingFor = accountId
}

/**
 * Whether the log has a call: one of a merchant's key or person to an operation for merchants. Left out are what staff,
 * buyers and customers do, what a person's pages read to show themselves, and reading the log.
 */
function isLogged({ operation, accountId, keyId, userId, isFromPages }: Noted): boolean {
  const { path, auth, method, forStaff = false } = operation
  const isForMerchants = takesAccountId(operation) || (auth.includes('user') && path.startsWith('/v1/'))
  const isByMerchant = accountId !== '' && (keyId !== null || userId !== null)
  const isShown = isFromPages && method === 'get'
  return isForMerchants && isByMerchant && !forStaff && !isShown && !path.startsWith('/v1/request-logs')
}

/** The row of an answered call; null where it has none. `refused` is why it was refused. */
export function loggedCall(ctx: Context, refused: Refusal | null, durationMs: number): LoggedCall | null {
  const { noted, requestId } = ctx.state as State
  if (!noted || !isLogged(noted)) return null
  const { operation, accountId, environment, keyId, userId, actingFor, at, isFromPages } = noted
  return {
    id: newId('req', at),
    accountId,
    environment,
    requestId,
    method: operation.method.toUpperCase(),
    route: operation.path,
    path: pathOf(operation, (ctx['params'] ?? {}) as Record<string, string>),
    status: ctx.status,
    errorCode: refused?.code ?? null,
    errorFields: refused ? fieldsOf(operation, refused) : [],
    keyId,
    userId,
    actingFor,
    source: isFromPages ? 'dashboard' : 'api',
    apiVersion: ctx.response.get('X-API-Version') || null,
    isReplay: ctx.response.get('Idempotent-Replayed') === 'true',
    durationMs,
    at,
  }
}

/**
 * The path that was called. A parameter that is neither an id of ours nor a word that the operation names stays
 * unsaid: somebody may have put a secret there.
 */
function pathOf({ path, params }: Operation, sent: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = sent[name] ?? ''
    const { enum: words = [] } = (params?.properties[name] ?? {}) as { enum?: string[] }
    return anyIdPattern.test(value) || words.includes(value) ? value : placeholder
  })
}

const fieldsMax = 20
const headers = ['Idempotency-Key', 'X-Account-Id', 'X-API-Version', 'X-Environment', 'body', 'file']

/** The faulty fields. A name that the caller has made up, such as a key of metadata, is shown as `*`. */
function fieldsOf(operation: Operation, { errors }: Refusal): string[] {
  if (errors.length === 0) return []
  const known = namesIn(operation)
  const shown = errors.map(({ field }) =>
    field
      .split('.')
      .slice(0, 6)
      .map((part) => (known.has(part) || /^\d{1,3}$/.test(part) ? part : '*'))
      .join('.'),
  )
  return [...new Set(shown)].slice(0, fieldsMax)
}

const names = new WeakMap<Operation, Set<string>>()

/** The names of all fields, parameters and headers of an operation. */
function namesIn(operation: Operation): Set<string> {
  let found = names.get(operation)
  if (!found) {
    found = new Set(headers)
    for (const schema of [operation.params, operation.query, operation.body]) addNames(schema, found)
    names.set(operation, found)
  }
  return found
}

type Shape = TSchema & { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] }

function addNames(schema: TSchema | undefined, found: Set<string>): void {
  const { properties = {}, items, anyOf = [] }: Shape = schema ?? {}
  for (const [name, inner] of Object.entries(properties)) {
    found.add(name)
    addNames(inner, found)
  }
  for (const inner of [...(items ? [items] : []), ...anyOf]) addNames(inner, found)
}
