import { isDeepStrictEqual } from 'node:util'
import { defineEntity, type FilterQuery, LockMode, p, raw } from '@mikro-orm/core'
import { newId } from '../../domain/id.ts'
import type { BuyerDetails } from '../../domain/customer.ts'
import type { PostalAddress } from '../../domain/postal-address.ts'
import { type Tenant, moment, onClock, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { escapeLike } from '../core/like.ts'
import { otherClockOf } from '../core/test-clock.ts'

const partsIndex = (name: string, what: string) =>
  `create index ${name} on customers using gin (${what}) with (gin_pending_list_limit = 256)`

const schema = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    email: p.string().length(320),
    name: p.string().length(255).strictNullable(),
    phoneNumber: p.string().length(20).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    billingAddress: p.json<PostalAddress>().strictNullable(),
    // The language in which they are written to, such as `fr-CI`; null: that in which they have bought.
    locale: p.string().length(20).strictNullable(),
    // Every one and two adjacent characters of email and name, hashed with the owner. A trigger writes it and only the
    // index uses it.
    shortParts: p.array().columnType('int[]').nullable().lazy(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  indexes: [
    { name: 'customers_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'customers_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    // Searches of three letters and more use the first two indexes (LIKE finds any part of a text); shorter ones use
    // the third.
    { name: 'customers_email_parts', expression: partsIndex('customers_email_parts', 'email gin_trgm_ops') },
    { name: 'customers_name_parts', expression: partsIndex('customers_name_parts', 'lower(name) gin_trgm_ops') },
    { name: 'customers_short_parts', expression: partsIndex('customers_short_parts', 'short_parts') },
  ],
  uniques: [{ name: 'customers_one_per_email', properties: ['accountId', 'environment', 'email'] }],
})
/** A buyer known to the merchant; the email is lower-case and unique per account and environment. */
export class Customer extends schema.class {}
schema.setClass(Customer)

/** Who supplied the data: a merchant's replace what is stored, a buyer's only fill what is missing. */
export type Authority = 'merchant' | 'buyer'

/** A saved customer and the event to record; null when nothing was created or changed. */
export type SavedCustomer = { customer: Customer; change: 'customer.created' | 'customer.updated' | null }

/**
 * Creates or updates the customer with this email in the running transaction. `at` is in ms since the epoch. A customer
 * on a test clock is changed at the clock's time, whatever the transaction goes by.
 */
export async function saveCustomer(
  em: EntityManager,
  { accountId, environment }: Tenant,
  details: BuyerDetails,
  authority: Authority,
  at: number,
): Promise<SavedCustomer> {
  const owner = { accountId, environment }
  const email = details.email.toLowerCase()
  const known = await em.findOne(Customer, { ...owner, email })
  if (!known) {
    const { name, phone_number: phoneNumber = null } = details
    const given = { email, name, phoneNumber, metadata: {}, billingAddress: null, locale: null }
    const customer = newCustomer(em, owner, given, at)
    return { customer, change: 'customer.created' }
  }
  if (isDeepStrictEqual(wantedOf(known, details, authority), contents(known))) return { customer: known, change: null }
  // Read again with a lock: the event contains the whole customer, and another call may be changing other fields.
  await em.refresh(known, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const time = (await otherClockOf(em, known))?.time ?? at
  const changed = changeCustomer(known, wantedOf(known, details, authority), time)
  return { customer: known, change: changed ? 'customer.updated' : null }
}

/** The fields of a customer that can change. */
export type CustomerFields = Pick<Customer, 'name' | 'phoneNumber' | 'metadata' | 'billingAddress' | 'locale'>

const contents = ({ name, phoneNumber, metadata, billingAddress, locale }: CustomerFields): CustomerFields => ({
  name,
  phoneNumber,
  metadata,
  billingAddress,
  locale,
})

function wantedOf(customer: Customer, details: BuyerDetails, authority: Authority): CustomerFields {
  const decide = (old: string | null, given: string | null | undefined): string | null =>
    given && (authority === 'merchant' || !old) ? given : old
  const name = decide(customer.name, details.name)
  const phoneNumber = decide(customer.phoneNumber, details.phone_number)
  return { ...contents(customer), name, phoneNumber }
}

/** A new customer in the running transaction; `email` in lower case, `at` in ms since the epoch. */
export function newCustomer(
  em: EntityManager,
  owner: Tenant,
  given: CustomerFields & { email: string },
  at: number,
): Customer {
  const moments = { createdAt: new Date(at), updatedAt: new Date(at) }
  return em.create(Customer, { ...owner, ...given, ...moments, id: newId('cust', at) })
}

/** Applies the wanted values to the customer. Returns whether anything changed. */
export function changeCustomer(customer: Customer, wanted: CustomerFields, at: number): boolean {
  if (isDeepStrictEqual(wanted, contents(customer))) return false
  Object.assign(customer, wanted, { updatedAt: new Date(at) })
  return true
}

/** The tenant's customer, locked until the transaction ends; null when it has none with this id. */
export const lockCustomer = (em: EntityManager, { accountId, environment }: Tenant, id: string) =>
  em.findOne(Customer, { id, accountId, environment }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** A condition on rows of customers as SQL, with `?` for its parameters. */
type Condition = { sql: string; params: unknown[] }

/** The condition that a tenant's email or name holds a text, in any case; no character of it is a wildcard. */
function holding({ accountId, environment }: Tenant, search: string): Condition {
  const pattern = (text: string) => `%${escapeLike(text)}%`
  const lowered = search.toLowerCase()
  const isHeld = {
    sql: '(email like ? or lower(name) like lower(?))',
    params: [pattern(lowered), pattern(search)],
  }
  if (/[\p{L}\p{N}]{3}/u.test(search)) return isHeld
  // Redundant, because a text that contains the search also contains its first characters. It lets Postgres use the
  // index of short parts.
  const begins =
    'short_parts && array[hashtext(?::text || left(?::text, 2)), hashtext(?::text || left(lower(?::text), 2))]'
  const owner = `${accountId}/${environment}/`
  return { sql: `${begins} and ${isHeld.sql}`, params: [owner, lowered, owner, search, ...isHeld.params] }
}

/** Of so many matches at most, the ids are read, so that the page does not look for them again. */
const NAMED = 500
/** Of so many at most, the statement that finds them counts them too. More are counted without being kept in memory. */
const KEPT = 2_000
/** Of so many matches at most, all are found before they are sorted. Of more, some are among the newest customers. */
const FEW = 5_000

/**
 * The condition for a page of a tenant's customers whose email or name holds a text, and how many these are. Few are
 * found by an index before they are sorted. Otherwise Postgres may look for a page of them from the newest customer on,
 * and read nearly all customers if those found are old.
 */
export async function searchFor(em: EntityManager, { accountId, environment }: Tenant, search: string) {
  const { sql, params } = holding({ accountId, environment }, search)
  const matching = (condition: string, values: unknown[]): FilterQuery<Customer> => ({
    accountId,
    environment,
    [raw(condition, values)]: [],
  })
  const matches = `select id from customers where account_id = ? and environment = ? and ${sql}`
  const given = [accountId, environment, ...params]
  // `materialized` and no limit of its own: a plan for the first matches might read all customers to meet them.
  const [few] = await em.execute<{ found: number; ids: string | null }[]>(
    `with matches as materialized (${matches}), few as materialized (select id from matches limit ${KEPT + 1})
     select count(*)::int as found, case when count(*) <= ${NAMED} then string_agg(id, ',') end as ids from few`,
    given,
  )
  const found = few?.found ?? 0
  if (found <= NAMED) return { where: matching(`id = any(string_to_array(?, ','))`, [few?.ids ?? '']), total: found }
  const total = found <= KEPT ? found : await em.count(Customer, matching(sql, params))
  return { where: total > FEW ? matching(sql, params) : matching(`id = any(array(${matches}))`, given), total }
}
