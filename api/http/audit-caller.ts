import { audit } from '../../db/core/audit.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Caller } from './operation.ts'

/**
 * Writes an action of a caller to the audit log, with the user or the key and the IP address. `action` is
 * `noun.verb_in_the_past`, `target` an id, `now` in milliseconds since the epoch.
 */
export function auditCaller(
  em: EntityManager,
  { accountId, userId, keyId, address }: Caller,
  { action, target }: { action: string; target: string },
  now: number,
): void {
  audit(em, { action, target, accountId, userId, keyId, address }, now)
}
