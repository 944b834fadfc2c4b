import Type, { type Static } from 'typebox'
import type { TeamInvitation as InvitationRow } from '../../db/access/team.ts'
import { roles } from '../../domain/access/role.ts'
import { isOpen, maskEmail, memberRoles } from '../../domain/access/team.ts'
import { Email, id, iso, isoOrNull, nameOf, nullable, Timestamp } from '../common.ts'
import { Code, LoginUser, Password } from './login.ts'

export const MemberRole = Type.Enum([...memberRoles])

/** How an invitation stands for those who have sent it. `expired` is one whose link no longer works. */
export const invitationStates = ['pending', 'expired', 'accepted', 'revoked', 'replaced'] as const

export const CreateInvitation = Type.Object(
  {
    email: Email,
    role: MemberRole,
    name: Type.Optional(nameOf(100, { description: 'What you call the person. They can change it.' })),
  },
  { $id: 'CreateTeamInvitation' },
)

/** An invitation, for the people who manage the team. Its token is in the mail only. */
export const TeamInvitation = Type.Object(
  {
    invitation_id: id('ti'),
    email: Type.String(),
    role: Type.Enum([...roles]),
    name: nullable(Type.String()),
    status: Type.Enum([...invitationStates]),
    invited_by: nullable(id('usr')),
    created_at: Timestamp,
    sent_at: Timestamp,
    expires_at: Timestamp,
    ended_at: nullable(Timestamp),
  },
  { $id: 'TeamInvitation' },
)

/** `now` is in milliseconds since the epoch. */
export const presentInvitation = (row: InvitationRow, now: number): Static<typeof TeamInvitation> => ({
  invitation_id: row.id,
  email: row.email,
  role: row.role,
  name: row.fullName,
  status: row.status === 'pending' && !isOpen(row, now) ? 'expired' : row.status,
  invited_by: row.invitedBy,
  created_at: iso(row.createdAt),
  sent_at: iso(row.sentAt),
  expires_at: iso(row.expiresAt),
  ended_at: isoOrNull(row.endedAt),
})

/** What an invitation is for, for whoever has its link. */
export const OpenedInvitation = Type.Object(
  {
    invitation_id: id('ti'),
    organization_name: nullable(Type.String()),
    role: Type.Enum([...roles]),
    email: Type.String({ description: 'The address that was invited, masked.' }),
    name: nullable(Type.String()),
    expires_at: Timestamp,
  },
  { $id: 'OpenedInvitation' },
)

export const presentOpened = (row: InvitationRow, organization: string | null): Static<typeof OpenedInvitation> => ({
  invitation_id: row.id,
  organization_name: organization,
  role: row.role,
  email: maskEmail(row.email),
  name: row.fullName,
  expires_at: iso(row.expiresAt),
})

export const AcceptInvitation = Type.Object({ full_name: nameOf(100), password: Password }, { $id: 'AcceptInvitation' })

/** The new second factor, which a code has to confirm. The secret is not shown again. */
export const InvitationAuthenticator = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base 32, for whoever types it into an authenticator app.' }),
    otpauth_uri: Type.String({ description: 'The same for an app that scans it: show it as a QR code.' }),
  },
  { $id: 'InvitationAuthenticator' },
)

export const ConfirmInvitation = Type.Object({ code: Code }, { $id: 'ConfirmInvitation' })

/** The new person. The backup codes are not shown again. */
export const JoinedTeam = Type.Object(
  {
    user: LoginUser,
    role: Type.Enum([...roles]),
    backup_codes: Type.Array(Type.String(), { description: 'Each replaces the second factor once.' }),
  },
  { $id: 'JoinedTeam' },
)
