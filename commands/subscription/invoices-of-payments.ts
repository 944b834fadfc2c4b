import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import type { InvoiceOfPayment } from '../../schemas/checkout/payment.ts'
import { invoicePageUrl } from '../../schemas/subscription/invoice.ts'

/** Finds the invoices of payments by one query. The result says which invoice is whose; null: a payment has none. */
export async function findInvoicesOf(
  em: EntityManager,
  payments: readonly Payment[],
  publicUrl: string,
): Promise<(payment: Payment) => InvoiceOfPayment> {
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
