import { defineEntity, p } from '@mikro-orm/core'
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
  },
  indexes: [{ name: 'accounts_of_owner', properties: ['ownerId'] }],
})
/** An organization: the tenant that sells, and the owner of keys, balances and events. */
export class Account extends schema.class {}
schema.setClass(Account)

/** Refuses an account that is not a connected account of `ownerId`, in the same way as one that does not exist. */
export async function assertConnected(em: EntityManager, ownerId: string, id: string): Promise<void> {
  const account = await readRow(em, Account, { id, ownerId })
  if (!account) throw new Refusal('NOT_FOUND', 'no such account')
}
