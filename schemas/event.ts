import Type, { type TSchema } from 'typebox'
import type { EventType } from '../domain/webhook/event.ts'
import { Account, Capability } from './platform/account.ts'
import { CheckoutCompleted, CheckoutExpired } from './checkout/event.ts'
import { CollectionFailed, CollectionSucceeded, CollectionUnderpaid } from './checkout/collection-event.ts'
import { ConversionCompleted, ConversionFailed } from './balance/conversion-event.ts'
import { Customer } from './customer.ts'
import { Dispute } from './dispute/dispute.ts'
import { Invoice } from './subscription/invoice.ts'
import { PayoutCreated, PayoutFailed, PayoutPaid, PayoutReturned } from './payout/event.ts'
import { PlatformFee } from './transfer/platform-fee.ts'
import { Transfer } from './transfer/transfer.ts'
import { RefundCreated, RefundFailed, RefundPaid } from './refund/event.ts'
import { Subscription } from './subscription/subscription.ts'

/** A shape with the status of the event. */
const inStatus = <T extends TSchema, S extends string>(shape: T, status: S) =>
  Type.Intersect([shape, Type.Object({ status: Type.Literal(status) })])

/** The payload of every event type, also shown in OpenAPI under `webhooks`. */
export const eventPayloads = {
  'collection.succeeded': CollectionSucceeded,
  'collection.failed': CollectionFailed,
  'collection.underpaid': CollectionUnderpaid,
  'payout.created': PayoutCreated,
  'payout.paid': PayoutPaid,
  'payout.failed': PayoutFailed,
  'payout.returned': PayoutReturned,
  'refund.created': RefundCreated,
  'refund.paid': RefundPaid,
  'refund.failed': RefundFailed,
  'conversion.completed': ConversionCompleted,
  'conversion.failed': ConversionFailed,
  'checkout.completed': CheckoutCompleted,
  'checkout.expired': CheckoutExpired,
  'customer.created': Customer,
  'customer.updated': Customer,
  'customer.subscription.created': Subscription,
  'customer.subscription.updated': Subscription,
  'customer.subscription.renewed': Subscription,
  'customer.subscription.trial_will_end': inStatus(Subscription, 'trialing'),
  'customer.subscription.past_due': inStatus(Subscription, 'past_due'),
  'customer.subscription.paused': inStatus(Subscription, 'paused'),
  'customer.subscription.resumed': Subscription,
  'customer.subscription.canceled': inStatus(Subscription, 'canceled'),
  'dispute.created': Type.Intersect([Dispute, Type.Object({ status: Type.Enum(['early_warning', 'needs_response']) })]),
  'dispute.updated': Dispute,
  'dispute.evidence_due_soon': inStatus(Dispute, 'needs_response'),
  'dispute.won': inStatus(Dispute, 'won'),
  'dispute.lost': inStatus(Dispute, 'lost'),
  'invoice.paid': inStatus(Invoice, 'paid'),
  'invoice.payment_failed': Invoice,
  'transfer.created': inStatus(Transfer, 'succeeded'),
  'transfer.reversed': Transfer,
  'transfer.updated': Transfer,
  'platform_fee.created': inStatus(PlatformFee, 'succeeded'),
  'platform_fee.refunded': PlatformFee,
  'platform_fee.updated': PlatformFee,
  'account.updated': Account,
  'capability.updated': Capability,
} as const satisfies Record<EventType, TSchema>
