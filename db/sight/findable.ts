import type { EntityName } from '@mikro-orm/core'
import type { IdPrefix } from '../../domain/id.ts'
import type { FoundKind } from '../../domain/sight/found.ts'
import { ApiKey } from '../access/api-key.ts'
import { TeamInvitation } from '../access/team.ts'
import { User } from '../access/user.ts'
import { ConversionQuote } from '../balance/conversion-quote.ts'
import { Conversion } from '../balance/conversion.ts'
import { BalanceTransaction } from '../balance/transaction.ts'
import { Document } from '../catalogue/document.ts'
import { ProductGroup } from '../catalogue/product-group.ts'
import { Product } from '../catalogue/product.ts'
import { Upload } from '../catalogue/upload.ts'
import { Checkout } from '../checkout/checkout.ts'
import { PaymentLink } from '../checkout/payment-link.ts'
import { SavedPaymentMethod } from '../checkout/payment-method.ts'
import { Payment } from '../checkout/payment.ts'
import { Account } from '../core/account.ts'
import { OperatorAction } from '../core/operator-action.ts'
import { TestClock } from '../core/test-clock.ts'
import { Customer } from '../customer/customer.ts'
import { Dispute } from '../dispute/dispute.ts'
import { PayoutDestination } from '../payout/destination.ts'
import { Payout } from '../payout/payout.ts'
import { Review } from '../review/review.ts'
import { PayoutSchedule } from '../payout/schedule.ts'
import { AccountPerson } from '../platform/account-person.ts'
import { VirtualAccount } from '../platform/virtual-account.ts'
import { Refund } from '../refund/refund.ts'
import { Invoice } from '../subscription/invoice.ts'
import { Subscription } from '../subscription/subscription.ts'
import { Transfer, TransferReversal } from '../transfer/transfer.ts'
import { Delivery, WebhookEndpoint, WebhookRecovery } from '../webhook/endpoint.ts'
import { Event } from '../webhook/event.ts'

type Row<T> = T extends { prototype: infer R } ? R : never

/** A kind of resource that staff can find by an id. Only the columns that are named here are shown of it. */
export type Findable = {
  resource: FoundKind
  /** Null for a schedule of payouts, whose id is not a random one. */
  prefix: IdPrefix | null
  entity: EntityName<{ id: string }>
  status: string | null
  /** The columns of its amount and its currency. */
  sum: [amount: string, currency: string] | null
  /** Columns that tell what it is: no names, no addresses, no secrets. */
  facts: readonly string[]
  /** Columns that name other resources, by their ids. */
  related: readonly string[]
}

type Shown<T> = {
  status?: keyof Row<T> & string
  sum?: [keyof Row<T> & string, keyof Row<T> & string]
  facts?: (keyof Row<T> & string)[]
  related?: (keyof Row<T> & string)[]
}

const of = <T extends EntityName<{ id: string }>>(
  resource: FoundKind,
  prefix: IdPrefix | null,
  entity: T,
  { status, sum, facts = [], related = [] }: Shown<T>,
): Findable => ({ resource, prefix, entity, status: status ?? null, sum: sum ?? null, facts, related })

const transferColumns: Shown<typeof Transfer> = {
  sum: ['amount', 'currency'],
  facts: ['availableAt'],
  related: ['fromAccountId', 'toAccountId', 'paymentId'],
}
const reversalColumns: Shown<typeof TransferReversal> = { related: ['transferId', 'refundId', 'disputeId'] }

