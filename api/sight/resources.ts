import type { FilterQuery } from '@mikro-orm/core'
import { Conversion } from '../../db/balance/conversion.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { OnClock } from '../../db/core/test-clock.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund/refund.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { readDeliverySteps, readSteps, type TrackedRow } from '../../db/sight/timeline.ts'
import type { Tracked } from '../../db/sight/tracked.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import type { Scope } from '../../domain/access/scope.ts'
import { isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { paymentProcessOf } from '../../domain/checkout/payment-process.ts'
import type { IdPrefix } from '../../domain/id.ts'
import type { ProcessName } from '../../domain/processes.ts'
import type { AgendaResource, ShownResource } from '../../domain/sight/agenda.ts'
import type { ShownStep } from '../../schemas/sight/timeline.ts'
import { readAccount } from './account.ts'
import { trackedBy } from './tracked-by.ts'

/** A resource as its timeline and its agenda see it. */
export type Seen = Tenant & {
  clockId: string | null | undefined
  id: string
  status: string
  steps: ShownStep[]
  /** The resources whose waits are its waits too: itself, and what it is paid by or pays for. */
  waiting: string[]
  process: [name: ProcessName, resourceId: string]
}

/** A kind of resource with a timeline: where it is read, with which scope, and how. */
export type SeenResource = {
  resource: ShownResource
  path: string
  parameter: string
  prefix: IdPrefix
  tag: string
  scope: Scope
  /** The resource with this id, of this owner if one is named; null where there is none. */
  read: (em: EntityManager, where: { id: string } & Partial<Tenant>) => Promise<Seen | null>
}

type Row = Tenant & OnClock & TrackedRow

/** A resource that only its own row tells about. */
function alone<T extends Row>(entity: Tracked<T>['entity'], process: ProcessName): SeenResource['read'] {
  const tracked = trackedBy(entity)
  return async (em, where) => {
    const row: T | null = await em.findOne(entity, where as FilterQuery<T>)
    if (!row) return null
    const { id, accountId, environment, clockId } = row
    const steps = await readSteps(em, tracked, [row])
    const owned = { id, accountId, environment, clockId }
    return { ...owned, status: tracked.statusOf(row), steps, waiting: [id], process: [process, id] }
  }
}

/** A session tells about its payments too. */
async function readCheckout(em: EntityManager, where: object): Promise<Seen | null> {
  const row = await em.findOne(Checkout, where)
  if (!row) return null
  const payments = await em.find(Payment, { checkoutId: row.id }, { orderBy: { id: 'asc' } })
  const ofPayments = await readSteps(em, trackedBy(Payment), payments)
  const [made, ...later] = await readSteps(em, trackedBy(Checkout), [row])
  // At one moment a payment comes first, as it decides what becomes of its session.
  const steps = [
    ...ofPayments.map((step) => ({ ...step, details: { payment_id: step.resourceId } })),
    ...later,
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const { id, accountId, environment, clockId, status } = row
  const waiting = [id, ...payments.map((payment) => payment.id)]
  return {
    id,
    accountId,
    environment,
    clockId,
    status,
    steps: made ? [made, ...steps] : steps,
    waiting,
    process: ['checkout', id],
  }
}

const hasEnded = ({ status }: Payment): boolean => ['succeeded', 'failed', 'canceled'].includes(status)

/**
 * A payment waits for what its session waits for; a deposit and a renewal have no session. It tells about its disputes
 * too, and waits for what they wait for.
 */
async function readPayment(em: EntityManager, where: object): Promise<Seen | null> {
  const row = await em.findOne(Payment, where)
  if (!row) return null
  const { id, accountId, environment, status, checkoutId } = row
  const disputes = await em.find(Dispute, { paymentId: id }, newest)
  const ofDisputes = await readSteps(em, trackedBy(Dispute), disputes)
  // At one moment the payment comes first: it is paid before it is disputed.
  const steps = [
    ...(await readSteps(em, trackedBy(Payment), [row])),
    ...ofDisputes.map((step) => ({ ...step, details: { dispute_id: step.resourceId } })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const open = disputes.filter((dispute) => !isDisputeEnded(dispute.status))
  const waiting = [id, ...(checkoutId && !hasEnded(row) ? [checkoutId] : []), ...open.map((dispute) => dispute.id)]
  // A dispute may be on a clock without its payment, which then waits by the dispute's.
  const clockId = row.clockId ?? (hasEnded(row) ? open[0]?.clockId : null)
  return { id, accountId, environment, clockId, status, steps, waiting, process: paymentProcessOf(row) }
}

/** The newest parts that a timeline tells about: a subscription may renew for years. */
const partsMax = 200
const newest = { orderBy: { createdAt: 'desc', id: 'desc' }, limit: partsMax } as const

/** A subscription tells about its invoices and its payments too, and waits for what a rail has not decided. */
async function readSubscription(em: EntityManager, where: object): Promise<Seen | null> {
  const row = await em.findOne(Subscription, where)
  if (!row) return null
  const { id, accountId, environment, clockId, status, paymentId } = row
  const invoices = await em.find(Invoice, { subscriptionId: id }, newest)
  const payments = await em.find(Payment, { subscriptionId: id }, newest)
  const steps = inOrder(
    (await readSteps(em, trackedBy(Payment), payments)).map(withPayment),
    (await readSteps(em, trackedBy(Invoice), invoices)).map(withInvoice),
    await readSteps(em, trackedBy(Subscription), [row]),
  )
  const waiting = paymentId ? [id, paymentId] : [id]
  return { id, accountId, environment, clockId, status, steps, waiting, process: ['subscription', id] }
}

/** An invoice tells about its payments too. While it is open, it waits for what its subscription waits for. */
async function readInvoice(em: EntityManager, where: object): Promise<Seen | null> {
  const row = await em.findOne(Invoice, where)
  if (!row) return null
  const { id, accountId, environment, clockId, status, subscriptionId } = row
  const payments = await em.find(Payment, { invoiceId: id }, newest)
  const steps = inOrder(
    (await readSteps(em, trackedBy(Payment), payments)).map(withPayment),
    await readSteps(em, trackedBy(Invoice), [row]),
  )
  const open = payments.filter((payment) => !hasEnded(payment)).map((payment) => payment.id)
  const waiting = status === 'open' ? [subscriptionId, ...open] : open
  return { id, accountId, environment, clockId, status, steps, waiting, process: ['subscription', subscriptionId] }
}

const withPayment = (step: ShownStep): ShownStep => ({ ...step, details: { payment_id: step.resourceId } })
const withInvoice = (step: ShownStep): ShownStep => ({ ...step, details: { invoice_id: step.resourceId } })

/**
 * Steps by time. The lists begin with the innermost resource. What begins at one moment begins from the outside in, and
 * comes before what ends then: a payment ends first, as it decides what becomes of its invoice.
 */
function inOrder(...lists: ShownStep[][]): ShownStep[] {
  const begun = new Set<string>()
  const placed = lists.flatMap((steps, depth) =>
    steps.map((step) => {
      const begins = !begun.has(step.resourceId)
      begun.add(step.resourceId)
      return { step, place: begins ? -depth : depth + 1 }
    }),
  )
  const byTime = placed.toSorted(
    (one, other) => one.step.at.getTime() - other.step.at.getTime() || one.place - other.place,
  )
  return byTime.map(({ step }) => step)
}

async function readDelivery(em: EntityManager, where: object): Promise<Seen | null> {
  const row = await em.findOne(Delivery, where)
  if (!row) return null
  const { id, accountId, environment, clockId, status } = row
  const steps = await readDeliverySteps(em, row)
  return { id, accountId, environment, clockId, status, steps, waiting: [id], process: ['webhook-delivery', id] }
}

export const seenResources: readonly SeenResource[] = [
  {
    resource: 'account',
    path: '/v1/accounts',
    parameter: 'account_id',
    prefix: 'acct',
    tag: 'Connected accounts',
    scope: 'accounts:read',
    read: readAccount,
  },
  {
    resource: 'checkout_session',
    path: '/v1/checkout-sessions',
    parameter: 'checkout_id',
    prefix: 'chk',
    tag: 'Checkout sessions',
    scope: 'payments:read',
    read: readCheckout,
  },
  {
    resource: 'payment',
    path: '/v1/payments',
    parameter: 'payment_id',
    prefix: 'pay',
    tag: 'Payments',
    scope: 'payments:read',
    read: readPayment,
  },
  {
    resource: 'refund',
    path: '/v1/refunds',
    parameter: 'refund_id',
    prefix: 'ref',
    tag: 'Refunds',
    scope: 'refunds:read',
    read: alone(Refund, 'refund'),
  },
  {
    resource: 'payout',
    path: '/v1/payouts',
    parameter: 'payout_id',
    prefix: 'pay',
    tag: 'Payouts',
    scope: 'payouts:read',
    read: alone(Payout, 'payout'),
  },
  {
    resource: 'payout_destination',
    path: '/v1/payouts/destinations',
    parameter: 'destination_id',
    prefix: 'pd',
    tag: 'Payout destinations',
    scope: 'payouts:read',
    read: alone(PayoutDestination, 'payout-destination'),
  },
  {
    resource: 'conversion',
    path: '/v1/conversions',
    parameter: 'conversion_id',
    prefix: 'cnv',
    tag: 'Conversions',
    scope: 'conversions:read',
    read: alone(Conversion, 'conversion'),
  },
  {
    resource: 'webhook_delivery',
    path: '/v1/webhooks/deliveries',
    parameter: 'delivery_id',
    prefix: 'dlv',
    tag: 'Webhooks',
    scope: 'webhooks:read',
    read: readDelivery,
  },
  {
    resource: 'subscription',
    path: '/v1/subscriptions',
    parameter: 'subscription_id',
    prefix: 'sub',
    tag: 'Subscriptions',
    scope: 'subscriptions:read',
    read: readSubscription,
  },
  {
    resource: 'dispute',
    path: '/v1/disputes',
    parameter: 'dispute_id',
    prefix: 'dsp',
    tag: 'Disputes',
    scope: 'disputes:read',
    read: alone(Dispute, 'dispute'),
  },
  {
    resource: 'invoice',
    path: '/v1/invoices',
    parameter: 'invoice_id',
    prefix: 'inv',
    tag: 'Invoices',
    scope: 'invoices:read',
    read: readInvoice,
  },
]

/** One resource of a kind, in words: `a refund`, `an invoice`. */
export const oneOf = (resource: SeenResource['resource']): string =>
  `${/^[aeiou]/.test(resource) ? 'an' : 'a'} ${resource.replaceAll('_', ' ')}`

/** The scope that reading a kind of resource needs. */
export const scopeOf: Record<AgendaResource, Scope> = {
  checkout_session: 'payments:read',
  payment: 'payments:read',
  refund: 'refunds:read',
  payout: 'payouts:read',
  payout_destination: 'payouts:read',
  account: 'accounts:read',
  payout_schedule: 'payouts:read',
  conversion: 'conversions:read',
  webhook_delivery: 'webhooks:read',
  webhook_endpoint: 'webhooks:read',
  subscription: 'subscriptions:read',
  dispute: 'disputes:read',
}
