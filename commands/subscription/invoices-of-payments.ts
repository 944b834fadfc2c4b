import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import type { InvoiceStatus } from '../../domain/subscription/invoice.ts'
import { invoicePageUrl } from '../../schemas/subscription/invoice.ts'

/** The invoice that a payment pays, as the payment shows it. */
export type PaidInvoice = {
  invoice_id: string
  number: string | null
  status: InvoiceStatus
  hosted_invoice_url: string | null
}

/** Finds the invoices of payments by one query. The result says which invoice is whose; null: a payment has none. */
export async function findInvoicesOf(
  em: EntityManager,
  payments: readonly Payment[],
  publicUrl: string,
): Promise<(payment: Payment) => PaidInvoice | null> {
  const ids = [...new Set(payments.flatMap(({ invoiceId }) => invoiceId ?? []))]
  const found = ids.length > 0 ? await em.find(Invoice, { id: { $in: ids } }) : []
  const shown = new Map(
    found.map(({ id, number, status, pageKey }) => [
      id,
      {
        invoice_id: id,
        number,
        status,
        hosted_invoice_url: status === 'draft' ? null : invoicePageUrl({ pageKey }, publicUrl),
      },
    ]),
  )
  return ({ invoiceId }) => shown.get(invoiceId ?? '') ?? null
}
