import type { Static, TObject, TSchema } from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import type { ErrorCode, FieldError } from '../../domain/refusal.ts'
import type { IdPrefix } from '../../domain/id.ts'
import type { Role } from '../../domain/access/role.ts'
import type { Environment, Scope } from '../../domain/access/scope.ts'
import type { Needs, WaitsOn } from './load-limits.ts'
import type { UploadedFile } from './read-multipart.ts'
import type { Services } from './services.ts'
import { usualBytesMax } from './long-bodies.ts'

/**
 * Who may call: an API key, a person's access token, the client secret of one checkout session, the token of a customer
 * session, of an onboarding session or of an invitation into a team, or anybody.
 */
export type Credential =
  | 'apiKey'
  | 'user'
  | 'clientSecret'
  | 'customerToken'
  | 'onboardingToken'
  | 'invitationToken'
  | 'none'

/** The caller, as the credential identifies them. */
export type Caller = {
  /** Empty without a credential, and for the platform's own staff, who belong to no organization. */
  accountId: string
  environment: Environment
  scopes: readonly string[]
  /** Whether a person may choose the live environment: their organization has been activated. False for all others. */
  maySeeLive: boolean
  /** The checkout session of a client secret; null for every other credential. */
  checkoutId: string | null
  /** The client secret itself, of which only a hash is stored; null for every other credential. */
  clientSecret: string | null
  /** The customer session of a customer's token; null for every other credential. */
  customerSessionId: string | null
  /** The one customer whom a customer's token opens; null for every other credential. */
  customerId: string | null
  /** The onboarding session of a hosted page's token; null for every other credential. */
  onboardingSessionId: string | null
  /** The invitation of the token of its link; null for every other credential. */
  invitationId: string | null
  /** The user; null for every credential but an access token. */
  userId: string | null
  /** The API key; null for every other credential. */
  keyId: string | null
  /** The login session of the access token; null without a user. */
  sessionId: string | null
  role: Role | null
  /** The IP address that the call comes from. */
  address: string
}

/** The schema of parameters, a query or a body; undefined if the operation takes none. */
export type Input = TObject | undefined
type In<T extends Input> = T extends TSchema ? Static<T> : Record<string, never>

/** The argument of a handler: checked input, the caller, the time of the call (ms since the epoch), the services. */
export type Call<P extends Input, Q extends Input, B extends Input> = {
  params: In<P>
  query: In<Q>
  body: In<B>
  /** In an operation that `takesFile`: the file. */
  file: UploadedFile
  /** In an operation that `returnsStream`. */
  stream: StreamCaller
  caller: Caller
  /** Whether one of our own pages makes the call for whoever has asked for it. */
  isFromPages: boolean
  now: number
  /** In a `write` the running transaction, which commits when the handler returns; else a plain reader. */
  em: EntityManager
  /** The digits of a number in the body, exactly as sent: a float may lose some of them. */
  digitsOf(field: string): string | undefined
  /** In a `process` call, the id of the resource it creates. A repetition under the same key gets the same id. */
  callId: string
  /** Whether this call repeats an interrupted one. It continues the first call's work and does not check it again. */
  isRepeat: boolean
  /**
   * In a `process` call: commits what `work` changes, as the caller and by the caller's test clock. After a conflict
   * with another call `work` runs again, and then sees what the other call has committed.
   */
  commit<T>(work: (em: EntityManager) => Promise<T>): Promise<T>
  /**
   * Asks somebody outside, who may take long. In a `write` call that holds nothing meanwhile: what the handler has done
   * is undone, and once `ask` has ended the handler runs again, and gets for the same `question` what that has given.
   */
  askOutside<T>(question: string, ask: () => Promise<T>): Promise<T>
  services: Services
  /** Counts this call against another limit per minute, and refuses it beyond that limit. */
  count(subject: string, limit: number): Promise<void>
  /**
   * In an operation that `waits`: says which provider the process needs. Refuses where too many wait for it already.
   */
  waitsOn: WaitsOn
  /** Refuses to begin a sale for an account other than the caller's while that account is overloaded. */
  assertMaySell(accountId: string): void
}

