import { defineEntity, p } from '@mikro-orm/core'
import { roles } from '../../domain/access/role.ts'
import { isOwned, moment } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

/** How an invitation stands. One that is `pending` can be accepted until it expires. */
export const invitationStatuses = ['pending', 'accepted', 'revoked', 'replaced'] as const

const invitationSchema = defineEntity({
  name: 'TeamInvitation',
  tableName: 'team_invitations',
  properties: {
    id: p.string().primary(),
    // Null for one to the platform's own staff, who belong to no organization.
    accountId: p.string().strictNullable().check(isOwned),
    email: p.string().length(320).check('email = lower(email)'),
    role: p.enum(roles),
    status: p.enum(invitationStatuses).default('pending'),
    // What the inviter has called the person, then what the person calls themselves.
    fullName: p.string().length(100).strictNullable(),
    // Null: whoever runs the service has invited the person, by a command.
    invitedBy: p.string().strictNullable(),
    // Of the newest link; the token itself is in that link only.
    tokenHash: p.string().length(64),
    // What the person has chosen so far. Nobody can sign in with it before the second factor is confirmed.
    passwordHash: p.string().strictNullable(),
    encryptedTotpSecret: p.text().strictNullable(),
    createdAt: moment(),
    sentAt: moment(),
    expiresAt: moment().index('team_invitations_by_end'),
    endedAt: moment().strictNullable(),
  },
  indexes: [
    { name: 'team_invitations_newest', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'team_invitations_chosen', properties: ['expiresAt'], where: 'password_hash is not null' },
  ],
  checks: [{ name: 'team_invitations_of_staff', expression: "(account_id is null) = (role = 'reviewer')" }],
  // One open invitation for each address of an organization, and of the staff, also when two people invite at once.
  uniques: [
    { name: 'team_invitations_one_open', properties: ['accountId', 'email'], where: "status = 'pending'" },
    {
      name: 'team_invitations_one_of_staff',
      properties: ['email'],
      where: "account_id is null and status = 'pending'",
    },
  ],
})
/** An invitation into the team of an organization, or to the platform's staff: a link that works once. */
export class TeamInvitation extends invitationSchema.class {}
invitationSchema.setClass(TeamInvitation)

const formerMemberSchema = defineEntity({
  name: 'FormerMember',
  tableName: 'former_members',
  properties: {
    // The id of the user, who no longer exists.
    id: p.string().primary(),
    // Null for one of the platform's own staff.
    accountId: p.string().strictNullable().check(isOwned).index('former_members_by_account'),
    fullName: p.string(),
    email: p.string().length(320),
    removedAt: moment(),
  },
})
/**
 * A person who was removed from an organization, or from the staff. The row only says who did what once; nobody logs in
 * with it.
 */
export class FormerMember extends formerMemberSchema.class {}
formerMemberSchema.setClass(FormerMember)

/** The actions in the audit log that have sent a mail with an invitation. */
export const mailingActions = ['invitation.created', 'invitation.resent']

const marks = mailingActions.map(() => '?').join(', ')

/** The times (ms since the epoch) of the mails with invitations that a person has caused since then, oldest first. */
export async function mailsOfPerson(em: EntityManager, userId: string, since: number): Promise<number[]> {
  const rows = await em.execute<{ at: string }[]>(
    `select at from audit_entries where user_id = ? and at > ? and action in (${marks}) order by at`,
    [userId, new Date(since), ...mailingActions],
  )
  return rows.map(({ at }) => new Date(at).getTime())
}

/** The same for the mails of an organization to one address. */
export async function mailsToAddress(
  em: EntityManager,
  { accountId, email }: { accountId: string; email: string },
  since: number,
): Promise<number[]> {
  const rows = await em.execute<{ at: string }[]>(
    `select a.at from team_invitations i join audit_entries a on a.target = i.id
     where i.account_id = ? and i.email = ? and a.at > ? and a.action in (${marks}) order by a.at`,
    [accountId, email, new Date(since), ...mailingActions],
  )
  return rows.map(({ at }) => new Date(at).getTime())
}
