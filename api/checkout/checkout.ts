import Type, { type Static } from 'typebox'
import { Checkout as CheckoutRow } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { maySaveCard, readSavedBy, SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { checkoutStatuses, checkoutPaymentStatuses } from '../../domain/checkout/checkout.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Checkout, presentCheckout } from '../../schemas/checkout/checkout.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'

const CheckoutId = Type.Object({ checkout_id: idParameter('chk') })

/** The caller's own session. Another account's session is refused like one that does not exist. */
export async function findCheckout(em: EntityManager, caller: Caller, id: string): Promise<CheckoutRow> {
  const { accountId, environment } = caller
  const checkout = await readRow(em, CheckoutRow, { id, accountId, environment })
  if (!checkout) throw new Refusal('NOT_FOUND', 'no such checkout session')
  return checkout
}

/** A session as merchants see it, with its newest attempt. */
export async function showCheckout(em: EntityManager, checkout: CheckoutRow): Promise<Static<typeof Checkout>> {
  const payment = checkout.paymentId ? await readRow(em, Payment, { id: checkout.paymentId }) : null
  const saved = await readSavedBy(em, checkout)
  return presentCheckout(checkout, payment, saved?.id)
}

/** The ids of the cards that these sessions have saved, by session id. */
async function savedBy(em: EntityManager, rows: readonly CheckoutRow[]): Promise<Map<string, string>> {
  const ids = rows.filter(maySaveCard).map(({ id }) => id)
  const saved = ids.length > 0 ? await em.find(SavedPaymentMethod, { checkoutId: { $in: ids } }) : []
  return new Map(saved.map(({ id, checkoutId }) => [checkoutId, id]))
}

export const getCheckout = operation({
  method: 'get',
  path: '/v1/checkout-sessions/{checkout_id}',
  summary: 'Read a checkout session',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:read',
  params: CheckoutId,
  returns: [200, Checkout],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, services }) {
    const { em } = services.database.orm // prepared statements need no `em` of their own
    return showCheckout(em, await findCheckout(em, caller, params.checkout_id))
  },
})

const ListCheckouts = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...checkoutStatuses])),
  payment_status: Type.Optional(Type.Enum([...checkoutPaymentStatuses])),
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
  reference: Type.Optional(Type.String({ maxLength: 128 })),
  payment_link_id: Type.Optional(Type.String({ maxLength: 64 })),
})

const listColumns = {
  status: 'status',
  payment_status: 'paymentStatus',
  customer_id: 'customerId',
  reference: 'reference',
  payment_link_id: 'paymentLinkId',
} as const

export const listCheckouts = operation({
  method: 'get',
  path: '/v1/checkout-sessions',
  summary: 'List checkout sessions, newest first',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:read',
  query: ListCheckouts,
  returns: [200, page(Checkout)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = whereMatching(caller, query, listColumns)
    const { rows, pagination } = await listPage({ em, services }, CheckoutRow, where, query)
    const payments = await em.find(Payment, { id: { $in: rows.flatMap((row) => row.paymentId ?? []) } })
    const saved = await savedBy(em, rows)
    const paymentOf = ({ paymentId }: CheckoutRow) => payments.find(({ id }) => id === paymentId) ?? null
    const items = rows.map((row) => presentCheckout(row, paymentOf(row), saved.get(row.id)))
    return { items, pagination }
  },
})
