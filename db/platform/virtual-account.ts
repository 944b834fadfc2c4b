import { randomInt } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { newId } from '../../domain/id.ts'
import { nubanOf } from '../../domain/nuban.ts'
import { moment, tenant } from '../core/columns.ts'
import type { Customer } from '../customer.ts'
import type { EntityManager } from '../core/database.ts'

const schema = defineEntity({
  name: 'VirtualAccount',
  tableName: 'virtual_accounts',
  properties: {
    id: p.string().primary(),
    ...tenant,
    customerId: p.string(),
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
    { name: 'virtual_accounts_number', properties: ['bankCode', 'accountNumber'] },
  ],
  indexes: [{ name: 'virtual_accounts_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] }],
})
/**
 * A bank account number of one customer. Money sent to it belongs to the merchant and is known to come from that
 * customer.
 */
export class VirtualAccount extends schema.class {}
schema.setClass(VirtualAccount)

/** The bank of the sandbox; no real bank in Nigeria has this code. */
const sandboxBank = { bankName: 'Sandbox Bank', bankCode: '999' }
const serialsMax = 1_000_000_000

/**
 * Opens an account at the sandbox's bank with a random number. The database refuses a number that is taken, and a
 * second account of a customer; a caller that gets either error tries again.
 */
export function openVirtualAccount(em: EntityManager, customer: Customer, accountName: string, at: number) {
  const { id: customerId, accountId, environment } = customer
  return em.create(VirtualAccount, {
    accountId,
    environment,
    customerId,
    accountName,
    ...sandboxBank,
    id: newId('va', at),
    currency: 'NGN',
    accountNumber: nubanOf(sandboxBank.bankCode, randomInt(serialsMax)),
    createdAt: new Date(at),
  })
}
