/**
 * Every event type, with what it reports (docs/contract/webhook.md, "Events"). Payloads, OpenAPI and the docs are
 * checked against this list.
 */
export const eventMeanings = {
  'collection.succeeded': 'a payment has arrived in full, or you have accepted a smaller amount',
  'collection.failed': 'an attempt failed; `failure_code` says why',
  'collection.underpaid': 'less than the amount due has arrived',
  'payout.created': 'a payout was accepted, and its amount and fee are reserved',
  'payout.paid': 'a payout has arrived',
  'payout.failed': 'a payout was rejected or could not be delivered; amount and fee are back in the balance',
  'payout.returned': 'a bank has sent a payout back after it had arrived; the amount is credited',
  'refund.created': 'a refund was accepted and its amount reserved',
  'refund.paid': 'the rail has sent the money back',
  'refund.failed':
    'a refund could not be delivered, or its money has come back after `refund.paid`; you have the amount again',
  'conversion.completed': 'a conversion was executed; the bought amount is in the balance',
  'conversion.failed': 'a conversion could not be executed; the reserved amount is back in the balance',
  'checkout.completed': 'a session is completed; `payment_status` is `paid` or `no_payment_required`',
  'checkout.expired': 'an open session has expired',
  'customer.created': 'a customer record was made',
  'customer.updated': 'a customer record was changed',
  'customer.subscription.created': 'a checkout has begun a subscription',
  'customer.subscription.updated': 'a subscription was changed',
  'customer.subscription.renewed': 'a new period has begun',
  'customer.subscription.trial_will_end': 'a trial ends in 3 days, or sooner where less is left of it',
  'customer.subscription.past_due': 'a period could not be paid',
  'customer.subscription.paused': 'a subscription is paused',
  'customer.subscription.resumed': 'a paused subscription has resumed',
  'customer.subscription.canceled': 'a subscription has ended',
  'dispute.created': 'a payer has disputed a payment, or a network has announced that (`early_warning`)',
  'dispute.updated': 'a dispute or its evidence was changed',
  'dispute.evidence_due_soon': '48 hours are left to respond to a dispute',
  'dispute.won': 'a dispute was won and its amount returned',
  'dispute.lost': 'a dispute was lost, accepted or not answered in time',
  'invoice.paid': 'an invoice was paid',
  'invoice.payment_failed': 'an invoice could not be charged',
  'transfer.created': 'money was transferred to another account, by a call or by a sale',
  'transfer.reversed': 'a transfer, or a part of it, has gone back',
  'transfer.updated': 'a reversal was undone, because its refund has failed or its dispute was won',
  'platform_fee.created': 'a sale of a connected account has paid the platform a fee',
  'platform_fee.refunded': 'a platform fee, or a part of it, was refunded',
  'platform_fee.updated':
    'the refund of a platform fee was undone, because the refund of the sale has failed or its dispute was won',
  'account.updated': 'a connected account or its requirements were changed',
  'capability.updated': 'a capability of a connected account was changed',
} as const
export type EventType = keyof typeof eventMeanings
export const eventTypes = Object.keys(eventMeanings) as EventType[]

/** The fixed id of test events (docs/contract/webhook.md, "Test event"). */
export const testEventId = 'evt_test_webhook' as const
