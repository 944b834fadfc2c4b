import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { Customer } from '../../db/customer/customer.ts'
import { SavedPaymentMethod as SavedRow } from '../../db/checkout/payment-method.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import {
  AttachPaymentMethod,
  PaymentMethods,
  presentPaymentMethods,
  presentSavedPaymentMethod,
  SavedPaymentMethod,
} from '../../schemas/checkout/payment-method.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'

export const listPaymentMethods = operation({
  method: 'get',
  path: '/v1/payment-methods',
  summary: 'List the payment methods, with their currencies',
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
    const customer = await em.findOne(Customer, { id: params.customer_id, ...owner })
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    const where = { ...owner, customerId: customer.id, detachedAt: null }
    const { rows, pagination } = await listPage({ em, services }, SavedRow, where, query)
    return { items: rows.map(presentSavedPaymentMethod), pagination }
  },
})

export const attachPaymentMethod = operation({
  method: 'post',
  path: '/v1/customers/{customer_id}/payment-methods',
  summary: 'Attach a saved card that has no customer yet to this customer',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:write',
  params: Type.Object({ customer_id: idParameter('cust') }),
  body: AttachPaymentMethod,
  returns: [200, SavedPaymentMethod],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller: { accountId, environment }, em }) {
    const owner = { accountId, environment }
    const customer = await em.findOne(Customer, { id: params.customer_id, ...owner })
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    const where = { id: body.payment_method_id, ...owner, detachedAt: null }
    const saved = await em.findOne(SavedRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!saved) throw new Refusal('NOT_FOUND', 'no such payment method')
    if (saved.customerId !== null && saved.customerId !== customer.id)
      throw new Refusal('CONFLICT', 'the payment method is another customer’s')
    saved.customerId = customer.id
    return presentSavedPaymentMethod(saved)
  },
})
