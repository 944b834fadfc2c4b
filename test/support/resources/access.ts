import { ApiKey, newKey } from '../../../db/access/api-key.ts'
import { addInvitation } from '../team.ts'
import { addSession, addUser } from '../user.ts'
import type { Makers, Routes } from '../resource.ts'

export const makers: Makers = {
  api_key_id: {
    prefix: 'key',
    inBothEnvironments: true,
    async make({ database, services }, { accountId }, environment) {
      const details = { accountId, environment, name: 'An old key', scopes: [] }
      const { row } = newKey(services.config.keyPepper, details, Date.now())
      await database.orm.em.fork().insert(ApiKey, { ...row, isActive: false })
      return { id: row.id }
    },
  },
  user_id: {
    prefix: 'usr',
    inBothEnvironments: true,
    async make(stack, { accountId }) {
      return { id: (await addUser(stack, { accountId, role: 'viewer' })).id }
    },
  },
  invitation_id: {
    prefix: 'ti',
    inBothEnvironments: true,
    make: (stack, { accountId }) => addInvitation(stack, { accountId }),
  },
  session_id: {
    prefix: 'ses',
    inBothEnvironments: true,
    async make(stack, { accountId }) {
      const user = await addUser(stack, { accountId, role: 'owner' })
      return { id: await addSession(stack, user.id), person: await user.token() }
    },
  },
}

export const routes: Routes = {
  'POST /api/v1/auth/login/init': {},
  'POST /api/v1/auth/login': {
    body: {},
    bodies: () => [{ email: 'ada@example.com', password: 'a-password', login_token: 'a.login.token' }],
  },
  'POST /api/v1/auth/login/2fa/verify': {
    body: {},
    bodies: () => [{ challenge_id: 'chal_x', code: '123456', code_type: 'primary' }],
  },
  'POST /api/v1/auth/login/2fa/resend': { body: {}, bodies: () => [{ challenge_id: 'chal_x' }] },
  'POST /api/v1/auth/refresh': { body: {}, bodies: () => [{ refresh_token: 'rt_x' }] },
  'POST /api/v1/auth/logout': { body: { logout_all_devices: true } },
  'GET /api/v1/auth/me': {},
  'GET /api/v1/auth/sessions': {},
  'DELETE /api/v1/auth/sessions/{session_id}': {},
  'GET /api/v1/auth/second-factor': {},
  'POST /api/v1/auth/code': {},
  'POST /api/v1/auth/password': {
    body: {},
    bodies: () => [
      { current_password: 'a-password', new_password: 'another-one', code: '123456', code_type: 'backup' },
    ],
  },
  'POST /api/v1/auth/backup-codes': { body: {}, bodies: () => [{ password: 'a-password', code: '123456' }] },
  'POST /api/v1/auth/authenticator': {
    body: {},
    bodies: () => [{ password: 'a-password', code: '123456', code_type: 'backup' }],
  },
  'POST /api/v1/auth/authenticator/confirm': { body: {}, bodies: () => [{ code: '123456' }] },
  'GET /v1/team/members': {},
  'GET /v1/team/members/{user_id}': {},
  'PATCH /v1/team/members/{user_id}': { body: { role: 'developer' } },
  'DELETE /v1/team/members/{user_id}': {},
  'POST /v1/team/invitations': { body: { email: 'ada@example.com', role: 'developer' } },
  'GET /v1/team/invitations': {},
  'GET /v1/team/invitations/{invitation_id}': {},
  'POST /v1/team/invitations/{invitation_id}/resend': {},
  'POST /v1/team/invitations/{invitation_id}/revoke': {},
  'GET /v1/invitation': {},
  'POST /v1/invitation/accept': { body: { full_name: 'Ada Obi', password: 'a-long-password' } },
  'POST /v1/invitation/confirm': { body: { code: '123456' } },
  'POST /api/v1/auth/api-keys': { body: { key_name: 'A key' } },
  'GET /api/v1/auth/api-keys': {},
  'POST /api/v1/auth/api-keys/{api_key_id}/revoke': {},
  'PATCH /api/v1/auth/api-keys/{api_key_id}': { body: { scopes: ['payments:read'] } },
}
