import { Refusal } from '../../domain/refusal.ts'
import type { Role } from '../../domain/access/role.ts'
import type { Caller } from '../http/operation.ts'

const reviewers: readonly Role[] = ['reviewer', 'admin']

/**
 * The person of the platform's own staff who is calling. People of an organization are refused, its admins too: nobody
 * decides about their own money.
 */
export function staffOf({ userId, role, accountId }: Caller): string {
  if (userId && role && reviewers.includes(role) && accountId === '') return userId
  throw new Refusal('FORBIDDEN', 'only the platform’s own reviewers may do this')
}
