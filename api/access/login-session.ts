import { randomBytes } from 'node:crypto'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { LoginSession, RefreshToken } from '../../db/access/login.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { User } from '../../db/access/user.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Attempt } from './login-attempt.ts'
import type { Services } from '../http/services.ts'
import { dayMs } from '../../domain/duration.ts'

const lifetimeMs = 30 * dayMs
/** In this time all pages are answered that a browser has asked for at once. */
const sharedMs = 10_000

/** The result of a login or a refresh. The access token is signed after the commit. */
export type GrantedSession = { userId: string; sessionId: string; refreshToken: string }

/** A new session with its first refresh token. */
export function openSession(em: EntityManager, services: Services, user: User, now: number): GrantedSession {
  const session = em.create(LoginSession, {
    id: newId('ses', now),
    userId: user.id,
    createdAt: new Date(now),
    endedAt: null,
  })
  return addToken(em, services, session, now)
}

function addToken(
  em: EntityManager,
  services: Services,
  { id: sessionId, userId }: LoginSession,
  now: number,
): GrantedSession {
  const refreshToken = `rt_${randomBytes(32).toString('base64url')}`
  em.create(RefreshToken, {
    sessionId,
    hash: hashToken(services, refreshToken),
    usedAt: null,
    createdAt: new Date(now),
    expiresAt: new Date(now + lifetimeMs),
  })
  return { userId, sessionId, refreshToken }
}

const hashToken = ({ config }: Services, token: string): string => computeHmac(config.keyPepper, 'refresh token', token)

/**
 * Exchanges a refresh token for the next one of its session; null when the token is not valid. A second use ends the
 * session, as the token may be stolen (RFC 9700, section 4.14). Of two uses at the same time, the second ends it too.
 * But our own pages may use it again for a moment: the tabs of a browser share it, and each may be answered by another
 * process.
 */
export async function rotateRefreshToken(
  em: EntityManager,
  token: string,
  { services, address, now, isFromPages }: Attempt & { isFromPages: boolean },
): Promise<GrantedSession | null> {
  const found = await em.findOne(RefreshToken, { hash: hashToken(services, token) })
  if (!found) return null
  const session = await lock(em, LoginSession, found.sessionId)
  await em.refresh(found) // read again, now that the row is locked
  if (session.endedAt || found.expiresAt.getTime() <= now) return null
  const isShared = isFromPages && found.usedAt !== null && now - found.usedAt.getTime() < sharedMs
  if (found.usedAt === null || isShared) {
    found.usedAt ??= new Date(now)
    return addToken(em, services, session, now)
  }
  session.endedAt = new Date(now)
  const { id: userId, accountId } = await em.findOneOrFail(User, { id: session.userId })
  audit(em, { accountId, userId, action: 'login.refresh_reused', target: session.id, address }, now)
  return null
}

/**
 * Ends the user's session that a refresh token belongs to, and returns its id; null if it had already ended.
 * Refuses a token of another user: success would make the caller believe that they are logged out.
 */
export async function endSession(em: EntityManager, services: Services, userId: string, token: string, now: number) {
  const found = await em.findOne(RefreshToken, { hash: hashToken(services, token) })
  const session = found && (await em.findOne(LoginSession, { id: found.sessionId, userId }))
  if (!session) throw new Refusal('UNAUTHORIZED', 'The refresh token is invalid')
  const { id } = session
  return (await em.nativeUpdate(LoginSession, { id, endedAt: null }, { endedAt: new Date(now) })) ? id : null
}

/** The access token and the refresh token, as the API returns them. */
export const signTokens = async ({ accessTokens }: Services, granted: GrantedSession, now: number) => ({
  access_token: await accessTokens.sign(granted, now),
  refresh_token: granted.refreshToken,
})