/**
 * How the handler runs. `read`: no transaction. `write`: one transaction, committed with the idempotency record.
 * `process`: the handler commits a request, then waits for the process that owns the resource; or it asks somebody
 * outside, who may take long, before it commits.
 */
export type Mode = 'read' | 'write' | 'process'

/** A creation returns this if the resource exists already: the answer then has status 200. */
export class ExistingResource<T> {
  readonly found: T

  constructor(found: T) {
    this.found = found
  }
}

/** A file as an answer. `name` is what a browser saves it as: letters, digits, `-` and one dot. */
export class FileAnswer {
  readonly bytes: Uint8Array
  readonly name: string

  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}

/** What a stream is told of its connection: how to cut it once it is open, and that it has ended, whoever ended it. */
export type Connection = { onOpen(cut: () => void): void; onClosed(): void }

/** An answer that is sent part by part as it is made, as fast as the caller takes it. */
export class StreamAnswer {
  readonly parts: AsyncIterable<string>
  readonly connection: Connection

  constructor(parts: AsyncIterable<string>, connection: Connection) {
    this.parts = parts
    this.connection = connection
  }
}

/** What a stream needs to know of its caller. */
export type StreamCaller = {
  /** The account of the credential, also where it acts for a connected account. */
  holder: string
  /** The id of the last event that the caller has got from an earlier stream; empty without one. */
  lastEventId: string
  /** Throws once the credential no longer gives access to the same data. */
  assertStillAllowed(): Promise<void>
}

/** The content types of files that operations answer with. */
export type FileType = 'application/pdf'

type Declaration<P extends Input, Q extends Input, B extends Input, R extends TSchema> = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With `{id}` for parameters, as in OpenAPI. */
  path: string
  summary: string
  /** The heading of the operation on the reference page. */
  tag: string
  auth: readonly Credential[]
  /** The scope that a key needs; null if the operation needs none. */
  scope: Scope | null
  /** Further scopes that a key needs as well: those of other resources that the answer shows in full. */
  alsoNeeds?: readonly Scope[]
  mode?: Mode
  /** In a `process` operation: the prefix of `callId`, if the call creates a resource with an id. */
  makes?: IdPrefix
  /** Whether it manages API keys: only owners and admins may do so, and never for a connected account. */
  managesKeys?: boolean
  /** Whether it manages the people of an organization: only its owners and admins may do so. */
  managesTeam?: boolean
  /**
   * Whether its credential works no more once it has succeeded. With an idempotency key the credential is let through
   * to it for as long as answers are kept; if none is kept for that key, the handler refuses it.
   */
  usesUpCredential?: boolean
  /** Whether only the platform's own staff may call it, for decisions that an organization may not make itself. */
  forStaff?: boolean
  params?: P
  query?: Q
  body?: B
  /** The most bytes of its JSON body; left out: 100 KB, and `longBytesMax` where it takes metadata. */
  bodyBytesMax?: number
  /** Whether its answer to a person names the environment that they see, without data of one. */
  namesEnvironment?: boolean
  /** Whether the body is a multipart form with a part `file`, instead of JSON. */
  takesFile?: boolean
  /**
   * Finds errors that the schema cannot find. The body is unchecked: a field may have another type than the schema
   * says.
   */
  validate?(body: Record<string, unknown>, circumstances: ValidationContext): FieldError[]
  /** The load that the operation adds; it is refused with 503 during overload (decision 0028). */
  needs?: Needs
  /** Whether a `write` with this body only inserts rows: then one statement commits everything. */
  insertsOnly?(body: In<B>): boolean
  returns: readonly [status: number, shape: R]
  /** Whether it may answer with an `ExistingResource`. */
  findsExisting?: boolean
  /** In an operation that reads: the type of the `FileAnswer` that it answers with, in place of JSON. */
  returnsFile?: FileType
  /** In an operation that reads: the type of the `StreamAnswer` that it answers with, in place of JSON. */
  returnsStream?: 'text/event-stream'
  /** The codes it may refuse with, in addition to those of every operation. */
  refuses: readonly ErrorCode[]
  handle(call: Call<P, Q, B>): Promise<Static<R> | ExistingResource<Static<R>> | FileAnswer | StreamAnswer>
}

