import { defineEntity, p } from '@mikro-orm/core'
import { type Environment, environments } from '../../domain/access/scope.ts'
import { latePaymentPolicies } from '../../domain/platform/account-settings.ts'
import { feeBearers } from '../../domain/refund.ts'
import { Refusal } from '../../domain/refusal.ts'
import { moment, onClock } from './columns.ts'
import type { EntityManager } from './database.ts'
import { readRow } from './prepared-statement.ts'

const schema = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    feePreference: p.enum(['customer_pays', 'org_pays']).default('org_pays'),
    // These two apply where `account_settings` has no other value.
    latePaymentPolicy: p.enum(latePaymentPolicies).default('accept'),
    refundFeeBearer: p.enum(feeBearers).default('ORG'),
    paymentsEnabled: p.boolean().default(false),
    /** The test clock of the whole account, in the sandbox. */
    ...onClock,
    createdAt: moment(),
    /** The API version of its calls; null until the first call with a key of its own. */
    apiVersion: p.string().length(10).nullable().check("api_version ~ '^\\d{4}-\\d{2}-\\d{2}$'"),
    /** The organization that this connected account belongs to; null for an organization of its own. */
    ownerId: p.string().nullable().check('owner_id <> id'),
    /** The environment in which its platform has made it; null for an account that is in both. */
    environment: p.enum(environments).nullable(),
  },
  checks: [{ name: 'accounts_of_one_environment', expression: 'environment is null or owner_id is not null' }],
  indexes: [{ name: 'accounts_of_owner', properties: ['ownerId', 'createdAt', 'id'] }],
})
/** An organization: the tenant that sells, and the owner of keys, balances and events. */
export class Account extends schema.class {}
schema.setClass(Account)

/** The names of these accounts, by their ids. */
export async function accountNamesOf(
  em: EntityManager,
  ids: readonly (string | null)[],
): Promise<Record<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const found = wanted.length > 0 ? await em.find(Account, { id: wanted }, { fields: ['id', 'name'] }) : []
  return Object.fromEntries(found.map(({ id, name }) => [id, name]))
}

/** The organization of an account: the one that it is connected to, or itself. */
export async function organizationOf(em: EntityManager, accountId: string): Promise<string> {
  const account = await readRow(em, Account, { id: accountId })
  return account?.ownerId ?? accountId
}

/** The caller's own environment and account. */
type Platform = { accountId: string; environment: Environment }

/**
 * A connected account of a platform, in the platform's environment; null for one of somebody else or of the other
 * environment, as for one that does not exist.
 */
export async function findConnected(em: EntityManager, platform: Platform, id: string): Promise<Account | null> {
  const account = await readRow(em, Account, { id, ownerId: platform.accountId })
  return account && (account.environment ?? platform.environment) === platform.environment ? account : null
}

/** Refuses an account that `findConnected` does not find. */
export async function assertConnected(em: EntityManager, platform: Platform, id: string): Promise<void> {
  if (!(await findConnected(em, platform, id))) throw new Refusal('NOT_FOUND', 'no such account')
}
