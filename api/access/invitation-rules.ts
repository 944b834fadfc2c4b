import { LockMode } from '@mikro-orm/core'
import { endInvitation } from '../../commands/access/invitation.ts'
import { mailsOfPerson, mailsToAddress, TeamInvitation } from '../../db/access/team.ts'
import { User } from '../../db/access/user.ts'
import { Account } from '../../db/core/account.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import type { Role } from '../../domain/access/role.ts'
import { isOpen, mailsByPersonMax, mailsToAddressMax, mayGive, openInvitationsMax } from '../../domain/access/team.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Caller } from '../http/operation.ts'
import { assertManagesTeam } from './team-rules.ts'

/**
 * Locks the team of the caller's organization until the transaction ends, so that what two people do at once happens
 * one after the other. Returns the caller as they are now: somebody may have changed or removed them meanwhile.
 */
export async function lockTeam(em: EntityManager, { accountId, userId }: Caller): Promise<User> {
  await lock(em, Account, accountId)
  const manager = await em.findOne(User, { id: userId ?? '', accountId })
  assertManagesTeam(manager?.role ?? null)
  return manager as User
}

/** Refuses a mail that would be one too many for its sender or for the address that gets it. */
export async function assertMayMail(em: EntityManager, sender: User, email: string, at: number): Promise<void> {
  const { id, accountId } = sender
  const sent = await mailsOfPerson(em, id, at - mailsByPersonMax.withinMs)
  refuseBeyond(sent, mailsByPersonMax, 'you have sent too many invitations', at)
  const got = await mailsToAddress(em, { accountId: accountId ?? '', email }, at - mailsToAddressMax.withinMs)
  refuseBeyond(got, mailsToAddressMax, 'too many mails were sent to this address', at)
}

function refuseBeyond(times: number[], { count, withinMs }: typeof mailsByPersonMax, words: string, at: number): void {
  const [oldest] = times.slice(-count)
  if (times.length < count || oldest === undefined) return
  throw new Refusal('TOO_MANY_REQUESTS', words, [], Math.max(1, Math.ceil((oldest + withinMs - at) / 1000)))
}

/** Refuses a further open invitation of an organization that has as many as it may have. */
export async function assertMayOpen(em: EntityManager, accountId: string, at: number): Promise<void> {
  const open = await em.count(TeamInvitation, { accountId, status: 'pending', expiresAt: { $gt: new Date(at) } })
  if (open < openInvitationsMax) return
  throw new Refusal('CONFLICT', `${openInvitationsMax} invitations are open: revoke one that is no longer needed`)
}

/**
 * Revokes the open invitations of a person that they may no longer make: all of them where they are removed. A role
 * that was given away just before would else outlive its giver's own.
 */
export async function revokeInvitationsOf(em: EntityManager, userId: string, role: Role | null, at: number) {
  const sent = await em.find(TeamInvitation, { invitedBy: userId, status: 'pending' })
  const unanswered = sent.filter((each) => role === null || !mayGive(role, each.role))
  for (const invitation of unanswered) endInvitation(invitation, 'revoked', at)
  return unanswered
}

/** The invitation of the caller's token, locked, with its team if it has one; refused once it has ended. */
export async function lockInvitation(em: EntityManager, { accountId, invitationId }: Caller, at: number) {
  if (accountId !== '') await lock(em, Account, accountId)
  const id = invitationId ?? ''
  const where = accountId === '' ? { id, accountId: null } : { id, accountId }
  const invitation = await em.findOne(TeamInvitation, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (invitation && isOpen(invitation, at)) return invitation
  throw new Refusal('UNAUTHORIZED', 'The invitation is invalid, used or has expired')
}
