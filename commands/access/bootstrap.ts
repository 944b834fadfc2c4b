import { lockStaffCommands } from '../../db/access/lock-staff.ts'
import { Account } from '../../db/core/account.ts'
import { audit } from '../../db/core/audit.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inviteByOperator, type Operator } from './invite-by-operator.ts'

/** The first people of a new service. */
export type FirstPeople = { organization: string; ownerEmail: string; reviewerEmail: string }

/**
 * Creates the first organization and invites its owner and a reviewer. Returns the tokens of their links. Refused with
 * `CONFLICT` if there is an organization already, also if two do this at once. `at` is in milliseconds since the epoch.
 */
export async function bootstrap(
  em: EntityManager,
  { people, by }: { people: FirstPeople; by: Operator },
  at: number,
): Promise<{ accountId: string; ownerToken: string; reviewerToken: string }> {
  await lockStaffCommands(em)
  const [first] = await em.find(Account, {}, { orderBy: { createdAt: 1 }, limit: 1 })
  if (first) throw new Refusal('CONFLICT', `there is an organization already: ${first.id}. Nothing has changed.`)
  const account = em.create(Account, { id: newId('acct', at), name: people.organization, createdAt: new Date(at) })
  audit(em, { action: 'account.created', accountId: account.id, ...by, target: account.id }, at)
  await em.flush()
  const owner = { role: 'owner', accountId: account.id, email: people.ownerEmail } as const
  const reviewer = { role: 'reviewer', accountId: null, email: people.reviewerEmail } as const
  return {
    accountId: account.id,
    ownerToken: await inviteByOperator(em, { person: owner, by }, at),
    reviewerToken: await inviteByOperator(em, { person: reviewer, by }, at),
  }
}
