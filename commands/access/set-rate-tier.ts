import { newestKey } from '../../db/access/api-key.ts'
import { Account } from '../../db/core/account.ts'
import { audit } from '../../db/core/audit.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import type { RateTier } from '../../domain/access/scope.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Operator } from './invite-by-operator.ts'

/**
 * Gives the newest key of an account in an environment another rate tier, in the name of whoever runs the service. The
 * keys that replace it keep the tier. Safe to repeat. Returns whether anything has changed; `at` is in milliseconds
 * since the epoch. Refused with `NOT_FOUND` if there is no such account, and with `CONFLICT` if it has had no key
 * there.
 */
export async function setRateTier(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { rateTier, by }: { rateTier: RateTier; by: Operator },
  at: number,
): Promise<boolean> {
  await lock(em, Account, accountId) // whoever is just creating a key is waited for
  const key = await newestKey(em, { accountId, environment })
  if (!key) throw new Refusal('CONFLICT', `${accountId} has had no key in ${environment}. Nothing has changed.`)
  if (key.rateTier === rateTier) return false
  key.rateTier = rateTier
  audit(em, { accountId, ...by, action: `rate_tier.${rateTier}`, target: key.id }, at)
  return true
}
