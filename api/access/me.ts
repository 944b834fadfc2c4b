import { User } from '../../db/access/user.ts'
import { scopesOf } from '../../domain/access/role.ts'
import { Me } from '../../schemas/access/login.ts'
import { operation } from '../http/operation.ts'

export const readMe = operation({
  method: 'get',
  path: '/api/v1/auth/me',
  summary: 'Read who you are: your role, what it allows, and the environment that you see',
  tag: 'Login',
  auth: ['user'],
  scope: null,
  returns: [200, Me],
  refuses: [],

  async handle({ caller: { userId, accountId, environment }, em }) {
    const { id, email, fullName, role } = await em.findOneOrFail(User, { id: userId ?? '' })
    const scopes = [...scopesOf(role)]
    return { user_id: id, email, full_name: fullName, role, scopes, account_id: accountId || null, environment }
  },
})
