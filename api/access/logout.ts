import Type from 'typebox'
import { endSessions } from '../../db/access/login.ts'
import { audit } from '../../db/core/audit.ts'
import { inTransaction } from '../../db/core/database.ts'
import { Refusal } from '../../domain/refusal.ts'
import { LoggedOut, Tokens } from '../../schemas/access/login.ts'
import { endSession, rotateRefreshToken, signTokens } from './login-session.ts'
import { operation } from '../http/operation.ts'

const RefreshToken = Type.String({ minLength: 1, maxLength: 1000 })

export const refreshTokens = operation({
  method: 'post',
  path: '/api/v1/auth/refresh',
  summary: 'Exchange a refresh token for a new pair; each refresh token works once',
  tag: 'Login',
  auth: ['none'],
  scope: null,
  mode: 'read', // the handler commits itself: a second use of a token is recorded although the call is refused
  body: Type.Object({ refresh_token: RefreshToken }, { $id: 'RefreshTokens' }),
  returns: [200, Tokens],
  refuses: ['UNAUTHORIZED'],

  async handle({ body, caller: { address }, isFromPages, now, services }) {
    const attempt = { services, address, now, isFromPages }
    const granted = await inTransaction(services.database, (em) => rotateRefreshToken(em, body.refresh_token, attempt))
    if (!granted) throw new Refusal('UNAUTHORIZED', 'the refresh token is wrong, expired, used or revoked')
    return signTokens(services, granted, now)
  },
})

export const logOut = operation({
  method: 'post',
  path: '/api/v1/auth/logout',
  summary: 'Log out of one device, or of all devices',
  tag: 'Login',
  auth: ['user'],
  scope: null,
  body: Type.Object(
    { refresh_token: Type.Optional(RefreshToken), logout_all_devices: Type.Optional(Type.Boolean({ default: false })) },
    { $id: 'LogOut' },
  ),
  validate: ({ refresh_token, logout_all_devices }) =>
    refresh_token === undefined && logout_all_devices !== true
      ? [{ field: 'refresh_token', message: 'is required', type: 'value_error.missing' }]
      : [],
  returns: [200, LoggedOut],
  refuses: ['UNAUTHORIZED'],

  async handle({ body: { refresh_token: token, logout_all_devices: all }, caller, em, now, services }) {
    const { accountId, address } = caller
    const userId = caller.userId ?? ''
    const target = all ? null : await endSession(em, services, userId, token ?? '', now)
    if (all) await endSessions(em, userId, now)
    audit(em, { accountId: accountId || null, userId, action: 'login.logged_out', target, address }, now)
    return { success: true, message: all ? 'You are logged out everywhere.' : 'You are logged out.' }
  },
})
