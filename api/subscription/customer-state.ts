import Type from 'typebox'
import { readAhead } from '../../commands/subscription/ahead.ts'
import { Customer as CustomerRow } from '../../db/customer/customer.ts'
import { SavedPaymentMethod as SavedRow } from '../../db/checkout/payment-method.ts'
import { Invoice as InvoiceRow } from '../../db/subscription/invoice.ts'
import { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import { presentSavedPaymentMethod, SavedPaymentMethod } from '../../schemas/checkout/payment-method.ts'
import { idParameter } from '../../schemas/common.ts'
import { Customer, presentCustomer } from '../../schemas/customer.ts'
import { Invoice } from '../../schemas/subscription/invoice.ts'
import { presentSubscription, Subscription } from '../../schemas/subscription/subscription.ts'
import { operation } from '../http/operation.ts'
import { presentInvoices } from './invoice.ts'

const CustomerState = Type.Object(
  {
    customer: Customer,
    subscriptions: Type.Array(Subscription),
    open_invoices: Type.Array(Invoice),
    payment_methods: Type.Array(SavedPaymentMethod),
  },
  { $id: 'CustomerState' },
)

/** The most rows of each kind; a customer with more is read by the lists. */
const rowsMax = 100
const newest = { orderBy: { createdAt: 'desc', id: 'desc' }, limit: rowsMax } as const

export const getCustomerState = operation({
  method: 'get',
  path: '/v1/customers/{customer_id}/state',
  summary: 'Read what a customer has: subscriptions, open invoices and cards',
  tag: 'Customers',
  auth: ['apiKey'],
  scope: 'customers:read',
  alsoNeeds: ['subscriptions:read', 'invoices:read'],
  params: Type.Object({ customer_id: idParameter('cust') }),
  returns: [200, CustomerState],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em, services }) {
    const customer = await em.findOne(CustomerRow, { id: params.customer_id, accountId, environment })
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    const of = { customerId: customer.id }
    const subscriptions = await em.find(SubscriptionRow, of, newest)
    const ahead = await readAhead(em, subscriptions)
    const open = await em.find(InvoiceRow, { ...of, status: 'open' }, newest)
    const methods = await em.find(SavedRow, { ...of, detachedAt: null }, newest)
    return {
      customer: presentCustomer(customer),
      subscriptions: subscriptions.map((row) => presentSubscription(row, customer, ahead(row))),
      open_invoices: await presentInvoices(em, open, services.config.publicUrl),
      payment_methods: methods.map(presentSavedPaymentMethod),
    }
  },
})
