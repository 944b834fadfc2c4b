import { activateAccount, setCapability } from '../../commands/platform/activate-account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { inTransaction } from '../../db/core/database.ts'
import { type Corridor, corridorKeys } from '../../domain/corridor.ts'
import type { Capability, CapabilityStatus } from '../../domain/platform/capability.ts'
import type { Api } from './api.ts'
import type { Stack } from './stack.ts'

/** Lets the simulators take the live orders of this stack, as a provider's rails would. */
export function connectLiveRails(stack: Stack, serves: readonly Corridor[] = corridorKeys): void {
  const { rails } = stack.deps
  Object.assign(rails.in('live'), { ...rails.in('sandbox'), serves })
}

const staff = { userId: null, address: '192.0.2.1' }

/** Lets an account go live, by default with every capability. */
export const goLive = (stack: Stack, accountId: string, granted?: readonly Capability[]): Promise<boolean> =>
  inTransaction(stack.database, async (em) => {
    const order = { accountId, ...(granted && { granted }), by: staff }
    return (await activateAccount(em, order, await stack.clock.now())).hasChanged
  })

/** Decides capabilities of an account, as staff would. */
export async function decideCapabilities(
  stack: Stack,
  tenant: Tenant,
  statuses: Partial<Record<Capability, CapabilityStatus>>,
): Promise<void> {
  for (const [capability, status] of Object.entries(statuses) as [Capability, CapabilityStatus][]) {
    const decided = { capability, status, by: staff }
    await inTransaction(stack.database, async (em) => setCapability(em, tenant, decided, await stack.clock.now()))
  }
}

/** A merchant of another organization that has gone live, with a live key, and its rows' owner. */
export async function addLiveMerchant(stack: Stack, api: Api, granted?: readonly Capability[]) {
  const { accountId, merchant } = await api.addMerchant('live')
  await goLive(stack, accountId, granted)
  return { merchant, accountId, tenant: { accountId, environment: 'live' } as const }
}
