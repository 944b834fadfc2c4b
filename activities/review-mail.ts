import type { EntityManager } from '../db/database.ts'
import type { Review } from '../db/review.ts'
import { User } from '../db/user.ts'
import type { Mail } from './mailer.ts'

const subjects = {
  remind: 'A review has been waiting for a day',
  escalate: 'Nobody has decided a review for three days',
}

/**
 * One mail about a review that nobody has decided: to everybody of the platform's staff, or to its admins where it is
 * escalated and there are any. It names ids only. Null where there is no staff.
 */
export async function reviewMail(
  em: EntityManager,
  review: Review,
  what: 'remind' | 'escalate',
): Promise<(Mail & { messageId: string }) | null> {
  const staff = await em.find(User, { accountId: null, role: { $in: ['reviewer', 'admin'] } }, { orderBy: { id: 1 } })
  const admins = staff.filter(({ role }) => role === 'admin')
  const to = what === 'escalate' && admins.length > 0 ? admins : staff
  if (to.length === 0) return null
  const { id, type, resourceId, accountId, environment, createdAt, claimedBy } = review
  const text = `${type} ${resourceId} of ${accountId} (${environment}) has been waiting since ${createdAt.toISOString()}.
${claimedBy ? `It was claimed by ${claimedBy}.` : 'Nobody has claimed it.'}

Review ${id}: GET /api/v1/admin/reviews?state=open lists it.`
  const messageId = `<${id}.${what}@steadypay>`
  return { to: to.map(({ email }) => email).join(', '), subject: subjects[what], text, messageId }
}
