/** What customers are told by mail. `invoice`: an invoice that they pay themselves was opened. */
export const subscriptionMails = ['trial_ending', 'payment_failed', 'receipt', 'invoice', 'canceled'] as const
export type SubscriptionMailKind = (typeof subscriptionMails)[number]
