import { defineEntity, p } from '@mikro-orm/core'
import { moment } from '../core/columns.ts'
import { loginMethods } from './user.ts'

const challengeSchema = defineEntity({
  name: 'LoginChallenge',
  tableName: 'login_challenges',
  properties: {
    id: p.string().primary(),
    userId: p.string().index('login_challenges_by_user'),
    method: p.enum(loginMethods),
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
/** The second step of a login, after the right password. */
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
