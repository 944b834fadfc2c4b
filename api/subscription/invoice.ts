import Type from 'typebox'
import { readRow } from '../../db/core/prepared-statement.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Invoice as InvoiceRow } from '../../db/subscription/invoice.ts'
import { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import { invoiceStatuses } from '../../domain/subscription/invoice.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { PdfFile, readerQuery } from '../../schemas/file.ts'
import { Invoice, presentInvoice } from '../../schemas/subscription/invoice.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { askFor } from './ask.ts'
import { answerWithPdf } from './invoice-pdf.ts'

const onInvoice = {
  tag: 'Invoices',
  auth: ['apiKey'],
  params: Type.Object({ invoice_id: idParameter('inv') }),
} as const

/** The caller's own invoice. Another account's is refused like one that does not exist. */
export async function findInvoice(em: EntityManager, caller: Caller, id: string): Promise<InvoiceRow> {
  const { accountId, environment } = caller
  const row = await readRow(em, InvoiceRow, { id, accountId, environment })
  if (!row) throw new Refusal('NOT_FOUND', 'no such invoice')
  return row
}

/** Invoices as merchants see them, in their order. */
export async function presentInvoices(em: EntityManager, rows: InvoiceRow[], publicUrl: string) {
  const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId))]
  const found = await em.find(SubscriptionRow, { id: { $in: ids } })
  return rows.map((row) => {
    const own = found.find(({ id }) => id === row.subscriptionId)
    return presentInvoice(row, { nextPaymentAttemptAt: own?.nextPaymentAttemptAt ?? null }, publicUrl)
  })
}

const showInvoice = async (em: EntityManager, id: string, publicUrl: string) => {
  const fresh = em.fork()
  const row = await fresh.findOneOrFail(InvoiceRow, { id })
  return presentInvoice(row, await fresh.findOneOrFail(SubscriptionRow, { id: row.subscriptionId }), publicUrl)
}

export const getInvoice = operation({
  ...onInvoice,
  method: 'get',
  path: '/v1/invoices/{invoice_id}',
  summary: 'Read an invoice',
  scope: 'invoices:read',
  returns: [200, Invoice],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, services }) {
    const row = await findInvoice(em, caller, params.invoice_id)
    return showInvoice(em, row.id, services.config.publicUrl)
  },
})

export const getInvoicePdf = operation({
  ...onInvoice,
  method: 'get',
  path: '/v1/invoices/{invoice_id}/pdf',
  summary: 'Read an invoice as a PDF',
  scope: 'invoices:read',
  query: readerQuery,
  returns: [200, PdfFile],
  returnsFile: 'application/pdf',
  refuses: ['NOT_FOUND'],

  handle: async ({ params, query, caller, em }) =>
    answerWithPdf(em, await findInvoice(em, caller, params.invoice_id), query),
})

const ListInvoices = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...invoiceStatuses])),
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
  subscription_id: Type.Optional(Type.String({ maxLength: 64 })),
})

const listColumns = { status: 'status', customer_id: 'customerId', subscription_id: 'subscriptionId' } as const

export const listInvoices = operation({
  method: 'get',
  path: '/v1/invoices',
  summary: 'List invoices, newest first',
  tag: 'Invoices',
  auth: ['apiKey'],
  scope: 'invoices:read',
  query: ListInvoices,
  returns: [200, page(Invoice)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = whereMatching(caller, query, listColumns)
    const { rows, pagination } = await listPage({ em, services }, InvoiceRow, where, query)
    return { items: await presentInvoices(em, rows, services.config.publicUrl), pagination }
  },
})

export const voidInvoice = operation({
  ...onInvoice,
  method: 'post',
  path: '/v1/invoices/{invoice_id}/void',
  summary: 'Void an invoice: it is not to be paid any more',
  scope: 'invoices:write',
  mode: 'process',
  returns: [200, Invoice],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, callId, now, services }) {
    const invoice = await findInvoice(em, caller, params.invoice_id)
    const row = await em.findOneOrFail(SubscriptionRow, { id: invoice.subscriptionId })
    const what = { kind: 'voidInvoice' as const, invoice_id: invoice.id }
    await askFor(services, row, what, { id: callId, by: 'merchant', at: now })
    return showInvoice(em, invoice.id, services.config.publicUrl)
  },
})

export const retryInvoice = operation({
  ...onInvoice,
  method: 'post',
  path: '/v1/invoices/{invoice_id}/retry-payment',
  summary: 'Charge an open invoice now',
  scope: 'invoices:write',
  mode: 'process',
  returns: [200, Invoice],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, callId, now, isRepeat, services }) {
    const invoice = await findInvoice(em, caller, params.invoice_id)
    if (invoice.status !== 'open' && !isRepeat) throw new Refusal('CONFLICT', `the invoice is ${invoice.status}`)
    const row = await em.findOneOrFail(SubscriptionRow, { id: invoice.subscriptionId })
    const what = { kind: 'retryPayment' as const, invoice_id: invoice.id }
    await askFor(services, row, what, { id: callId, by: 'merchant', at: now })
    return showInvoice(em, invoice.id, services.config.publicUrl)
  },
})
