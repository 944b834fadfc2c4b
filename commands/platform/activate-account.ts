import { audit } from '../../db/core/audit.ts'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { AccountCapability } from '../../db/platform/capability.ts'
import { capabilities, type Capability, type CapabilityStatus } from '../../domain/platform/capability.ts'

/** Who decided: a person, or null for a process or a tool; and the IP address of the call, or the tool's name. */
type DecidedBy = { userId: string | null; address: string }

/**
 * Lets an account go live: it may take payments, have live keys, and use `granted`, by default every capability. A
 * capability that was restricted stays so, as only a decision about it lifts that. Safe to repeat. Returns whether
 * anything has changed; `at` is in milliseconds since the epoch. Refused with `NOT_FOUND` if there is no such account.
 */
export async function activateAccount(
  em: EntityManager,
  { accountId, granted = capabilities, by }: { accountId: string; granted?: readonly Capability[]; by: DecidedBy },
  at: number,
): Promise<boolean> {
  const account = await lock(em, Account, accountId)
  const owner = { accountId, environment: 'live' } as const
  let hasChanged = !account.paymentsEnabled
  account.paymentsEnabled = true
  for (const capability of granted) {
    const known = await em.findOne(AccountCapability, { ...owner, capability })
    if (known?.status === 'restricted') continue
    hasChanged = store(em, owner, { known, capability, status: 'active' }, at) || hasChanged
  }
  if (hasChanged) audit(em, { action: 'account.activated', accountId, ...by, target: accountId }, at)
  return hasChanged
}

/**
 * Decides one capability of an account in an environment. An account that has gone live stays so, whatever is taken
 * from it: its people still see their live data. What is already with a rail ends as the rail says. Safe to repeat.
 * Returns whether the status has changed. Refused with `NOT_FOUND` if there is no such account.
 */
export async function setCapability(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { capability, status, by }: { capability: Capability; status: CapabilityStatus; by: DecidedBy },
  at: number,
): Promise<boolean> {
  await lock(em, Account, accountId) // so that two first decisions run one after the other
  const owner = { accountId, environment }
  const known = await em.findOne(AccountCapability, { ...owner, capability })
  const hasChanged = store(em, owner, { known, capability, status }, at)
  if (hasChanged) audit(em, { action: `${capability}.${status}`, accountId, ...by, target: accountId }, at)
  return hasChanged
}

type Decided = { known: AccountCapability | null; capability: Capability; status: CapabilityStatus }

function store(em: EntityManager, owner: Tenant, { known, capability, status }: Decided, at: number): boolean {
  if (known?.status === status) return false
  const updatedAt = new Date(at)
  if (known) Object.assign(known, { status, updatedAt })
  else em.create(AccountCapability, { ...owner, capability, status, updatedAt })
  return true
}
