import { defineEntity, p } from '@mikro-orm/core'
import { newId } from '../domain/id.ts'
import type { BuyerDetails } from './checkout.ts'
import { moment, tenant, type Tenant } from './columns.ts'
import type { EntityManager } from './database.ts'

/** `billing_address` as the interface has it; components that were not given are null. */
export type BillingAddress = Record<'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country', string | null>

const schema = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    id: p.string().primary(),
    ...tenant,
    email: p.string().length(320),
    name: p.string().length(255).strictNullable(),
    phoneNumber: p.string().length(20).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    billingAddress: p.json<BillingAddress>().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  uniques: [{ name: 'customers_one_per_email', properties: ['accountId', 'environment', 'email'] }],
})
/** A buyer known to the merchant; the email is lower-case and unique per account and environment. */
export class Customer extends schema.class {}
schema.setClass(Customer)

/** Whose word it is: a merchant's replaces what is on record, a buyer's only fills what is missing. */
export type Authority = 'merchant' | 'buyer'

/** A customer and the event that its saving calls for; null when nothing was made or changed. */
export type Saved = { customer: Customer; change: 'customer.created' | 'customer.updated' | null }

/** The customer with this email, made or brought up to date in the running transaction. `at` in ms since the epoch. */
export async function saveCustomer(
  em: EntityManager,
  { accountId, environment }: Tenant,
  details: BuyerDetails,
  authority: Authority,
  at: number,
): Promise<Saved> {
  const email = details.email.toLowerCase()
  const known = await em.findOne(Customer, { accountId, environment, email })
  if (known)
    return { customer: known, change: bringUpToDate(known, details, authority, at) ? 'customer.updated' : null }
  const customer = em.create(Customer, {
    ...{ accountId, environment, email },
    id: newId('cust', at),
    name: details.name,
    phoneNumber: details.phone_number ?? null,
    metadata: {},
    billingAddress: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
  return { customer, change: 'customer.created' }
}

function bringUpToDate(customer: Customer, details: BuyerDetails, authority: Authority, at: number): boolean {
  const decide = (old: string | null, told: string | null | undefined): string | null =>
    told && (authority === 'merchant' || !old) ? told : old
  const name = decide(customer.name, details.name)
  const phoneNumber = decide(customer.phoneNumber, details.phone_number)
  if (name === customer.name && phoneNumber === customer.phoneNumber) return false
  Object.assign(customer, { name, phoneNumber, updatedAt: new Date(at) })
  return true
}
