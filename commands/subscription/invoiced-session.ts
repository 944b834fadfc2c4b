import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
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
 * Refuses to begin a payment of an invoice that was paid in another way, or is void, or whose money would go back
 * because its subscription has ended. Nothing has been paid then.
 */
export async function assertInvoicePayable(em: EntityManager, { invoiceId }: Checkout): Promise<void> {
  if (!invoiceId) return
  const invoice = await em.findOneOrFail(Invoice, { id: invoiceId })
  const subscription = await em.findOneOrFail(Subscription, { id: invoice.subscriptionId })
  const { latePaymentPolicy } = await readSettings(em, invoice)
  if (mayBePaid(invoice, subscription, latePaymentPolicy)) return
  throw new Refusal('CONFLICT', `the invoice is ${invoice.status}, and can no longer be paid`)
}
