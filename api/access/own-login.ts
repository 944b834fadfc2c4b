import { backupCodesLeft, replaceBackupCodes, User } from '../../db/access/user.ts'
import { PendingAuthenticator } from '../../db/access/authenticator.ts'
import { endChallenges, endSessions } from '../../db/access/login.ts'
import {
  BackupCodes,
  ChangedPassword,
  ChangePassword,
  MailedCode,
  PasswordAndCode,
  presentMailedCode,
  presentSecondFactor,
  SecondFactor,
} from '../../schemas/access/own-login.ts'
import { operation } from '../http/operation.ts'
import { changeOwnLogin, mailOwnCode, tellOwnChange } from './own-change.ts'
import { sessionEnded } from './own-proof.ts'

const path = '/api/v1/auth'
const own = { tag: 'Login', auth: ['user'], scope: null } as const
/** These refuse and still keep a record of the failure, so their handlers commit it themselves. */
const change = { ...own, method: 'post', mode: 'read' } as const

export const readSecondFactor = operation({
  ...own,
  method: 'get',
  path: `${path}/second-factor`,
  summary: 'Read what you sign in with beside your password',
  returns: [200, SecondFactor],
  refuses: [],

  async handle({ caller: { userId, sessionId }, em, now }) {
    const user = await em.findOne(User, { id: userId ?? '' })
    if (!user) throw sessionEnded()
    const where = { userId: user.id, sessionId: sessionId ?? '', expiresAt: { $gt: new Date(now) } }
    return presentSecondFactor(user, await backupCodesLeft(em, user.id), await em.findOne(PendingAuthenticator, where))
  },
})

export const sendOwnCode = operation({
  ...own,
  method: 'post',
  path: `${path}/code`,
  summary: 'Have a code mailed that a change of your login needs; only if your codes come by mail',
  returns: [200, MailedCode],
  refuses: ['CONFLICT'],

  async handle({ em, ...call }) {
    return presentMailedCode(await mailOwnCode(em, call))
  },
})

export const changePassword = operation({
  ...change,
  path: `${path}/password`,
  summary: 'Change your password; you are signed out everywhere else',
  body: ChangePassword,
  validate: ({ current_password: current, new_password: next }) =>
    typeof next === 'string' && current === next
      ? [{ field: 'new_password', message: 'is the current password', type: 'value_error' }]
      : [],
  returns: [200, ChangedPassword],
  refuses: ['INVALID_CREDENTIALS', 'INVALID_CODE', 'ACCOUNT_LOCKED'],

  async handle({ body: { current_password: password, new_password: next, code, code_type }, ...call }) {
    const { now, services, caller } = call
    await changeOwnLogin(call, { password, code, code_type }, async (em, user) => {
      user.passwordHash = await services.passwords.hash(next)
      // Whoever knows the old password may have begun a login or a new authenticator with it.
      await em.nativeDelete(PendingAuthenticator, { userId: user.id })
      await endChallenges(em, user.id, now)
      await endSessions(em, user.id, now, caller.sessionId ?? '')
      const text = 'The password of your account was changed, and you were signed out on every other device.'
      const mail = { subject: 'Your password was changed', text }
      tellOwnChange(em, call, user, { action: 'login.password_changed', mail })
    })
    return { status: 'changed' as const }
  },
})

export const makeBackupCodes = operation({
  ...change,
  path: `${path}/backup-codes`,
  summary: 'Make new backup codes, shown once; the earlier ones stop working',
  body: PasswordAndCode,
  returns: [201, BackupCodes],
  refuses: ['INVALID_CREDENTIALS', 'INVALID_CODE', 'ACCOUNT_LOCKED'],

  async handle({ body, ...call }) {
    return changeOwnLogin(call, body, async (em, user) => {
      const codes = await replaceBackupCodes(em, call.services.config.keyPepper, user.id)
      const text = 'New backup codes were made for your account. The earlier ones no longer work.'
      const mail = { subject: 'New backup codes', text }
      tellOwnChange(em, call, user, { action: 'login.backup_codes_made', mail })
      return { backup_codes: codes }
    })
  },
})
