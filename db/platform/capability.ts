import { defineEntity, p } from '@mikro-orm/core'
import {
  assertActive,
  capabilities,
  type Capability,
  capabilityStatuses,
  stops,
  undecided,
} from '../../domain/platform/capability.ts'
import { environments } from '../../domain/access/scope.ts'
import { isOwned, moment, type Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { readRow } from '../core/prepared-statement.ts'

const schema = defineEntity({
  name: 'AccountCapability',
  tableName: 'account_capabilities',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(environments).primary(),
    capability: p.enum(capabilities).primary(),
    status: p.enum(capabilityStatuses),
    // What operators have decided, where that takes the capability away: it stands until they decide anew, whatever the
    // account states or provides. Null: the status follows from the account.
    stoppedAs: p.enum(stops).nullable(),
    updatedAt: moment(),
  },
})
/** The decision about one capability of an account. Without a row there is none yet. */
export class AccountCapability extends schema.class {}
schema.setClass(AccountCapability)

/** The status of a capability of an account in an environment, decided or not. */
async function readStatus(em: EntityManager, { accountId, environment }: Tenant, capability: Capability) {
  const decided = await readRow(em, AccountCapability, { accountId, environment, capability })
  return decided?.status ?? undecided(environment)
}

/** Whether the capability is active for this account in this environment. */
export const isCapable = async (em: EntityManager, tenant: Tenant, capability: Capability): Promise<boolean> =>
  (await readStatus(em, tenant, capability)) === 'active'

/** Refuses with `CAPABILITY_NOT_ACTIVE` an account without this capability in this environment. */
export async function assertCapable(em: EntityManager, tenant: Tenant, capability: Capability): Promise<void> {
  assertActive(capability, await readStatus(em, tenant, capability))
}