/** Whatever staff can find by its id. Payments and payouts share a prefix, and never an id. */
export const findables: readonly Findable[] = [
  of('account', 'acct', Account, { facts: ['paymentsEnabled'], related: ['ownerId'] }),
  of('checkout_session', 'chk', Checkout, {
    status: 'status',
    sum: ['amount', 'currency'],
    facts: ['paymentStatus', 'expiresAt', 'attempts', 'lastFailureCode', 'reference'],
    related: ['paymentId', 'customerId', 'subscriptionId', 'invoiceId', 'paymentLinkId'],
  }),
  of('payment', 'pay', Payment, {
    status: 'status',
    sum: ['amount', 'currency'],
    facts: ['corridor', 'billingReason', 'failureCode', 'reference', 'completedAt'],
    related: ['checkoutId', 'customerId', 'subscriptionId', 'invoiceId'],
  }),
  of('payout', 'pay', Payout, {
    status: 'status',
    sum: ['amount', 'currency'],
    facts: ['reference', 'holdReason', 'failureReason', 'traceId'],
    related: ['destinationId', 'scheduleId', 'quoteId'],
  }),
  of('refund', 'ref', Refund, {
    status: 'status',
    sum: ['requestedAmount', 'currency'],
    facts: ['reference', 'reason', 'feeBearer', 'completedAt'],
    related: ['chargeId'],
  }),
  of('conversion', 'cnv', Conversion, {
    status: 'status',
    sum: ['fromAmount', 'fromCurrency'],
    facts: ['toCurrency', 'reference', 'failureReason'],
    related: ['quoteId'],
  }),
  of('dispute', 'dsp', Dispute, {
    status: 'status',
    sum: ['amount', 'currency'],
    facts: ['reason', 'networkId', 'evidenceDueAt', 'resolution'],
    related: ['paymentId', 'customerId'],
  }),
  of('payout_destination', 'pd', PayoutDestination, { status: 'status', facts: ['type', 'currency', 'statusReason'] }),
  of('payout_schedule', null, PayoutSchedule, {
    facts: ['currency', 'interval', 'nextRunAt', 'lastRunAt', 'disabledReason'],
    related: ['lastWithdrawalId'],
  }),
  of('webhook_delivery', 'dlv', Delivery, {
    status: 'status',
    facts: ['eventType', 'trigger', 'attemptCount', 'nextAttemptAt'],
    related: ['eventId', 'endpointId'],
  }),
  of('webhook_endpoint', 'we', WebhookEndpoint, {
    facts: ['enabled', 'disabledReason', 'failingSince', 'accountScope'],
  }),
  of('webhook_recovery', 'rcv', WebhookRecovery, { facts: ['sentCount'], related: ['endpointId'] }),
  of('event', 'evt', Event, { facts: ['type', 'isTest'], related: ['resourceId'] }),
  of('subscription', 'sub', Subscription, {
    status: 'status',
    sum: ['amount', 'currency'],
    facts: ['interval', 'intervalCount', 'collection', 'wakesAt'],
    related: ['customerId', 'latestInvoiceId', 'paymentId', 'paymentMethodId', 'checkoutId'],
  }),
  of('invoice', 'inv', Invoice, {
    status: 'status',
    facts: ['number', 'billingReason', 'attemptCount'],
    related: ['subscriptionId', 'customerId', 'paymentId'],
  }),
  of('transfer', 'tr', Transfer, transferColumns),
  of('platform_fee', 'pf', Transfer, transferColumns),
  of('transfer_reversal', 'trr', TransferReversal, reversalColumns),
  of('platform_fee_refund', 'pfr', TransferReversal, reversalColumns),
  of('balance_transaction', 'txn', BalanceTransaction, {
    sum: ['amount', 'currency'],
    facts: ['type'],
    related: ['sourceId'],
  }),
  of('conversion_quote', 'quo', ConversionQuote, { facts: ['expiresAt'] }),
  of('customer', 'cust', Customer, {}),
  of('saved_payment_method', 'pm', SavedPaymentMethod, {
    facts: ['brand', 'country'],
    related: ['customerId', 'checkoutId'],
  }),
  of('virtual_account', 'va', VirtualAccount, { status: 'status', facts: ['currency'], related: ['customerId'] }),
  of('payment_link', 'pl', PaymentLink, {
    facts: ['active', 'completedCount', 'maxCompletions'],
    related: ['productGroupId'],
  }),
  of('product', 'prod', Product, { facts: ['active', 'priceType', 'recurringInterval'] }),
  of('product_group', 'pg', ProductGroup, { facts: ['active'] }),
  of('upload', 'upl', Upload, { facts: ['contentType', 'size'] }),
  of('document', 'doc', Document, { facts: ['slot'], related: ['subjectId', 'uploadId'] }),
  of('person_of_account', 'psn', AccountPerson, { facts: ['isRepresentative', 'isOwner', 'isDirector'] }),
  of('user', 'usr', User, { facts: ['role', 'method', 'emailVerified'] }),
  of('team_invitation', 'ti', TeamInvitation, {
    status: 'status',
    facts: ['role', 'expiresAt'],
    related: ['invitedBy'],
  }),
  of('api_key', 'key', ApiKey, { facts: ['isActive', 'rateTier', 'lastFour'] }),
  of('test_clock', 'clk', TestClock, { facts: ['frozenTime'] }),
  of('review', 'rvw', Review, { status: 'state', facts: ['type', 'reason'], related: ['resourceId'] }),
  of('operator_action', 'opa', OperatorAction, {
    status: 'state',
    facts: ['action', 'reason'],
    related: ['resourceId'],
  }),
]
