import type { Static } from 'typebox'
import type { EventType } from '../domain/webhook/event.ts'
import { type IdPrefix, newId } from '../domain/id.ts'
import { sampleAccount, sampleCapability } from './platform/account.ts'
import { sampleCheckoutCompleted, sampleCheckoutExpired } from './checkout/event.ts'
import {
  sampleCollectionFailed,
  sampleCollectionSucceeded,
  sampleCollectionUnderpaid,
} from './checkout/collection-event.ts'
import { sampleConversionCompleted, sampleConversionFailed } from './balance/conversion-event.ts'
import { sampleCustomer } from './customer.ts'
import { sampleDispute, sampleEndedDispute, sampleSubmittedDispute } from './dispute/dispute.ts'
import type { eventPayloads } from './event.ts'
import { samplePaidInvoice, sampleUnpaidInvoice } from './subscription/invoice.ts'
import { samplePayoutCreated, samplePayoutFailed, samplePayoutPaid, samplePayoutReturned } from './payout/event.ts'
import { samplePlatformFee } from './transfer/platform-fee.ts'
import { sampleTransfer } from './transfer/transfer.ts'
import { sampleRefundCreated, sampleRefundFailed, sampleRefundPaid } from './refund/event.ts'
import {
  sampleCanceled,
  samplePastDue,
  samplePaused,
  sampleSubscription,
  sampleTrial,
} from './subscription/subscription.ts'

/** Makes the payload of a resource with this id, for an event at `at` (ms since the epoch). */
type Sample<T extends EventType> = (resourceId: string, at: number) => Static<(typeof eventPayloads)[T]>

const samples: { [T in EventType]: [prefix: IdPrefix, make: Sample<T>] } = {
  'collection.succeeded': ['pay', sampleCollectionSucceeded],
  'collection.failed': ['pay', sampleCollectionFailed],
  'collection.underpaid': ['pay', sampleCollectionUnderpaid],
  'payout.created': ['pay', samplePayoutCreated],
  'payout.paid': ['pay', samplePayoutPaid],
  'payout.failed': ['pay', samplePayoutFailed],
  'payout.returned': ['pay', samplePayoutReturned],
  'refund.created': ['ref', sampleRefundCreated],
  'refund.paid': ['ref', sampleRefundPaid],
  'refund.failed': ['ref', sampleRefundFailed],
  'conversion.completed': ['cnv', sampleConversionCompleted],
  'conversion.failed': ['cnv', sampleConversionFailed],
  'checkout.completed': ['chk', sampleCheckoutCompleted],
  'checkout.expired': ['chk', sampleCheckoutExpired],
  'customer.created': ['cust', sampleCustomer],
  'customer.updated': ['cust', sampleCustomer],
  'customer.subscription.created': ['sub', (id, at) => sampleSubscription(id, at)],
  'customer.subscription.updated': ['sub', (id, at) => ({ ...sampleSubscription(id, at, 9), metadata: { seat: '4' } })],
  'customer.subscription.renewed': ['sub', (id, at) => sampleSubscription(id, at)],
  'customer.subscription.trial_will_end': ['sub', sampleTrial],
  'customer.subscription.past_due': ['sub', samplePastDue],
  'customer.subscription.paused': ['sub', samplePaused],
  'customer.subscription.resumed': ['sub', (id, at) => sampleSubscription(id, at)],
  'customer.subscription.canceled': ['sub', sampleCanceled],
  'dispute.created': ['dsp', (id, at) => sampleDispute(id, at)],
  'dispute.updated': ['dsp', sampleSubmittedDispute],
  'dispute.evidence_due_soon': ['dsp', (id, at) => sampleDispute(id, at, 12)],
  'dispute.won': ['dsp', (id, at) => sampleEndedDispute(id, at, 'won')],
  'dispute.lost': ['dsp', (id, at) => sampleEndedDispute(id, at, 'lost')],
  'invoice.paid': ['inv', samplePaidInvoice],
  'invoice.payment_failed': ['inv', sampleUnpaidInvoice],
  'transfer.created': ['tr', (id, at) => ({ ...sampleTransfer(id, at), status: 'succeeded' })],
  'transfer.reversed': ['tr', (id, at) => sampleTransfer(id, at, '35.00')],
  'transfer.updated': ['tr', (id, at) => sampleTransfer(id, at)],
  'platform_fee.created': ['pf', (id, at) => ({ ...samplePlatformFee(id, at), status: 'succeeded' })],
  'platform_fee.refunded': ['pf', (id, at) => samplePlatformFee(id, at, '35.00')],
  'platform_fee.updated': ['pf', (id, at) => samplePlatformFee(id, at)],
  'account.updated': ['acct', sampleAccount],
  'capability.updated': ['acct', sampleCapability],
}

/** A sample payload of an event type. Its ids are new, so they belong to no existing resource. */
export function sampleEvent(type: EventType, at: number): { resourceId: string; data: Record<string, unknown> } {
  const [prefix, make] = samples[type]
  const resourceId = newId(prefix, at)
  return { resourceId, data: make(resourceId, at) }
}
