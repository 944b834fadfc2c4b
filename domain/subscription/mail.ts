import type { LatePaymentPolicy } from '../platform/account-settings.ts'
import { type InvoiceStatus, mayBePaid } from './invoice.ts'
import type { SubscriptionStatus } from './subscription.ts'

/** What customers are told by mail. `invoice`: an invoice that they pay themselves was opened. */
export const subscriptionMails = ['trial_ending', 'payment_failed', 'receipt', 'invoice', 'canceled'] as const
export type SubscriptionMailKind = (typeof subscriptionMails)[number]

/** What a mail is about. `invoice` is null where it is about none. */
export type Told = {
  subscription: { status: SubscriptionStatus }
  invoice: { status: InvoiceStatus } | null
  latePaymentPolicy: LatePaymentPolicy
}

/**
 * Whether what a mail says is over, as it may wait for its server for days: the trial that ends soon has ended, the
 * invoice that is to be paid takes no money any more, or late money has revived the subscription that had ended.
 */
export function isOutdated(kind: SubscriptionMailKind, { subscription, invoice, latePaymentPolicy }: Told): boolean {
  const { status } = subscription
  if (kind === 'trial_ending') return status !== 'trialing'
  if (kind === 'canceled') return status !== 'canceled'
  return kind !== 'receipt' && invoice !== null && !mayBePaid(invoice, subscription, latePaymentPolicy)
}
