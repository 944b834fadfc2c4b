import type { InvoiceStatus } from './invoice.ts'
import type { SubscriptionStatus } from './subscription.ts'

/** What customers are told by mail. `invoice`: an invoice that they pay themselves was opened. */
export const subscriptionMails = ['trial_ending', 'payment_failed', 'receipt', 'invoice', 'canceled'] as const
export type SubscriptionMailKind = (typeof subscriptionMails)[number]

/**
 * Whether what a mail says is over, as it may wait for its server for days: the trial that ends soon has ended, the
 * invoice that is to be paid is paid or void, or late money has revived the subscription that had ended. `invoice` is
 * the status of the invoice that the mail is about; null where it is about none.
 */
export function isOutdated(
  kind: SubscriptionMailKind,
  status: SubscriptionStatus,
  invoice: InvoiceStatus | null,
): boolean {
  if (kind === 'trial_ending') return status !== 'trialing'
  if (kind === 'canceled') return status !== 'canceled'
  return kind !== 'receipt' && (invoice === 'paid' || invoice === 'void')
}
