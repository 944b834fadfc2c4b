import Type from 'typebox'
import { Customer } from '../db/customer.ts'
import { SavedPaymentMethod as SavedRow } from '../db/payment-method.ts'
import { readRow } from '../db/planned.ts'
import { Refusal } from '../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../schemas/common.ts'
import {
  PaymentMethods,
  presentPaymentMethods,
  presentSavedPaymentMethod,
  SavedPaymentMethod,
} from '../schemas/payment-method.ts'
import { operation } from './operation.ts'
import { listPage } from './pagination.ts'

export const listPaymentMethods = operation({
  method: 'get',
  path: '/v1/payment-methods',
  summary: 'List the ways to pay, with their currencies',
  tag: 'Payments',
  auth: ['none'],
  scope: null,
  returns: [200, PaymentMethods],
  refuses: [],

  handle: async () => presentPaymentMethods(),
})

export const listSavedPaymentMethods = operation({
  method: 'get',
  path: '/v1/customers/{customer_id}/payment-methods',
  summary: 'List the cards that a customer has saved, newest first',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:read',
  params: Type.Object({ customer_id: idParameter('cust') }),
  query: Type.Object(pageQuery),
  returns: [200, page(SavedPaymentMethod)],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller: { accountId, environment }, em, services }) {
    const owner = { accountId, environment }
    const customer = await readRow(em, Customer, { id: params.customer_id, ...owner })
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    const where = { ...owner, customerId: customer.id }
    const { rows, pagination } = await listPage({ em, services }, SavedRow, where, query)
    return { items: rows.map(presentSavedPaymentMethod), pagination }
  },
})
