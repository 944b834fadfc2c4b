import type { Static, TObject, TSchema } from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import type { ErrorCode, FieldError } from '../../domain/refusal.ts'
import type { IdPrefix } from '../../domain/id.ts'
import type { Role } from '../../domain/access/role.ts'
import type { Environment, Scope } from '../../domain/access/scope.ts'
import type { Needs } from './load-limits.ts'
import type { SentFile } from './read-form.ts'
import type { Services } from './services.ts'

/** Who may call: an API key, a person's access token, the client secret of one checkout session, or anybody. */
export type Credential = 'apiKey' | 'user' | 'clientSecret' | 'none'

/** Who is calling, as far as the credential tells. */
export type Caller = {
  /** Empty for somebody without a credential and for the platform's own staff, who belong to no organization. */
  accountId: string
  environment: Environment
  scopes: readonly string[]
  /** The one session that a client secret opens; null for every other credential. */
  checkoutId: string | null
  /** That secret itself, of which only a hash is stored; null likewise. */
  clientSecret: string | null
  /** The person; null for every credential but an access token. */
  userId: string | null
  /** The API key; null for every other credential. */
  keyId: string | null
  /** The login that the access token comes from; null where there is no person. */
  sessionId: string | null
  role: Role | null
  /** The IP address that the call comes from. */
  address: string
}

/** A shape of parameters, a query or a body; none where nothing is taken. */
export type Input = TObject | undefined
type In<T extends Input> = T extends TSchema ? Static<T> : Record<string, never>

/** What a handler is given: checked input, the caller, the time of the call (ms since the epoch), and the services. */
export type Call<P extends Input, Q extends Input, B extends Input> = {
  params: In<P>
  query: In<Q>
  body: In<B>
  /** In an operation that `takesFile`: the file. */
  file: SentFile
  caller: Caller
  now: number
  /** In a `write` the running transaction, which commits when the handler returns; else a plain reader. */
  em: EntityManager
  /** The digits of a number in the body, exactly as they were sent: a float may not hold them. */
  digitsOf(field: string): string | undefined
  /** In a `process` call the id of what it makes: the same when it was cut off and is repeated under its key. */
  callId: string
  /** Whether this is such a repetition: it goes on where the first call was cut off, and checks nothing again. */
  isRepeat: boolean
  services: Services
  /** Counts this call against a further limit a minute, and refuses it when that is reached. */
  count(subject: string, limit: number): Promise<void>
  /** Refuses to begin something for an account that is not the caller's, while that account is overloaded. */
  assertMaySell(accountId: string): void
}

/**
 * How the handler runs. `read`: no transaction. `write`: one transaction, committed with the idempotency record.
 * `process`: the handler commits what it asks for and waits for the process that owns the resource.
 */
export type Mode = 'read' | 'write' | 'process'

/** What a creation found where it was to make the same: answered with 200 in place of its own status. */
export class ExistingResource<T> {
  readonly found: T

  constructor(found: T) {
    this.found = found
  }
}

type Declaration<P extends Input, Q extends Input, B extends Input, R extends TSchema> = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With `{id}` for parameters, as the interface writes paths. */
  path: string
  summary: string
  /** The heading under which the reference page shows it. */
  tag: string
  auth: readonly Credential[]
  /** Needed of a key; null only where the interface asks for none. */
  scope: Scope | null
  mode?: Mode
  /** In a `process` operation: the prefix of `callId`, where the call makes something that has an id. */
  makes?: IdPrefix
  /** Whether it is about API keys, which owners and admins alone manage, and never for a connected account. */
  managesKeys?: boolean
  /** Whether it is for the platform's own staff alone, who decide what an organization may not decide for itself. */
  forStaff?: boolean
  params?: P
  query?: Q
  body?: B
  /** Whether the body is a multipart form with a part `file`, instead of JSON. */
  takesFile?: boolean
  /** The errors that the shape cannot tell. It is given whatever was sent and trusts no type in it. */
  validate?(body: Record<string, unknown>, circumstances: ValidationContext): FieldError[]
  /** What it needs room for; it is refused with 503 while there is none (decision 0028). */
  needs?: Needs
  /** Whether a `write` with this body makes new rows and does nothing else: then one statement commits it all. */
  insertsOnly?(body: In<B>): boolean
  returns: readonly [status: number, shape: R]
  /** Whether it may answer with an `Existing` of that shape. */
  findsExisting?: boolean
  /** The codes it may refuse with, beside those that every operation has. */
  refuses: readonly ErrorCode[]
  handle(call: Call<P, Q, B>): Promise<Static<R> | ExistingResource<Static<R>>>
}

