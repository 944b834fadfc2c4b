import { dayMs, hourMs } from '../duration.ts'
import type { Role } from './role.ts'

/** The roles of people who belong to an organization. A reviewer is staff of the platform. */
export const memberRoles = ['owner', 'admin', 'developer', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

/** Who may invite, change and remove people. */
export const managesTeam = (role: Role | null): boolean => role === 'owner' || role === 'admin'

/** Whether this role may give or take that role: an admin makes, changes and removes no owner. */
export const mayGive = (own: Role, role: Role): boolean => own === 'owner' || (own === 'admin' && role !== 'owner')

/** How long the link of an invitation works after its mail. */
export const invitationMs = 7 * dayMs

/** Whether an invitation can be accepted at `now` (ms since the epoch). */
export const isOpen = ({ status, expiresAt }: { status: string; expiresAt: Date }, now: number): boolean =>
  status === 'pending' && expiresAt.getTime() > now

/** At most so many invitations of an organization are open at a time. */
export const openInvitationsMax = 50

/** At most so many mails with invitations are sent by one person in an hour, and to one address in a day. */
export const mailsByPersonMax = { count: 20, withinMs: hourMs }
export const mailsToAddressMax = { count: 5, withinMs: dayMs }

/** An email address of which only its owner can tell whose it is: `a•••@example.com`. */
export const maskEmail = (email: string): string => `${[...email][0] ?? ''}•••${email.slice(email.lastIndexOf('@'))}`
