import { invitationPath } from '../../commands/access/invitation.ts'
import type { TeamInvitation } from '../../db/access/team.ts'
import { User, verifiedOwnersOf } from '../../db/access/user.ts'
import { Account } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Role } from '../../domain/access/role.ts'
import type { Services } from '../http/services.ts'
import { mailTo } from './mail.ts'

// The mails about who belongs to an organization. People are named by their address, as anybody can call themselves
// anything, and the organization by one short line of its own words.

/**
 * Mails the invitation. An address with which somebody signs in already, to this or to another organization, gets no
 * link: one address belongs to one person. Only its owner learns that, never who has invited it.
 */
export async function mailInvitation(
  em: EntityManager,
  services: Services,
  { invitation, token, sender }: { invitation: TeamInvitation; token: string; sender: User },
  at: number,
): Promise<void> {
  const { email, role, expiresAt } = invitation
  const accountId = sender.accountId ?? ''
  const organization = await organizationName(em, accountId)
  const isTaken = (await em.count(User, { email })) > 0
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const what = isTaken
    ? `This address already signs in to steadypay, and an address belongs to one organization only. Ask them to invite
another address of yours. You don’t have to do anything else.`
    : `Open this link to choose a password and to set up an authenticator app:

${services.config.publicUrl}${invitationPath(token)}

It works once, until ${until}. Don’t pass it on: whoever opens it can join in your place.`
  const text = `${sender.email} has invited you to join ${organization} on steadypay as ${article[role]}.

${what}

If you don’t know ${organization}, ignore this mail.`
  const subject = `You are invited to join ${organization} on steadypay`
  mailTo(em, services, { email, accountId, isForOwners: true }, { subject, text }, at)
}

/**
 * Tells every owner that a person has joined by an invitation; not the person themselves, and nobody of a member of
 * staff. Called in the transaction in which they join, which happens once.
 */
export async function mailJoined(
  em: EntityManager,
  services: Services,
  { user, invitation }: { user: User; invitation: TeamInvitation },
  at: number,
): Promise<void> {
  const { accountId, role, invitedBy } = invitation
  if (accountId === null) return
  const owners = (await verifiedOwnersOf(em, accountId)).filter(({ id }) => id !== user.id)
  const organization = await organizationName(em, accountId)
  const inviter = invitedBy === null ? null : await em.findOne(User, { id: invitedBy })
  const subject = `${user.email} has joined ${organization} on steadypay`
  const by = inviter ? ` ${inviter.email} has invited them.` : ''
  const text = `${user.email} has joined ${organization} on steadypay as ${article[role]}.${by}

If you don’t know this person, remove them:

${services.config.publicUrl}/dashboard/settings/team/${user.id}`
  for (const owner of owners) mailTo(em, services, owner, { subject, text }, at)
}

/** Tells a person that somebody else has removed them. Called in the transaction that does it, which happens once. */
export async function mailRemoved(
  em: EntityManager,
  services: Services,
  { email, accountId }: Pick<User, 'email' | 'accountId'>,
  at: number,
): Promise<void> {
  const organization = await organizationName(em, accountId ?? '')
  const subject = `You were removed from ${organization} on steadypay`
  const text = `You no longer belong to ${organization} on steadypay. You are signed out everywhere, and this
address no longer signs in.

If you think that this is a mistake, ask the people of ${organization} to invite you again.`
  mailTo(em, services, { email, accountId }, { subject, text }, at)
}

async function organizationName(em: EntityManager, accountId: string): Promise<string> {
  const { name } = await em.findOneOrFail(Account, { id: accountId })
  return name.replaceAll(/\s+/g, ' ').slice(0, 100)
}

const article: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  developer: 'a developer',
  viewer: 'a viewer',
  reviewer: 'a reviewer',
}
