import type { Static } from 'typebox'
import type { Role } from '../../domain/access/role.ts'
import type { MemberRole } from '../../domain/access/team.ts'
import type { TeamInvitation } from '../../schemas/access/invitation.ts'
import type { TeamMember } from '../../schemas/access/team.ts'
import { timeOf } from '../words.ts'

export type Member = Static<typeof TeamMember>
export type Invitation = Static<typeof TeamInvitation>

/** What each role is called. A reviewer is staff of the platform and belongs to no organization. */
export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
  reviewer: 'Reviewer',
}

/** What each role allows. */
export const roleRights: Record<MemberRole, string> = {
  owner: 'Everything, also API keys and people.',
  admin: 'Everything, but admins make, change and remove no owners.',
  developer: 'Everything except API keys, people, payouts and transfers to others.',
  viewer: 'Reads, also the signing secrets of webhooks.',
}

const factors: Record<Member['method'], string> = { totp: 'Authenticator app', email_otp: 'Code by mail' }

export const shownMember = ({ full_name: name, email, role, method, created_at: at }: Member) => ({
  name: name || email,
  email,
  role: roleNames[role],
  factor: factors[method],
  since: timeOf(at),
})

const states: Record<Invitation['status'], string> = {
  pending: 'Open',
  expired: 'Expired',
  accepted: 'Accepted',
  revoked: 'Revoked',
  replaced: 'Replaced by a newer one',
}

export const shownInvitation = (invitation: Invitation) => ({
  email: invitation.email,
  name: invitation.name,
  role: roleNames[invitation.role],
  status: states[invitation.status],
  isOpen: invitation.status === 'pending',
  sent: timeOf(invitation.sent_at),
  expires: timeOf(invitation.expires_at),
})

/** Shown where an invitation was not mailed, as its sender or its address has reached the limit of mails. */
export const tooManyMails =
  'Too many invitations were sent: at most 20 in an hour by one person, and 5 in a day to one address. ' +
  'Try again later.'
