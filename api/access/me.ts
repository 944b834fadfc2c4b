import { furthestAhead } from '../../db/core/test-clock.ts'
import { User } from '../../db/access/user.ts'
import { Refusal } from '../../domain/refusal.ts'
import { scopesOf } from '../../domain/access/role.ts'
import { type Environment, environments } from '../../domain/access/scope.ts'
import { presentClockAhead, presentUser, SignedIn } from '../../schemas/access/login.ts'
import { operation } from '../http/operation.ts'

export const readSignedIn = operation({
  method: 'get',
  path: '/api/v1/auth/me',
  summary: 'Read who you are: your role, what it allows, and the environment that you see',
  tag: 'Login',
  auth: ['user'],
  scope: null,
  namesEnvironment: true,
  returns: [200, SignedIn],
  refuses: ['FORBIDDEN'],

  async handle({ caller: { userId, accountId, environment, maySeeLive }, em, now }) {
    const user = await em.findOne(User, { id: userId ?? '' })
    if (!user) throw new Refusal('UNAUTHORIZED', 'The access token is invalid or no longer works')
    const scopes = [...scopesOf(user.role)]
    const isNotLive = (each: Environment) => each !== 'live'
    const clock = environment === 'sandbox' ? await furthestAhead(em, { accountId, environment }, now) : null
    return {
      user: presentUser(user),
      role: user.role,
      scopes,
      account_id: accountId || null,
      environment,
      environments: maySeeLive ? [...environments] : environments.filter(isNotLive),
      clock_ahead: presentClockAhead(clock),
    }
  },
})
