import { defineEntity, p } from '@mikro-orm/core'
import { moment } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { loginMethods } from './user.ts'

const challengeSchema = defineEntity({
  name: 'LoginChallenge',
  tableName: 'login_challenges',
  properties: {
    id: p.string().primary(),
    userId: p.string().index('login_challenges_by_user'),
    method: p.enum(loginMethods),
    // Asked of somebody who is signed in already, before they change how they sign in. It never opens a session.
    forChanges: p.boolean().default(false),
    // Of the newest code that was mailed; null for an authenticator app.
    codeHash: p.string().length(64).strictNullable(),
    wrongCodes: p.smallint().default(0),
    sends: p.smallint().default(0),
    sentAt: moment().strictNullable(),
    createdAt: moment(),
    expiresAt: moment().index('login_challenges_by_end'),
    endedAt: moment().strictNullable(),
  },
})
/** The code that is asked for in a login, after the right password, or by mail before a change of one's own login. */
export class LoginChallenge extends challengeSchema.class {}
challengeSchema.setClass(LoginChallenge)

const sessionSchema = defineEntity({
  name: 'LoginSession',
  tableName: 'login_sessions',
  properties: {
    id: p.string().primary(),
    userId: p.string().index('login_sessions_by_user'),
    createdAt: moment(),
    endedAt: moment().strictNullable(),
  },
})
/** One device that is logged in: the family of refresh tokens that come from one login. */
export class LoginSession extends sessionSchema.class {}
sessionSchema.setClass(LoginSession)

const refreshTokenSchema = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  properties: {
    hash: p.string().length(64).primary(),
    sessionId: p.string().index('refresh_tokens_by_session'),
    createdAt: moment(),
    expiresAt: moment().index('refresh_tokens_by_end'),
    usedAt: moment().strictNullable(),
  },
})
/** A token that works once; only its HMAC is stored. */
export class RefreshToken extends refreshTokenSchema.class {}
refreshTokenSchema.setClass(RefreshToken)

/** Ends the challenges of a person: what was asked for before a change is not answered after it. */
export async function endChallenges(em: EntityManager, userId: string, now: number): Promise<void> {
  await em.nativeUpdate(LoginChallenge, { userId, endedAt: null }, { endedAt: new Date(now) })
}

/** Ends every session of a person, or every one but `besides`. */
export async function endSessions(em: EntityManager, userId: string, now: number, besides?: string): Promise<void> {
  const others = besides === undefined ? {} : { id: { $ne: besides } }
  await em.nativeUpdate(LoginSession, { userId, endedAt: null, ...others }, { endedAt: new Date(now) })
}

/** A session that can still be used: since when, from which address, and until when unless it is renewed. */
export type OpenSession = {
  id: string
  createdAt: Date
  address: string | null
  lastUsedAt: Date | null
  expiresAt: Date | null
}

const openSessionsMax = 100

/**
 * The open sessions of a user, newest first, at most 100. One whose tokens have all expired is over. The caller's own
 * is listed in any case. `at` is in milliseconds since the epoch.
 */
export async function openSessionsOf(
  em: EntityManager,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  at: number,
): Promise<OpenSession[]> {
  type Row = Record<'created_at' | 'last_used_at' | 'expires_at', string | null> & Pick<OpenSession, 'id' | 'address'>
  const rows = await em.execute<Row[]>(
    `select s.id, s.created_at, t.last_used_at, t.expires_at, (
       select address from audit_entries where target = s.id and action = 'login.succeeded' limit 1) as address
     from login_sessions s cross join lateral (
       select max(created_at) as last_used_at, max(expires_at) as expires_at
       from refresh_tokens where session_id = s.id) t
     where s.user_id = ? and s.ended_at is null and (t.expires_at > ? or s.id = ?)
     order by s.created_at desc, s.id desc limit ?`,
    [userId, new Date(at), sessionId, openSessionsMax],
  )
  const read = (time: string | null) => (time === null ? null : new Date(time))
  return rows.map((row) => ({
    id: row.id,
    address: row.address,
    createdAt: new Date(row.created_at ?? at),
    lastUsedAt: read(row.last_used_at),
    expiresAt: read(row.expires_at),
  }))
}
