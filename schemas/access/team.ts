import Type, { type Static } from 'typebox'
import type { User as UserRow } from '../../db/access/user.ts'
import type { OpenSession } from '../../db/access/login.ts'
import { roles } from '../../domain/access/role.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from '../common.ts'

/** A person of an organization, as their colleagues see them. */
export const TeamMember = Type.Object(
  {
    user_id: id('usr'),
    full_name: Type.String(),
    email: Type.String(),
    role: Type.Enum([...roles]),
    method: Type.Enum(['totp', 'email_otp']),
    created_at: Timestamp,
  },
  { $id: 'TeamMember' },
)

export const presentMember = (row: UserRow): Static<typeof TeamMember> => ({
  user_id: row.id,
  full_name: row.fullName,
  email: row.email,
  role: row.role,
  method: row.method,
  created_at: iso(row.createdAt),
})

export const RemovedMember = Type.Object(
  { user_id: id('usr'), status: Type.Enum(['removed']), deleted: Type.Literal(true) },
  { $id: 'RemovedTeamMember' },
)

/** A device on which the caller is signed in. */
export const LoginSession = Type.Object(
  {
    session_id: id('ses'),
    is_current: Type.Boolean(),
    address: nullable(Type.String()),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp),
    expires_at: nullable(Timestamp),
  },
  { $id: 'LoginSession' },
)

export const LoginSessions = Type.Object({ sessions: Type.Array(LoginSession) }, { $id: 'LoginSessions' })

export const presentSession = (row: OpenSession, currentId: string | null): Static<typeof LoginSession> => ({
  session_id: row.id,
  is_current: row.id === currentId,
  address: row.address,
  created_at: iso(row.createdAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  expires_at: isoOrNull(row.expiresAt),
})

export const EndedSession = Type.Object(
  { session_id: id('ses'), status: Type.Enum(['ended']), deleted: Type.Literal(true) },
  { $id: 'EndedLoginSession' },
)
