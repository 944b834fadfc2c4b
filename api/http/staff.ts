import { Refusal } from '../../domain/refusal.ts'
import { type Role, staffRoles } from '../../domain/access/role.ts'
import type { Caller } from './operation.ts'

/** What operations of the platform's staff declare: nobody else may call, and only with an access token. */
export const forStaff = { tag: 'Reviews', auth: ['user'], scope: null, forStaff: true } as const

const reviewers: readonly Role[] = staffRoles

/**
 * The id of the calling staff member. Users of an organization are refused, also its admins, as nobody may decide about
 * their own money.
 */
export function staffOf({ userId, role, accountId }: Caller): string {
  if (userId && role && reviewers.includes(role) && accountId === '') return userId
  throw new Refusal('FORBIDDEN', 'only the platform’s own reviewers may do this')
}
