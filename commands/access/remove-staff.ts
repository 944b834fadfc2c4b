import { LockMode } from '@mikro-orm/core'
import { TeamInvitation } from '../../db/access/team.ts'
import { User } from '../../db/access/user.ts'
import { lockStaffCommands } from '../../db/access/lock-staff.ts'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { staffRoles } from '../../domain/access/role.ts'
import { Refusal } from '../../domain/refusal.ts'
import { endInvitation } from './invitation.ts'
import type { Operator } from './invite-by-operator.ts'
import { removePerson } from './remove-person.ts'

/** Who was removed: a person who could sign in, or one who was invited and had not joined. */
export type Removed = 'person' | 'invitation'

/**
 * Removes a person from the staff of the platform, in the name of whoever runs the service. An open invitation of
 * theirs ends too. Refused with `NOT_FOUND` if nobody of the staff has the address, and with `CONFLICT` if they are the
 * last one. `at` is in milliseconds since the epoch.
 */
export async function removeStaff(
  em: EntityManager,
  { email: given, by }: { email: string; by: Operator },
  at: number,
): Promise<Removed> {
  const email = given.toLowerCase()
  await lockStaffCommands(em)
  // Whoever is just accepting it is waited for: they are a person then, who is removed.
  const open = { accountId: null, email, status: 'pending' as const }
  const invitation = await em.findOne(TeamInvitation, open, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (invitation) {
    endInvitation(invitation, 'revoked', at)
    audit(em, { accountId: null, ...by, action: 'invitation.revoked', target: invitation.id }, at)
  }
  const staff = { accountId: null, role: { $in: [...staffRoles] } }
  const found = await em.findOne(User, { ...staff, email }, { fields: ['id'] })
  if (!found && invitation) return 'invitation'
  if (!found) throw new Refusal('NOT_FOUND', `${email} is not of the staff. Nothing has changed.`)
  if ((await em.count(User, staff)) === 1) {
    throw new Refusal('CONFLICT', `${email} is the last of the staff: invite somebody else, who has to join first`)
  }
  const person = await lock(em, User, found.id)
  await removePerson(em, person, at)
  audit(em, { accountId: null, ...by, action: 'staff.removed', target: person.id }, at)
  return 'person'
}
