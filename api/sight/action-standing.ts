import { findSubject, standingOf } from '../../commands/sight/action-subject.ts'
import { namesOf, staffAmong } from '../../db/access/user.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { OperatorAction } from '../../db/core/operator-action.ts'
import { format } from '../../domain/money.ts'
import { isActionResource, possibleActions } from '../../domain/operator-action.ts'
import { isoOrNull } from '../../schemas/common.ts'
import { presentProposal } from '../../schemas/sight/timeline.ts'

const none = { amount: null, currency: null, actions: [], on_hold_since: null, proposals: [] }

/**
 * What staff can do about a resource now: its sum, the possible actions and those that wait for a second person.
 * `userId` is who asks. Proposals that nobody can approve are left out: those about a resource that waits for nobody
 * any more, and those of people who are not staff any more.
 */
export async function readActionStanding(em: EntityManager, resource: string, id: string, userId: string) {
  const subject = isActionResource(resource) ? await findSubject(em, resource, id) : null
  if (!isActionResource(resource) || !subject) return none
  const { sum, stage, onHoldSince } = subject
  const orderBy = { createdAt: 'asc' as const }
  const found = stage === null ? [] : await em.find(OperatorAction, { resourceId: id, state: 'proposed' }, { orderBy })
  const proposers = found.map(({ proposedBy }) => proposedBy)
  const [staff, names] = [await staffAmong(em, proposers), await namesOf(em, proposers)]
  const rows = found.filter(({ proposedBy }) => staff.has(proposedBy))
  const person = (user: string) => ({ id: user, name: names[user] ?? user })
  return {
    amount: sum && format(sum.amount, sum.currency),
    currency: sum && sum.currency,
    actions: possibleActions(resource, standingOf(subject)),
    on_hold_since: isoOrNull(onHoldSince),
    proposals: rows.map((row) => presentProposal(row, person(row.proposedBy), userId)),
  }
}
