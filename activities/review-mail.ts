import type { EntityManager } from '../db/core/database.ts'
import type { Review } from '../db/review/review.ts'
import { User } from '../db/access/user.ts'
import { staffRoles } from '../domain/access/role.ts'
import type { Mail } from '../domain/mail.ts'
import { isClaimed, type ReviewType } from '../domain/review.ts'

const kinds: Record<ReviewType, [kind: string, pages: string]> = {
  payout: ['Payout', 'payouts'],
  payout_destination: ['Payout destination', 'destinations'],
  account: ['Account', 'accounts'],
}

const subjects = {
  remind: 'A review has been open for a day',
  escalate: 'A review has been open for three days',
}

/**
 * The mail about a review that nobody has decided. It goes to all staff of the platform; an escalated one goes to the
 * admins, where there are any. It contains ids only, and a link into the desk at `publicUrl`. `realTime`, in
 * milliseconds since the epoch, is that of claims. Null where there is no staff.
 */
export async function reviewMail(
  em: EntityManager,
  review: Review,
  { what, publicUrl, realTime }: { what: 'remind' | 'escalate'; publicUrl: string; realTime: number },
): Promise<(Mail & { messageId: string }) | null> {
  const staff = await em.find(User, { accountId: null, role: { $in: [...staffRoles] } }, { orderBy: { id: 1 } })
  const admins = staff.filter(({ role }) => role === 'admin')
  const to = what === 'escalate' && admins.length > 0 ? admins : staff
  if (to.length === 0) return null
  const { id, type, resourceId, accountId, environment, createdAt, claimedBy } = review
  const [kind, pages] = kinds[type]
  const since = createdAt.toISOString()
  const owner = type === 'account' ? '' : ` of ${accountId}`
  const text = `${kind} ${resourceId}${owner} (${environment}) has awaited a decision since ${since}.
${isClaimed(review, realTime) ? `Claimed by ${claimedBy}.` : 'Nobody has claimed it.'}

Decide on review ${id} in the review desk:

${publicUrl}/ops/${pages}/${resourceId}`
  const messageId = `<${id}.${what}@steadypay>`
  return { to: to.map(({ email }) => email).join(', '), subject: subjects[what], text, messageId }
}
