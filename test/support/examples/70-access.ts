import type { Stories } from '../examples.ts'
import { createLogins, totpAt } from '../login.ts'
import { addInvitation } from '../team.ts'
import { addUser } from '../user.ts'

export const stories: Stories = {
  async login({ show, stack, accountId }) {
    const logins = createLogins(stack)
    const person = await logins.addPerson({ accountId, fullName: 'Ada Obi' })
    const as = ''
    const challenge = async (sent: object = {}) => {
      const { token } = await show('POST /api/v1/auth/login/init', { as, ...sent })
      return token
    }
    const login_token = await challenge()
    const { email, password } = person
    const asked = await show('POST /api/v1/auth/login', { as, body: { email, password, login_token } })
    const code = totpAt(person.totpSecret, await stack.clock.now())
    const body = { challenge_id: asked['challenge_id'], code, code_type: 'primary' }
    const tokens = await show('POST /api/v1/auth/login/2fa/verify', { as, body })
    const renewed = await show('POST /api/v1/auth/refresh', { as, body: { refresh_token: tokens['refresh_token'] } })
    const access = String(renewed['access_token'])
    await show('GET /api/v1/auth/me', { as: access })
    const refresh_token = renewed['refresh_token']
    await show('POST /api/v1/auth/logout', { as: access, body: { refresh_token } })
    const mailed = await logins.addPerson({ accountId, method: 'email_otp' })
    const { challenge_id } = await logins.challenge(mailed)
    await stack.sql(`update login_challenges set sent_at = sent_at - interval '5 minutes'`)
    await show('POST /api/v1/auth/login/2fa/resend', { as, body: { challenge_id } })
  },

  async sessions({ show, stack, accountId }) {
    const as = await (await addUser(stack, { accountId, role: 'viewer' })).token()
    const { sessions } = await show('GET /api/v1/auth/sessions', { as })
    const [{ session_id = '' } = {}] = sessions as unknown as { session_id?: string }[]
    await show('DELETE /api/v1/auth/sessions/{session_id}', { as, params: { session_id } })
  },

  async ownLogin({ show, stack, accountId }) {
    const logins = createLogins(stack)
    const person = await logins.addPerson({ accountId, fullName: 'Ada Obi' })
    const { access_token: as } = await logins.logIn(person)
    const [first = '', second = ''] = person.backupCodes
    const { password } = person
    const proof = { code: first, code_type: 'backup' }
    const change = { current_password: password, new_password: 'a longer sentence is easier to remember', ...proof }
    await show('POST /api/v1/auth/password', { as, body: change })
    const again = { password: change.new_password, code: second, code_type: 'backup' }
    const { secret } = await show('POST /api/v1/auth/authenticator', { as, body: again })
    const code = totpAt(String(secret), await stack.clock.now())
    await show('POST /api/v1/auth/authenticator/confirm', { as, body: { code } })
    await show('GET /api/v1/auth/second-factor', { as })
    await stack.sql('update users set last_totp_step = null where id = ?', [person.id])
    const next = totpAt(String(secret), await stack.clock.now())
    await show('POST /api/v1/auth/backup-codes', { as, body: { password: change.new_password, code: next } })
    const mailed = await logins.addPerson({ accountId, method: 'email_otp' })
    const challenge = await logins.challenge(mailed)
    const { body } = await logins.sendCode(challenge, await logins.codeTo(mailed.email))
    await show('POST /api/v1/auth/code', { as: String(body['access_token']) })
  },

  async team({ show, stack, api }) {
    const accountId = await api.addAccount()
    const as = await (await addUser(stack, { accountId, role: 'owner' })).token()
    const invite = (email: string, more: object = {}) =>
      show('POST /v1/team/invitations', { as, body: { email, role: 'developer', name: 'Ada Obi' }, ...more })
    const { invitation_id } = await invite('ada@example.com')
    const params = { invitation_id: String(invitation_id) }
    await show('GET /v1/team/invitations', { as })
    await show('GET /v1/team/invitations/{invitation_id}', { as, params })
    await show('POST /v1/team/invitations/{invitation_id}/resend', { as, params })
    const [mail] = (await createLogins(stack).mailsTo('ada@example.com')).slice(-1)
    const token = /ti_\w+_secret_[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
    await show('GET /v1/invitation', { as: token })
    const chosen = { full_name: 'Ada Obi', password: 'a-long-password' }
    const { secret } = await show('POST /v1/invitation/accept', { as: token, body: chosen })
    const code = totpAt(String(secret), await stack.clock.now())
    const { user } = await show('POST /v1/invitation/confirm', { as: token, body: { code } })
    const member = { user_id: String((user as unknown as { id: string }).id) }
    await show('GET /v1/team/members/{user_id}', { as, params: member })
    await show('PATCH /v1/team/members/{user_id}', { as, params: member, body: { role: 'viewer' } })
    await show('DELETE /v1/team/members/{user_id}', { as, params: member })
    const viewer = await addInvitation(stack, { accountId })
    const revoked = { invitation_id: viewer.id }
    await show('POST /v1/team/invitations/{invitation_id}/revoke', { as, params: revoked })
  },

  async keys({ show, known, stack, api }) {
    const accountId = await api.addAccount()
    const as = await (await addUser(stack, { accountId, role: 'owner' })).token()
    const body = { key_name: 'The shop', scopes: ['payments:read', 'payments:write'] }
    const made = await show('POST /api/v1/auth/api-keys', { as, body })
    const params = { api_key_id: String(made['api_key_id']) }
    await show('PATCH /api/v1/auth/api-keys/{api_key_id}', { as, params, body: { scopes: ['payments:read'] } })
    await show('POST /api/v1/auth/api-keys/{api_key_id}/revoke', { as, params })
    known['api_key_id'] = params.api_key_id
  },
}
