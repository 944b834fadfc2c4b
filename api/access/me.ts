import { User } from '../../db/access/user.ts'
import { scopesOf } from '../../domain/access/role.ts'
import { presentUser, SignedIn } from '../../schemas/access/login.ts'
import { operation } from '../http/operation.ts'

export const readSignedIn = operation({
  method: 'get',
  path: '/api/v1/auth/me',
  summary: 'Read who calls, and what they may do',
  tag: 'Login',
  auth: ['user'],
  scope: null,
  returns: [200, SignedIn],
  refuses: [],

  async handle({ caller, em }) {
    const user = await em.findOneOrFail(User, { id: caller.userId ?? '' })
    return { user: presentUser(user), role: user.role, scopes: [...scopesOf(user.role)] }
  },
})
