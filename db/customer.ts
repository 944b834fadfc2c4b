import { isDeepStrictEqual } from 'node:util'
import { defineEntity, type FilterQuery, LockMode, p, raw } from '@mikro-orm/core'
import { newId } from '../domain/id.ts'
import type { BuyerDetails } from './checkout.ts'
import { moment, tenant, type Tenant } from './columns.ts'
import type { EntityManager } from './database.ts'

/** `billing_address` as the interface has it; components that were not given are null. */
export type BillingAddress = Record<'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country', string | null>

/** An index by which LIKE finds any part of a text. */
const partsIndex = (name: string, text: string) =>
  `create index ${name} on customers using gin (${text} gin_trgm_ops) with (gin_pending_list_limit = 256)`

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
  indexes: [
    { name: 'customers_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'customers_email_parts', expression: partsIndex('customers_email_parts', 'email') },
    { name: 'customers_name_parts', expression: partsIndex('customers_name_parts', 'lower(name)') },
  ],
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
  const owner = { accountId, environment }
  const email = details.email.toLowerCase()
  const known = await em.findOne(Customer, { ...owner, email })
  if (!known) {
    const { name, phone_number: phoneNumber = null } = details
    const customer = newCustomer(em, owner, { email, name, phoneNumber, metadata: {}, billingAddress: null }, at)
    return { customer, change: 'customer.created' }
  }
  if (isDeepStrictEqual(wantedOf(known, details, authority), contents(known))) return { customer: known, change: null }
  // Read again under its lock: the event tells the whole customer, and another call may be changing the rest of it.
  await em.refresh(known, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const changed = changeCustomer(known, wantedOf(known, details, authority), at)
  return { customer: known, change: changed ? 'customer.updated' : null }
}

/** What of a customer can change. */
export type Contents = Pick<Customer, 'name' | 'phoneNumber' | 'metadata' | 'billingAddress'>

const contents = ({ name, phoneNumber, metadata, billingAddress }: Contents): Contents => ({
  ...{ name, phoneNumber, metadata, billingAddress },
})

function wantedOf(customer: Customer, details: BuyerDetails, authority: Authority): Contents {
  const decide = (old: string | null, told: string | null | undefined): string | null =>
    told && (authority === 'merchant' || !old) ? told : old
  const name = decide(customer.name, details.name)
  const phoneNumber = decide(customer.phoneNumber, details.phone_number)
  return { ...contents(customer), name, phoneNumber }
}

/** A new customer in the running transaction; `email` in lower case, `at` in ms since the epoch. */
export function newCustomer(
  em: EntityManager,
  owner: Tenant,
  given: Contents & { email: string },
  at: number,
): Customer {
  const moments = { createdAt: new Date(at), updatedAt: new Date(at) }
  return em.create(Customer, { ...owner, ...given, ...moments, id: newId('cust', at) })
}

/** Makes the customer what is wanted; answers whether that was any change. */
export function changeCustomer(customer: Customer, wanted: Contents, at: number): boolean {
  if (isDeepStrictEqual(wanted, contents(customer))) return false
  Object.assign(customer, wanted, { updatedAt: new Date(at) })
  return true
}

/** The tenant's customer, locked until the transaction ends; null when it has none with this id. */
export const lockCustomer = (em: EntityManager, { accountId, environment }: Tenant, id: string) =>
  em.findOne(Customer, { id, accountId, environment }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** The condition that email or name holds a text, in any case; no character of it is a wildcard. */
export function holding(search: string): { $and: FilterQuery<Customer>[] } {
  const pattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const isHeld = raw('(email like ? or lower(name) like lower(?))', [pattern(search.toLowerCase()), pattern(search)])
  return { $and: [{ [isHeld]: [] }] }
}
