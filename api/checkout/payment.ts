import Type, { type Static } from 'typebox'
import { findInvoicesOf } from '../../commands/subscription/invoices-of-payments.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Payment as PaymentRow } from '../../db/checkout/payment.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { corridorKeys } from '../../domain/corridor.ts'
import { paymentStatuses } from '../../domain/checkout/payment.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { ListedPayment, Payment, presentListedPayment, presentPayment } from '../../schemas/checkout/payment.ts'
import { updateCheckout } from './process.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'

/** The caller's payment. That of another account or environment is refused like one that does not exist. */
export async function findPayment(
  em: EntityManager,
  { accountId, environment }: Tenant,
  id: string,
): Promise<PaymentRow> {
  const row = await readRow(em, PaymentRow, { id, accountId, environment })
  if (!row) throw new Refusal('NOT_FOUND', 'no such payment')
  return row
}

/** A payment as merchants see it, with its invoice. */
export async function showPayment(
  em: EntityManager,
  row: PaymentRow,
  { config }: Services,
): Promise<Static<typeof Payment>> {
  const invoiceOf = await findInvoicesOf(em, [row], config.publicUrl)
  return presentPayment(row, invoiceOf(row))
}

export const getPayment = operation({
  method: 'get',
  path: '/v1/payments/{payment_id}',
  summary: 'Read a payment, with the payer’s details',
  tag: 'Payments',
  auth: ['apiKey'],
  scope: 'payments:read',
  params: Type.Object({ payment_id: idParameter('pay') }),
  returns: [200, Payment],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, services }) {
    return showPayment(em, await findPayment(em, caller, params.payment_id), services)
  },
})

export const acceptPayment = operation({
  method: 'post',
  path: '/v1/payments/{payment_id}/accept',
  summary: 'Accept the amount that has arrived of a short payment',
  tag: 'Payments',
  auth: ['apiKey'],
  scope: 'payments:write',
  mode: 'process',
  params: Type.Object({ payment_id: idParameter('pay') }),
  returns: [200, Payment],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, callId, services }) {
    const payment = await findPayment(em, caller, params.payment_id)
    const session = payment.checkoutId ? await em.findOne(Checkout, { id: payment.checkoutId }) : null
    if (!session) throw new Refusal('CONFLICT', 'nothing of this payment waits to be accepted')
    await updateCheckout(services, session, 'accept', [payment.id], callId)
    const fresh = em.fork()
    return showPayment(fresh, await fresh.findOneOrFail(PaymentRow, { id: payment.id }), services)
  },
})

const ListPayments = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...paymentStatuses])),
  payment_method: Type.Optional(Type.Enum(corridorKeys)),
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
  checkout_id: Type.Optional(Type.String({ maxLength: 64 })),
  subscription_id: Type.Optional(Type.String({ maxLength: 64 })),
  reference: Type.Optional(Type.String({ maxLength: 128 })),
})

const listColumns = {
  status: 'status',
  payment_method: 'corridor',
  customer_id: 'customerId',
  checkout_id: 'checkoutId',
  subscription_id: 'subscriptionId',
  reference: 'reference',
} as const

export const listPayments = operation({
  method: 'get',
  path: '/v1/payments',
  summary: 'List payments, newest first',
  tag: 'Payments',
  auth: ['apiKey'],
  scope: 'payments:read',
  query: ListPayments,
  returns: [200, page(ListedPayment)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = whereMatching(caller, query, listColumns)
    const { rows, pagination } = await listPage({ em, services }, PaymentRow, where, query)
    const invoiceOf = await findInvoicesOf(em, rows, services.config.publicUrl)
    return { items: rows.map((row) => presentListedPayment(row, invoiceOf(row))), pagination }
  },
})
