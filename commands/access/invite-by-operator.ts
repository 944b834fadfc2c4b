import { LockMode } from '@mikro-orm/core'
import { lockStaffCommands } from '../../db/access/lock-staff.ts'
import { TeamInvitation } from '../../db/access/team.ts'
import { User } from '../../db/access/user.ts'
import { Account } from '../../db/core/account.ts'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { Refusal } from '../../domain/refusal.ts'
import { endInvitation, newInvitation } from './invitation.ts'

/** Who runs the service: no person, and the name of the tool. */
export type Operator = { userId: null; address: string }

/** An owner of an organization, or a reviewer: staff of the platform, who belong to none. */
export type InvitedPerson =
  | { role: 'owner'; accountId: string; email: string }
  | { role: 'reviewer'; accountId: null; email: string }

/**
 * Invites a person in the name of whoever runs the service, and returns the token of the link: nobody is mailed. An
 * older open invitation of the address, with the same role, is replaced. Refused with `CONFLICT` if the address signs
 * in already, and with `NOT_FOUND` if there is no such organization. `at` is in milliseconds since the epoch.
 */
export async function inviteByOperator(
  em: EntityManager,
  { person, by }: { person: InvitedPerson; by: Operator },
  at: number,
): Promise<string> {
  const { accountId, role } = person
  const email = person.email.toLowerCase()
  if (accountId === null) await lockStaffCommands(em)
  else await lock(em, Account, accountId)
  // Locked: whoever is just accepting it is waited for, and signs in then.
  const open = { accountId, email, status: 'pending' as const }
  const older = await em.findOne(TeamInvitation, open, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if ((await em.count(User, { email })) > 0) throw new Refusal('CONFLICT', `a person already signs in with ${email}`)
  if (older) {
    endInvitation(older, 'replaced', at)
    await em.flush() // before the newer one: only one of them may be open
  }
  const given = { accountId, email, role, fullName: null, invitedBy: null }
  const { invitation, token } = newInvitation(em, given, at)
  audit(em, { accountId, ...by, action: 'invitation.created', target: invitation.id }, at)
  return token
}