/** What else may make an error of what was sent, without asking the database. */
export type ValidationContext = Pick<
  Call<undefined, undefined, undefined>,
  'caller' | 'digitsOf' | 'now' | 'services'
> & {
  /** The query as it was sent, which may be faulty as well. */
  query: Record<string, unknown>
  /** Whether the shape has told errors already, so that the call is refused whatever else is found. */
  hasErrors: boolean
}

/** An operation without its types, as the router and OpenAPI see it. */
export type Operation = Omit<Declaration<Input, Input, Input, TSchema>, 'handle' | 'insertsOnly' | 'mode'> & {
  mode: Mode
  insertsOnly?(body: unknown): boolean
  handle(call: Call<Input, Input, Input>): Promise<unknown>
}

/**
 * Declares an endpoint. Authentication, scope, limits, validation, idempotency, OpenAPI and the handler all follow
 * from this one declaration; without auth or scope it does not boot.
 */
export function operation<
  R extends TSchema,
  P extends Input = undefined,
  Q extends Input = undefined,
  B extends Input = undefined,
>(declaration: Declaration<P, Q, B, R>): Operation {
  const { method, path, auth, scope } = declaration
  if (auth.length === 0) throw new Error(`${method} ${path} declares no auth`)
  if (scope === null && auth.includes('apiKey') && !path.startsWith('/v1/reference/')) {
    throw new Error(`${method} ${path} declares no scope`)
  }
  const mode = declaration.mode ?? (method === 'get' ? 'read' : 'write')
  return { ...declaration, mode, auth: takesUser(declaration) ? [...auth, 'user'] : auth } as unknown as Operation
}

/** What a key may do in an organization a person of it may do too, as far as the role gives the scope. */
const takesUser = ({ auth, path }: Pick<Operation, 'auth' | 'path'>): boolean =>
  auth.includes('apiKey') && !auth.includes('user') && /^\/(v1|api\/v1\/payments)\//.test(path)

/** Whether it is about what an organization has: the platform's own staff, who belong to none, cannot call it then. */
export const needsAccount = ({ path, scope, forStaff, managesKeys }: Operation): boolean =>
  !forStaff && (path.startsWith('/v1/') || scope !== null || managesKeys === true)

/** Whether the operation can be called for a connected account, named by `X-Account-Id`. */
export const takesAccountId = ({ auth }: Pick<Operation, 'auth'>): boolean => auth.includes('apiKey')

/** Whether a call without a body is refused: where an empty one would leave something out. */
export function needsBody({ body, takesFile, validate }: Operation): boolean {
  if (!body) return false
  if (takesFile || (body.required ?? []).length > 0) return true
  // An empty body has nothing that could be asked about.
  const nothing = { digitsOf: () => undefined, query: {}, now: 0, hasErrors: false } as unknown as ValidationContext
  return (validate?.({}, nothing) ?? []).length > 0
}

/**
 * Whether the operation can be repeated under an `Idempotency-Key` (docs/contract/general.md, "Idempotency"). Without a
 * credential nobody owns a key, and a stranger who sends the same one must not get what it has opened.
 */
export const takesKey = ({ method, path, auth }: Operation): boolean =>
  !auth.includes('none') &&
  (method === 'post' || method === 'patch') &&
  /^\/(v1|api\/v1\/payments|api\/v1\/auth\/api-keys)(\/|$)/.test(path)
