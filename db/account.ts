import { defineEntity, p } from '@mikro-orm/core'
import type { FeePreference } from '../domain/corridor.ts'
import { moment } from './columns.ts'
import type { EntityManager } from './database.ts'

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

/** Who bears the fees of an account's new sales. One column, as every creation asks for it. */
export async function feePreferenceOf(em: EntityManager, accountId: string): Promise<FeePreference> {
  const sql = 'select fee_preference from accounts where id = ?'
  const [row] = await em.execute<{ fee_preference: FeePreference }[]>(sql, [accountId])
  if (!row) throw new Error(`account ${accountId} is missing`)
  return row.fee_preference
}
