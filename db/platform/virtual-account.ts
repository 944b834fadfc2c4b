import { defineEntity, p } from '@mikro-orm/core'
import { moment, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

const schema = defineEntity({
  name: 'VirtualAccount',
  tableName: 'virtual_accounts',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // Null: the account's own.
    customerId: p.string().strictNullable(),
    currency: p.enum(['NGN']),
    accountNumber: p.string().length(10).check("account_number ~ '^[0-9]{10}$'"),
    accountName: p.string().length(255),
    bankCode: p.string().length(6),
    bankName: p.string().length(255),
    status: p.enum(['active']).default('active'),
    createdAt: moment(),
  },
  uniques: [
    { name: 'virtual_accounts_one_per_customer', properties: ['accountId', 'environment', 'customerId', 'currency'] },
    {
      name: 'virtual_accounts_own',
      properties: ['accountId', 'environment', 'currency'],
      where: 'customer_id is null',
    },
    { name: 'virtual_accounts_number', properties: ['bankCode', 'accountNumber'] },
    // A live notice names the number only.
    { name: 'virtual_accounts_live_number', properties: ['accountNumber'], where: "environment = 'live'" },
  ],
  indexes: [{ name: 'virtual_accounts_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] }],
})
/**
 * A bank account number of one customer, or of the account itself. Money sent to it belongs to the merchant, and is
 * known to come from that customer where there is one.
 */
export class VirtualAccount extends schema.class {}
schema.setClass(VirtualAccount)

/** The virtual account of a customer, or the account's own (`customerId` null); null before one was opened. */
export const findVirtualAccountOf = (
  em: EntityManager,
  { accountId, environment }: Tenant,
  customerId: string | null,
  currency: 'NGN',
): Promise<VirtualAccount | null> => em.findOne(VirtualAccount, { accountId, environment, customerId, currency })

/** The live virtual account with this number; null where no account of ours has it. */
export const findLiveVirtualAccount = (em: EntityManager, accountNumber: string): Promise<VirtualAccount | null> =>
  em.findOne(VirtualAccount, { accountNumber, environment: 'live' })
