import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { conflict } from '../../domain/refusal.ts'
import { mayBePaid } from '../../domain/subscription/invoice.ts'

/** What the payment of a session pays for: an invoice, the begin of a subscription, or a sale. */
export async function paysFor(
  em: EntityManager,
  { invoiceId = null, subscriptionId = null, recurring }: Checkout,
): Promise<{ invoiceId: string | null; subscriptionId: string | null; billingReason: string }> {
  const invoice = invoiceId ? await em.findOneOrFail(Invoice, { id: invoiceId }) : null
  const billingReason = invoice?.billingReason ?? (recurring ? 'subscription_create' : 'purchase')
  return { invoiceId, subscriptionId, billingReason }
}

/**
 * Refuses to go on with a session whose invoice was paid in another way, or is void, or whose money would go back
 * because its subscription has ended.
 */
export async function assertInvoicePayable(em: EntityManager, session: Checkout): Promise<void> {
  const refusing = await refusingInvoice(em, session)
  if (refusing) throw conflict('invoice_not_payable', `the invoice is ${refusing.status}, and can no longer be paid`)
}

/** The invoice of a session if it takes no money any more; null if it does, and for a session that pays none. */
export async function refusingInvoice(em: EntityManager, { invoiceId }: Checkout): Promise<Readonly<Invoice> | null> {
  if (!invoiceId) return null
  const invoice = await em.findOneOrFail(Invoice, { id: invoiceId })
  const subscription = await em.findOneOrFail(Subscription, { id: invoice.subscriptionId })
  const { latePaymentPolicy } = await readSettings(em, invoice)
  return mayBePaid(invoice, subscription, latePaymentPolicy) ? null : invoice
}
