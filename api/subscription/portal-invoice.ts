import Type from 'typebox'
import { readRow } from '../../db/core/prepared-statement.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Invoice as InvoiceRow } from '../../db/subscription/invoice.ts'
import { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { PortalInvoice, presentPortalInvoice } from '../../schemas/subscription/portal.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { onPortal, ownOf, portalPath } from './portal.ts'

/** Invoices as their customer sees them, in their order. */
async function presentOwn(em: EntityManager, rows: readonly InvoiceRow[], publicUrl: string) {
  const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId))]
  const found = await em.find(SubscriptionRow, { id: { $in: ids } })
  return rows.map((row) => {
    const nextPaymentAttemptAt = found.find(({ id }) => id === row.subscriptionId)?.nextPaymentAttemptAt ?? null
    return presentPortalInvoice(row, { nextPaymentAttemptAt }, publicUrl)
  })
}

const ListOwn = Type.Object({ ...pageQuery, subscription_id: Type.Optional(Type.String({ maxLength: 64 })) })

export const listPortalInvoices = operation({
  ...onPortal,
  method: 'get',
  path: `${portalPath}/invoices`,
  summary: 'List the customer’s invoices, newest first',
  query: ListOwn,
  returns: [200, page(PortalInvoice)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const { subscription_id: subscriptionId } = query
    const where = { ...ownOf(caller), ...(subscriptionId !== undefined && { subscriptionId }) }
    const { rows, pagination } = await listPage({ em, services }, InvoiceRow, where, query)
    return { items: await presentOwn(em, rows, services.config.publicUrl), pagination }
  },
})

export const getPortalInvoice = operation({
  ...onPortal,
  method: 'get',
  path: `${portalPath}/invoices/{invoice_id}`,
  summary: 'Read an invoice of the customer',
  params: Type.Object({ invoice_id: idParameter('inv') }),
  returns: [200, PortalInvoice],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, services }) {
    const row = await readRow(em, InvoiceRow, { id: params.invoice_id, ...ownOf(caller) })
    const [shown] = row ? await presentOwn(em, [row], services.config.publicUrl) : []
    if (!shown) throw new Refusal('NOT_FOUND', 'no such invoice')
    return shown
  },
})
