import { PendingAuthenticator } from '../../db/access/authenticator.ts'
import { endSessions, LoginChallenge } from '../../db/access/login.ts'
import { FormerMember } from '../../db/access/team.ts'
import { BackupCode, type User } from '../../db/access/user.ts'
import type { EntityManager } from '../../db/core/database.ts'

/**
 * Removes a person. What they have done keeps their name; nothing is left with which they could sign in, and their
 * sessions end. `at` is in milliseconds since the epoch.
 */
export async function removePerson(em: EntityManager, person: User, at: number): Promise<void> {
  const { id, accountId, fullName, email } = person
  em.create(FormerMember, { id, accountId, fullName, email, removedAt: new Date(at) })
  await em.nativeDelete(LoginChallenge, { userId: id })
  await em.nativeDelete(BackupCode, { userId: id })
  await em.nativeDelete(PendingAuthenticator, { userId: id })
  await endSessions(em, id, at)
  em.remove(person)
}
