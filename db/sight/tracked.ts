import type { EntityClass } from '@mikro-orm/core'
import { lossCodeOf } from '../../domain/payout/payout.ts'
import type { Actor } from '../../domain/sight/timeline.ts'
import { Conversion } from '../balance/conversion.ts'
import { Checkout } from '../checkout/checkout.ts'
import { Payment } from '../checkout/payment.ts'
import { PayoutDestination } from '../payout/destination.ts'
import { AccountProfile } from '../platform/account-profile.ts'
import { Dispute } from '../dispute/dispute.ts'
import { Payout } from '../payout/payout.ts'
import { Refund } from '../refund/refund.ts'
import { Invoice } from '../subscription/invoice.ts'
import { Subscription } from '../subscription/subscription.ts'

/** A resource whose changes of status are noted in its timeline. */
export type Tracked<T = never> = {
  entity: EntityClass<T>
  table: string
  /** The status with which it begins. */
  initial: string
  /** The same as an SQL expression, where rows of this kind begin with different ones. */
  initialSql?: string
  /** The statuses after which nothing is awaited. */
  ends: readonly string[]
  /**
   * The status as the timeline shows it. It includes ends that are a column of their own, such as the return of a
   * payout.
   */
  statusOf: (row: T) => string
  /** The same as an SQL expression. */
  statusSql: string
  /** Why it has failed, as a code; null where it has not. */
  errorOf: (row: T) => string | null
  /**
   * Who has made it, where its row says so and its creation is not stored: a sale writes no more rows than it must.
   * Null where the creation is stored as a change like the others.
   */
  creatorOf: ((row: T) => Actor) | null
}

/** One of all kinds: its functions are only given rows of its own entity, which a list of kinds cannot say. */
const track = <T>(tracked: Tracked<T>): Tracked => tracked as unknown as Tracked

const failed = (code: string) => (row: { status: string }) => (row.status === 'failed' ? code : null)

/** Every resource with a timeline, except webhook deliveries, whose attempts are their timeline. */
export const trackedResources: readonly Tracked[] = [
  track<Checkout>({
    entity: Checkout,
    table: 'checkouts',
    initial: 'open',
    ends: ['completed', 'expired', 'cancelled'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: () => null,
    // A visit to a payment link, to the page of an invoice or to the portal opens a session for its visitor.
    creatorOf: ({ sourceType }) => (sourceType === 'CHECKOUT_SESSION' ? 'merchant' : 'buyer'),
  }),
  track<Payment>({
    entity: Payment,
    table: 'payments',
    initial: 'processing',
    ends: ['succeeded', 'failed', 'canceled'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: ({ status, failureCode }) => (status === 'failed' ? failureCode : null),
    creatorOf: ({ checkoutId, subscriptionId }) => {
      // A renewal is charged without its buyer; a deposit is known only once its bank tells of it.
      if (checkoutId === null) return subscriptionId ? 'system' : 'rail'
      return 'buyer'
    },
  }),
  track<Refund>({
    entity: Refund,
    table: 'refunds',
    initial: 'pending',
    ends: ['succeeded', 'failed'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: failed('rail_failed'),
    creatorOf: null,
  }),
  track<Conversion>({
    entity: Conversion,
    table: 'conversions',
    initial: 'pending',
    ends: ['completed', 'failed'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: failed('rail_failed'),
    creatorOf: null,
  }),
  track<Payout>({
    entity: Payout,
    table: 'payouts',
    initial: 'requested',
    ends: ['completed', 'failed', 'rejected', 'returned'],
    statusOf: ({ status, returnedAt }) => (returnedAt ? 'returned' : status),
    statusSql: `case when returned_at is null then status else 'returned' end`,
    errorOf: ({ status, failureReason }) => (failureReason === null ? null : lossCodeOf(status, failureReason)),
    creatorOf: null,
  }),
  track<PayoutDestination>({
    entity: PayoutDestination,
    table: 'payout_destinations',
    initial: 'pending_review',
    ends: ['approved', 'rejected', 'deactivated'],
    statusOf: ({ status, deactivatedAt }) => (deactivatedAt ? 'deactivated' : status),
    statusSql: `case when deactivated_at is null then status else 'deactivated' end`,
    errorOf: ({ status }) => (status === 'rejected' ? 'rejected_in_review' : null),
    creatorOf: null,
  }),
  track<AccountProfile>({
    entity: AccountProfile,
    table: 'account_profiles',
    initial: 'onboarding',
    // One of which nothing is asked is active from its beginning, unless operators let it go live later.
    initialSql: `case when status = 'active' and activated_at is null and not exists (select from timeline_items t
      where t.resource_id = account_profiles.id and t.status = 'onboarding') then 'active' else 'onboarding' end`,
    ends: ['active', 'restricted', 'rejected'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: ({ status }) => (status === 'rejected' ? 'rejected_in_review' : null),
    creatorOf: null,
  }),
  track<Subscription>({
    entity: Subscription,
    table: 'subscriptions',
    initial: 'active',
    initialSql: `case when trial_start is null then 'active' else 'trialing' end`,
    ends: ['canceled'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: () => null,
    creatorOf: null,
  }),
  track<Dispute>({
    entity: Dispute,
    table: 'disputes',
    initial: 'needs_response',
    initialSql: `case when warns_until is null then 'needs_response' else 'early_warning' end`,
    ends: ['won', 'lost', 'prevented'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: () => null,
    creatorOf: null,
  }),
  // Its row is written when it is opened: there are no drafts in the database.
  track<Invoice>({
    entity: Invoice,
    table: 'invoices',
    initial: 'open',
    ends: ['paid', 'void', 'uncollectible'],
    statusOf: ({ status }) => status,
    statusSql: 'status',
    errorOf: () => null,
    creatorOf: null,
  }),
]
