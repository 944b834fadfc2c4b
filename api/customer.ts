import Type, { type Static } from 'typebox'
import {
  changeCustomer,
  Customer as CustomerRow,
  lockCustomer,
  newCustomer,
  searchFor,
} from '../db/customer/customer.ts'
import type { EntityManager } from '../db/core/database.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { timeOf } from '../db/core/test-clock.ts'
import { mergeMetadata, validateMetadata } from '../domain/metadata.ts'
import { Refusal } from '../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../schemas/common.ts'
import {
  CreateCustomer,
  Customer,
  ListedCustomer,
  presentCustomer,
  presentListedCustomer,
  toAddress,
  UpdateCustomer,
} from '../schemas/customer.ts'
import { operation } from './http/operation.ts'
import { listPage, newestFirst } from './http/pagination.ts'
import { assertValid } from './http/validate.ts'

export const createCustomer = operation({
  method: 'post',
  path: '/v1/customers',
  summary: 'Create a customer',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:write',
  body: CreateCustomer,
  returns: [201, Customer],
  refuses: ['CONFLICT'],

  async handle({ body, caller: { accountId, environment }, em, now }) {
    const owner = { accountId, environment }
    const email = body.email.toLowerCase()
    // Of two calls at once, the second fails at the unique index. It is run again and then finds the first's row.
    if (await em.findOne(CustomerRow, { ...owner, email })) throw emailTaken()
    const { name = null, phone_number: phoneNumber = null, billing_address: address, locale = null } = body
    const metadata = mergeMetadata({}, body.metadata)
    const billingAddress = address ? toAddress(address) : null
    const customer = newCustomer(em, owner, { email, name, phoneNumber, metadata, billingAddress, locale }, now)
    const data = presentCustomer(customer)
    await recordEvent(em, owner, { type: 'customer.created', resourceId: customer.id, data }, now)
    return data
  },
})

const emailTaken = () =>
  new Refusal('CONFLICT', 'a customer with this email address already exists', [
    { field: 'email', message: 'belongs to another customer', type: 'value_error' },
  ])

const CustomerId = Type.Object({ customer_id: idParameter('cust') })

export const getCustomer = operation({
  method: 'get',
  path: '/v1/customers/{customer_id}',
  summary: 'Read a customer',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:read',
  params: CustomerId,
  returns: [200, Customer],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const row = await em.findOne(CustomerRow, { id: params.customer_id, accountId, environment })
    if (!row) throw new Refusal('NOT_FOUND', 'no such customer')
    return presentCustomer(row)
  },
})

export const updateCustomer = operation({
  method: 'patch',
  path: '/v1/customers/{customer_id}',
  summary: 'Change a customer; fields that are left out keep their values',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:write',
  params: CustomerId,
  body: UpdateCustomer,
  returns: [200, Customer],
  refuses: ['NOT_FOUND'],

  async handle({ params, body, caller, em, now }) {
    const customer = await lockCustomer(em, caller, params.customer_id)
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    return editCustomer(em, customer, body, now)
  },
})

/**
 * Changes a locked customer, with the event unless nothing changes. One on a test clock is changed at the clock's time,
 * whoever changes it. Returns the customer as it is then.
 */
export async function editCustomer(
  em: EntityManager,
  customer: CustomerRow,
  body: Static<typeof UpdateCustomer>,
  now: number,
): Promise<Static<typeof Customer>> {
  const at = await timeOf(em, customer, now)
  const isChanged = changeCustomer(customer, wanted(customer, body), at)
  const data = presentCustomer(customer)
  if (isChanged) await recordEvent(em, customer, { type: 'customer.updated', resourceId: customer.id, data }, at)
  return data
}

/** The customer after the change: a field that is left out keeps its value. */
function wanted(customer: CustomerRow, body: Static<typeof UpdateCustomer>) {
  const { name, phone_number: phoneNumber, billing_address: address, metadata: sent, locale } = body
  const metadata = mergeMetadata(customer.metadata, sent)
  assertValid(validateMetadata(metadata))
  return {
    name: name === undefined ? customer.name : name,
    phoneNumber: phoneNumber === undefined ? customer.phoneNumber : phoneNumber,
    billingAddress: address === undefined ? customer.billingAddress : address && toAddress(address),
    metadata,
    locale: locale === undefined ? customer.locale : locale,
  }
}

const ListCustomers = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 320,
      description: 'Part of the email or the name, in upper or lower case.',
      examples: ['ada'],
    }),
  ),
})

export const listCustomers = operation({
  method: 'get',
  path: '/v1/customers',
  summary: 'List and search customers, newest first',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:read',
  query: ListCustomers,
  returns: [200, page(ListedCustomer)],
  refuses: [],

  async handle({ query, caller: { accountId, environment }, em, services }) {
    const owner = { accountId, environment }
    const found = query.search ? await searchFor(em, owner, query.search) : { where: owner, total: undefined }
    const means = { em, services }
    const { rows, pagination } = await listPage(means, CustomerRow, found.where, query, newestFirst, found.total)
    return { items: rows.map(presentListedCustomer), pagination }
  },
})
