import { hash } from 'node:crypto'
import { ApiKey, createUseRecorder, hashKey, isKeyShaped } from '../../db/access/api-key.ts'
import { TeamInvitation } from '../../db/access/team.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { OnboardingSession } from '../../db/platform/onboarding-session.ts'
import { CustomerSession } from '../../db/subscription/customer-session.ts'
import { readRow, runPrepared } from '../../db/core/prepared-statement.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Role, scopesOf } from '../../domain/access/role.ts'
import { isOpen } from '../../domain/access/team.ts'
import { answerKeptMs } from '../../domain/retention.ts'
import { type RateTier, rateTiers, type Scope } from '../../domain/access/scope.ts'
import { callsFromAddress, type Counted } from '../http/count-calls.ts'
import type { Caller, Operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { remembering } from '../http/remembering.ts'
import { kindOf, revokedKey, tokenIn, unauthorized, unknownKey } from '../http/unauthorized.ts'
import { idInToken, isTokenOf } from '../http/secret-token.ts'

/** A key that is ours, and that is revoked or has expired: its organization may know that somebody still uses it. */
export class RefusedKey extends Refusal {
  readonly caller: Caller

  constructor(detail: string, caller: Caller) {
    super('UNAUTHORIZED', detail)
    this.caller = caller
  }
}

/** Who calls, and the rate limit that counts the call; `counted` is null for calls without a limit. */
export type Authenticated = { caller: Caller; counted: Counted | null }

const perUser = 100
const perSecret = 60 // three times the calls of a page that polls for its payment
const perCustomer = 120 // a page of the portal reads four lists
/** What the token of an onboarding link may do, where an operation takes it: of its own account only. */
const onboardingScopes: readonly Scope[] = ['accounts:read', 'accounts:write', 'products:write']

type From = { now: number; address: string; hasKey?: boolean }
type Called = Pick<Operation, 'method' | 'auth' | 'usesUpCredential'>

/**
 * Reads credentials. `now` is in milliseconds since the epoch, `address` the caller's IP address; `hasKey`: an
 * idempotency key was sent.
 */
export function createAuthenticator({ database: { orm }, config, accessTokens }: Services) {
  const findKey = remembering(async (_, text: string) =>
    isKeyShaped(text) ? readRow(orm.em, ApiKey, { hash: hashKey(config.keyPepper, text) }) : null,
  )
  const noteUse = createUseRecorder(() => orm.em.fork())
  const findPerson = remembering(async (sessionId) => {
    const [row] = await runPrepared<Person>(orm.em, personOfSession, [sessionId])
    return row ?? null
  })

  async function withKey(text: string, { now, address }: From): Promise<Authenticated> {
    const key = await findKey(hash('sha256', text), text) // its HMAC takes six times as long
    if (!key) throw unknownKey(text, config.deployment)
    const { accountId, environment, scopes } = key
    const caller = { ...nobody(address), accountId, environment, scopes, keyId: key.id }
    if (!key.isActive) throw new RefusedKey(revokedKey, caller)
    if (key.expiresAt && key.expiresAt.getTime() <= now) throw new RefusedKey('The API key has expired', caller)
    noteUse(key.id, now)
    const tier: RateTier = key.rateTier
    const limit = rateTiers[tier]
    return { caller, counted: limit === null ? null : { subject: key.id, limit } }
  }

  /** The limit of a call that needs no key and was sent with one: that of the key, if it is one that works. */
  const limitOfKey = (text: string, from: From): Promise<Counted | null> =>
    withKey(text, from).then(
      ({ counted }) => counted,
      (error: unknown) => {
        if (error instanceof Refusal) return callsFromAddress(from.address)
        throw error
      },
    )

  async function withAccessToken(token: string, { now, address }: From): Promise<Authenticated> {
    const subject = await accessTokens.verify(token, now)
    const person = subject && (await findPerson(subject.sessionId))
    if (!person || person.id !== subject.userId) throw refused('The access token is invalid or no longer works')
    const { id: userId, role, account_id: accountId, payments_enabled: paymentsEnabled } = person
    const caller: Caller = {
      ...nobody(address),
      userId,
      role,
      sessionId: subject.sessionId,
      scopes: scopesOf(role),
      accountId: accountId ?? '',
      environment: paymentsEnabled ? 'live' : 'sandbox',
      maySeeLive: paymentsEnabled === true,
    }
    return { caller, counted: { subject: userId, limit: perUser } }
  }

  async function withClientSecret(secret: string, { address }: From, { method }: Called): Promise<Authenticated> {
    const checkoutId = idInToken(secret)
    const checkout = await readRow(orm.em, Checkout, { id: checkoutId })
    if (!checkout || !isTokenOf(checkout.clientSecretHash, secret)) {
      throw refused('The client secret is invalid')
    }
    const { accountId, environment } = checkout
    const caller = { ...nobody(address), accountId, environment, checkoutId, clientSecret: secret }
    // A page that waits polls often, and many buyers share one address of their mobile carrier, so reads are counted
    // per client secret. Payments are counted per address: a thief who tests stolen cards could open a session for
    // each.
    const isLooking = method === 'get'
    return { caller, counted: isLooking ? { subject: checkoutId, limit: perSecret } : callsFromAddress(address) }
  }

  async function withCustomerToken(token: string, { now, address }: From, { method }: Called): Promise<Authenticated> {
    const id = idInToken(token)
    const session = await readRow(orm.em, CustomerSession, { id })
    const isKnown = session !== null && isTokenOf(session.tokenHash, token)
    // The same words for both, so that nobody learns which tokens once worked.
    if (!isKnown || session.expiresAt.getTime() <= now) throw refused('The customer token is invalid or has expired')
    const { accountId, environment, customerId } = session
    const caller = { ...nobody(address), accountId, environment, customerId, customerSessionId: id }
    const isLooking = method === 'get'
    return { caller, counted: isLooking ? { subject: id, limit: perCustomer } : callsFromAddress(address) }
  }

  async function withOnboardingToken(
    token: string,
    { now, address }: From,
    { method }: Called,
  ): Promise<Authenticated> {
    const id = idInToken(token)
    const session = await readRow(orm.em, OnboardingSession, { id })
    const isKnown = session !== null && isTokenOf(session.tokenHash, token)
    if (!isKnown || session.expiresAt.getTime() <= now) throw refused('The onboarding link is invalid or has expired')
    const { accountId, environment } = session
    const scopes = onboardingScopes
    const caller = { ...nobody(address), accountId, environment, scopes, onboardingSessionId: id }
    const isLooking = method === 'get'
    return { caller, counted: isLooking ? { subject: id, limit: perCustomer } : callsFromAddress(address) }
  }

  async function withInvitationToken(
    token: string,
    { now, address, hasKey }: From,
    { method, usesUpCredential }: Called,
  ): Promise<Authenticated> {
    const id = idInToken(token)
    const invitation = await readRow(orm.em, TeamInvitation, { id })
    const isKnown = invitation !== null && isTokenOf(invitation.tokenHash, token)
    const isRepeat = hasKey && usesUpCredential && isKnown && wasAcceptedSince(invitation, now - answerKeptMs)
    // The same words for all: nobody learns whether somebody has accepted.
    if (!isKnown || (!isOpen(invitation, now) && !isRepeat))
      throw refused('The invitation is invalid, used or has expired')
    const caller = { ...nobody(address), accountId: invitation.accountId ?? '', invitationId: id }
    const isLooking = method === 'get'
    return { caller, counted: isLooking ? { subject: id, limit: perSecret } : callsFromAddress(address) }
  }

  /** Reads the caller from the credential. Refuses a credential that the operation does not accept. */
  return async (authorization: string, called: Called, from: From): Promise<Authenticated> => {
    const token = tokenIn(authorization) ?? ''
    const kind = kindOf(token)
    if (kind && called.auth.includes(kind)) {
      if (kind === 'apiKey') return withKey(token, from)
      if (kind === 'customerToken') return withCustomerToken(token, from, called)
      if (kind === 'onboardingToken') return withOnboardingToken(token, from, called)
      if (kind === 'invitationToken') return withInvitationToken(token, from, called)
      return kind === 'user' ? withAccessToken(token, from) : withClientSecret(token, from, called)
    }
    if (called.auth.includes('none')) {
      // A login is counted by address: nobody may guess more often by keys of their own.
      const isCountedByKey = kind === 'apiKey' && called.method === 'get'
      const counted = isCountedByKey ? await limitOfKey(token, from) : callsFromAddress(from.address)
      return { caller: nobody(from.address), counted }
    }
    throw unauthorized(authorization, called.auth)
  }
}

const wasAcceptedSince = ({ status, endedAt }: TeamInvitation, since: number): boolean =>
  status === 'accepted' && endedAt !== null && endedAt.getTime() > since

type Person = { id: string; role: Role; account_id: string | null; payments_enabled: boolean | null }

/** The user of an open session. Role and organization are read here, as a token does not contain them. */
const personOfSession = `
  select u.id, u.role, u.account_id, a.payments_enabled
  from login_sessions s join users u on u.id = s.user_id left join accounts a on a.id = u.account_id
  where s.id = $1 and s.ended_at is null`

/** A caller without a credential. */
const nobody = (address: string): Caller => ({
  accountId: '',
  environment: 'sandbox',
  scopes: [],
  maySeeLive: false,
  checkoutId: null,
  clientSecret: null,
  customerSessionId: null,
  customerId: null,
  onboardingSessionId: null,
  invitationId: null,
  userId: null,
  keyId: null,
  sessionId: null,
  role: null,
  address,
})

const refused = (detail: string) => new Refusal('UNAUTHORIZED', detail)
