import Type, { type Static } from 'typebox'
import type { LoginChallenge as ChallengeRow } from '../../db/access/login.ts'
import type { TestClock as ClockRow } from '../../db/core/test-clock.ts'
import type { User as UserRow } from '../../db/access/user.ts'
import { roles } from '../../domain/access/role.ts'
import { environments, scopes } from '../../domain/access/scope.ts'
import { id, iso, nullable, Timestamp } from '../common.ts'

export const LoginUser = Type.Object(
  { id: id('usr'), email: Type.String(), full_name: Type.String(), hasOnboarded: Type.Boolean() },
  { $id: 'LoginUser' },
)

/** Somebody is a person only once they have a name, a password and a second factor, which is the whole introduction. */
export const presentUser = ({ id: userId, email, fullName }: UserRow): Static<typeof LoginUser> => ({
  id: userId,
  email,
  hasOnboarded: true,
  full_name: fullName,
})

/** A test clock whose time is later than the real time. */
const ClockAhead = Type.Object(
  { clock_id: id('clk'), name: Type.String(), frozen_time: Timestamp },
  { $id: 'ClockAhead' },
)

export const presentClockAhead = (clock: ClockRow | null): Static<typeof ClockAhead> | null =>
  clock && { clock_id: clock.id, name: clock.name, frozen_time: iso(clock.frozenTime) }

/** The person who calls, and what they may do now. */
export const SignedIn = Type.Object(
  {
    user: LoginUser,
    role: Type.Enum([...roles]),
    scopes: Type.Array(Type.Enum([...scopes]), { description: 'What the role gives.' }),
    account_id: nullable(id('acct')),
    environment: Type.Enum([...environments]),
    environments: Type.Array(Type.Enum([...environments]), {
      description: 'The environments that `X-Environment` may name: `live` once the organization is activated.',
    }),
    clock_ahead: nullable(ClockAhead),
  },
  { $id: 'SignedIn' },
)

export const LoginToken = Type.Object({ token: Type.String(), expires_at: Timestamp }, { $id: 'LoginToken' })

const challenge = {
  challenge_id: id('chal'),
  method: Type.Enum(['totp', 'email_otp']),
  expires_at: Timestamp,
}

export const LoginChallenge = Type.Object(
  { ...challenge, backup_code_allowed: Type.Boolean(), user: LoginUser },
  { $id: 'LoginChallenge' },
)

export const ResentChallenge = Type.Object(challenge, { $id: 'ResentChallenge' })

export const presentChallenge = ({ id: challengeId, method, expiresAt }: ChallengeRow) => ({
  challenge_id: challengeId,
  method: method as 'totp' | 'email_otp',
  expires_at: iso(expiresAt),
})

export const Tokens = Type.Object({ access_token: Type.String(), refresh_token: Type.String() }, { $id: 'Tokens' })

export const LoggedIn = Type.Object(
  { access_token: Type.String(), refresh_token: Type.String(), user: LoginUser },
  { $id: 'LoggedIn' },
)

export const LoggedOut = Type.Object({ success: Type.Boolean(), message: Type.String() }, { $id: 'LoggedOut' })

/** The length of every password. */
export const Password = Type.String({ minLength: 8, maxLength: 1024 })

/** A one-time code as typed by a user, or a backup code. */
export const Code = Type.String({ minLength: 4, maxLength: 32, examples: ['123456'] })
