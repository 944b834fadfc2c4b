import type { LatePaymentPolicy } from '../platform/account-settings.ts'
import { type InvoiceStatus, mayBePaid } from './invoice.ts'
import type { SubscriptionStatus } from './subscription.ts'

/** What customers are told by mail. `invoice`: an invoice that they pay themselves was opened. */
export const subscriptionMails = ['trial_ending', 'payment_failed', 'receipt', 'invoice', 'canceled'] as const
export type SubscriptionMailKind = (typeof subscriptionMails)[number]

/** What a mail is about. `invoice` is null where it is about none. */
export type Told = {
  subscription: { status: SubscriptionStatus; trialEnd: Date | null }
  invoice: { status: InvoiceStatus } | null
  latePaymentPolicy: LatePaymentPolicy
}

/**
 * Whether what a mail says is over at a moment, as it may wait for its server for days: the trial that ends soon has
 * ended, the invoice that is to be paid takes no money any more, or late money has revived the subscription that had
 * ended. A trial that is paused may still go on, and its end is then not announced anew.
 */
export function isOutdated(
  kind: SubscriptionMailKind,
  { subscription, invoice, latePaymentPolicy }: Told,
  at: number,
): boolean {
  const { status, trialEnd } = subscription
  const mayGoOn = status === 'paused' && trialEnd !== null && trialEnd.getTime() > at
  if (kind === 'trial_ending') return status !== 'trialing' && !mayGoOn
  if (kind === 'canceled') return status !== 'canceled'
  return kind !== 'receipt' && invoice !== null && !mayBePaid(invoice, subscription, latePaymentPolicy)
}
