import { defineEntity, p, raw } from '@mikro-orm/core'
import type { FeePreference } from '../domain/corridor.ts'
import { moment } from './columns.ts'

const schema = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    feePreference: p.enum(['customer_pays', 'org_pays']).default('org_pays'),
    latePaymentPolicy: p.enum(['accept', 'refund']).default('accept'),
    createdAt: moment(),
  },
})
/** An organization: the tenant that sells, and the owner of keys, balances and events. */
export class Account extends schema.class {}
schema.setClass(Account)

/** Who bears the fees of an account's new sales, for a row that is inserted: read in its statement, not before it. */
export const feePreferenceOf = (accountId: string): FeePreference =>
  raw('(select fee_preference from accounts where id = ?)', [accountId]) as unknown as FeePreference