/** What a validation may use besides the body. It does not include the database. */
export type ValidationContext = Pick<
  Call<undefined, undefined, undefined>,
  'caller' | 'digitsOf' | 'now' | 'services'
> & {
  /** The query as it was sent, unchecked. */
  query: Record<string, unknown>
  /** Whether the schema check has found errors, so that the call is refused anyway. */
  hasErrors: boolean
}

type Settled = 'handle' | 'insertsOnly' | 'mode' | 'bodyBytesMax'
/** An operation without its type parameters, for the router and OpenAPI. */
export type Operation = Omit<Declaration<Input, Input, Input, TSchema>, Settled> & {
  mode: Mode
  bodyBytesMax: number
  insertsOnly?(body: unknown): boolean
  handle(call: Call<Input, Input, Input>): Promise<unknown>
}

/** Room for the metadata of a session and of its subscription at their limits, with twelve bytes for each emoji. */
export const longBytesMax = 1024 * 1024

/**
 * Declares an endpoint: authentication, scope, limits, validation, idempotency, OpenAPI and the handler. The service
 * does not start with an operation that declares no auth or no scope.
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
  const takesMetadata = Object.hasOwn(declaration.body?.properties ?? {}, 'metadata')
  const bodyBytesMax = declaration.bodyBytesMax ?? (takesMetadata ? longBytesMax : usualBytesMax)
  const callers = takesUser(declaration) ? [...auth, 'user'] : auth
  // The types of its input are lost here: `perform` gives a handler only what these schemas have checked.
  return { ...declaration, mode, bodyBytesMax, auth: callers } as unknown as Operation
}

/** A user of an organization may call what its API keys may call, if the user's role gives the scope. */
const takesUser = ({ auth, path }: Pick<Operation, 'auth' | 'path'>): boolean =>
  auth.includes('apiKey') && !auth.includes('user') && /^\/(v1|api\/v1\/payments)\//.test(path)

/** The type of a successful answer. */
export const contentTypeOf = ({ returnsFile, returnsStream }: Pick<Operation, 'returnsFile' | 'returnsStream'>) =>
  returnsFile ?? returnsStream ?? 'application/json'

/** Whether the operation needs an organization. The platform's own staff belong to none and cannot call it then. */
export const needsAccount = ({ path, scope, forStaff, managesKeys }: Operation): boolean =>
  !forStaff && (path.startsWith('/v1/') || scope !== null || managesKeys === true)

/** Whether the operation can be called for a connected account, named by `X-Account-Id`. */
export const takesAccountId = ({ auth }: Pick<Operation, 'auth'>): boolean => auth.includes('apiKey')

/**
 * Whether the caller may reach connected accounts. A token that was made for one person, such as that of an onboarding
 * link, opens its own account only, also where that is the account of a platform.
 */
export const reachesConnected = ({ keyId, userId }: Pick<Caller, 'keyId' | 'userId'>): boolean =>
  keyId !== null || userId !== null

/** Whether `X-Environment` counts: a person may choose which environment's data the operation is about. */
export const takesEnvironment = ({ auth, namesEnvironment }: Pick<Operation, 'auth' | 'namesEnvironment'>): boolean =>
  auth.includes('user') && (takesAccountId({ auth }) || namesEnvironment === true)

/** Whether the operation needs a body: an empty one would be refused. */
export function needsBody({ body, takesFile, validate }: Operation): boolean {
  if (!body) return false
  if (takesFile || (body.required ?? []).length > 0) return true
  // The cast is safe: with an empty body no validation reads the rest of the context.
  const nothing = { digitsOf: () => undefined, query: {}, now: 0, hasErrors: false } as unknown as ValidationContext
  return (validate?.({}, nothing) ?? []).length > 0
}

/**
 * Whether the operation takes an `Idempotency-Key` (docs/contract/general.md, "Idempotency"). Without a credential a
 * key has no owner: a stranger who sends the same key must not get the stored answer.
 */
export const takesKey = ({ method, path, auth }: Operation): boolean =>
  !auth.includes('none') &&
  (method === 'post' || method === 'patch') &&
  /^\/(v1|api\/v1\/payments|api\/v1\/auth\/api-keys)(\/|$)/.test(path)
