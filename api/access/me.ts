import { User } from '../../db/access/user.ts'
import { scopesOf } from '../../domain/access/role.ts'
import { presentUser, SignedIn } from '../../schemas/access/login.ts'
import { operation } from '../http/operation.ts'

export const readSignedIn = operation({
  method: 'get',
  path: '/api/v1/auth/me',
  summary: 'Read who you are: your role, what it allows, and the environment that you see',
  tag: 'Login',
  auth: ['user'],
  scope: null,
  returns: [200, SignedIn],
  refuses: [],

  async handle({ caller: { userId, accountId, environment }, em }) {
    const user = await em.findOneOrFail(User, { id: userId ?? '' })
    const scopes = [...scopesOf(user.role)]
    return { user: presentUser(user), role: user.role, scopes, account_id: accountId || null, environment }
  },
})
