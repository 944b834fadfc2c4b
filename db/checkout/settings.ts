import { defineEntity, p, raw } from '@mikro-orm/core'
import { type Capability, type CapabilityStatus, undecided } from '../../domain/platform/capability.ts'
import { type Corridor, corridorsFor, type FeePreference, type Offering } from '../../domain/corridor.ts'
import {
  assertStillAvailable,
  type MethodSettings,
  type LiveMethods,
  stillAvailable,
} from '../../domain/checkout/method-settings.ts'
import { Account } from '../core/account.ts'
import { AccountCapability } from '../platform/capability.ts'
import { isOwned, moment, type Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { environments } from '../../domain/access/scope.ts'

const schema = defineEntity({
  name: 'CheckoutSettings',
  tableName: 'checkout_settings',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(environments).primary(),
    // As they were last sent; null before that.
    methods: p.json<MethodSettings>().strictNullable(),
    // Null leaves it to the account.
    feePreference: p.enum(['customer_pays', 'org_pays']).strictNullable(),
    updatedAt: moment(),
  },
})
/** How an account lets its buyers pay in one environment; without a row the platform's settings apply. */
export class CheckoutSettings extends schema.class {}
schema.setClass(CheckoutSettings)

const feePreference = `coalesce(
  (select fee_preference from checkout_settings where account_id = ? and environment = ?),
  (select fee_preference from accounts where id = ?))`.replaceAll(/\s+/g, ' ')

/** Who bears the fees of an account's new sales. It is a subquery of the INSERT, so that no query runs before it. */
export const feePreferenceOf = ({ accountId, environment }: Tenant): FeePreference =>
  raw(feePreference, [accountId, environment, accountId]) as unknown as FeePreference

/** Who bears the fees of an account's new sales now, for what must be known before the sale is stored. */
export async function readFeePreference(em: EntityManager, { accountId, environment }: Tenant): Promise<FeePreference> {
  const [row] = await em.execute<{ preference: FeePreference }[]>(`select ${feePreference} as preference`, [
    accountId,
    environment,
    accountId,
  ])
  return row?.preference ?? 'org_pays'
}

/** The facts that decide how this account may be paid in live, by the corridors that a rail serves. */
export async function readLiveMethods(
  em: EntityManager,
  { accountId, environment }: Tenant,
  served: readonly Corridor[],
): Promise<LiveMethods> {
  const settings = await em.findOne(CheckoutSettings, { accountId, environment })
  return { ...(await readActivation(em, { accountId, environment })), settings: settings?.methods ?? null, served }
}

/** Whether an account has gone live, and the status of its capabilities. */
async function readActivation(em: EntityManager, { accountId, environment }: Tenant) {
  const { paymentsEnabled } = await em.findOneOrFail(Account, { id: accountId })
  const decided = await em.find(AccountCapability, { accountId, environment })
  const statusOf = (capability: Capability): CapabilityStatus =>
    decided.find((each) => each.capability === capability)?.status ?? undecided(environment)
  return { paymentsEnabled, statusOf }
}

/** A session, as far as it decides which corridors it offers. */
type OfferingOf = Offering & Tenant

/**
 * Refuses to begin a payment of a session by a corridor that its account may not use now, although it could when the
 * session was made. Every method is available in the sandbox, whatever was decided there.
 */
export async function assertPayableBy(em: EntityManager, session: OfferingOf, corridor: Corridor): Promise<void> {
  if (session.environment === 'sandbox') return
  assertStillAvailable(corridor, corridorsFor(session), await readActivation(em, session))
}

/** Whether an account may be paid by a corridor now, in the environment of the row. */
export async function mayBePaidBy(em: EntityManager, owner: Tenant, corridor: Corridor): Promise<boolean> {
  if (owner.environment === 'sandbox') return true
  return stillAvailable([corridor], await readActivation(em, owner)).length > 0
}

/** The corridors of a session that its account may use now, of those that a rail serves. */
export async function readPayableCorridors(
  em: EntityManager,
  session: OfferingOf,
  served: readonly Corridor[],
): Promise<Corridor[]> {
  const offered = corridorsFor(session).filter((key) => served.includes(key))
  return session.environment === 'sandbox' ? offered : stillAvailable(offered, await readActivation(em, session))
}
