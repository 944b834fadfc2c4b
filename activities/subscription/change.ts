import { LockMode } from '@mikro-orm/core'
import {
  assertNotCharging,
  assertNotOver,
  assertPauseFits,
  isPausePlanned,
  workOutChange,
} from '../../commands/subscription/work-out-change.ts'
import { requestCharge, forgetAttempts, settleDebt } from '../../commands/subscription/collection-state.ts'
import { collect } from '../../commands/subscription/dunning.ts'
import { endSubscription } from '../../commands/subscription/end-subscription.ts'
import {
  findAhead,
  hasPaidAhead,
  openInvoice,
  takeBackAhead,
  voidInvoice,
} from '../../commands/subscription/invoice.ts'
import { recordSubscription, takeBackMail, touchSubscription } from '../../commands/subscription/touch.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import { Invoice, openInvoicesOf } from '../../db/subscription/invoice.ts'
import { lockPaymentsOfCharge } from '../../db/subscription/paid-back.ts'
import { type Subscription, SubscriptionChange } from '../../db/subscription/subscription.ts'
import { validateMetadata } from '../../domain/metadata.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  type ChangeKind,
  type ChangeRequest,
  type ChangeRequests,
  trialEndsNow,
} from '../../domain/subscription/change.ts'
import { mergeSubscriptionMetadata } from '../../domain/subscription/metadata.ts'
import { reminderAheadMs } from '../../domain/subscription/next-step.ts'
import { addCredit, noteCharge } from '../../domain/subscription/funding.ts'
import type { Changed } from '../../domain/subscription/plan-change.ts'
import { addWithheld, type Share } from '../../domain/subscription/returns.ts'
import { planOf } from '../../domain/subscription/subscription.ts'
import { pause, resume } from './step.ts'

type Context = { em: EntityManager; subscription: Subscription; by: 'merchant' | 'customer'; at: number }
type Apply<K extends ChangeKind> = (context: Context, asked: ChangeRequests[K]) => Promise<void>

/** Applies what somebody has asked for, in the transaction that has locked the subscription. Done once per request. */
export async function applyChange(
  em: EntityManager,
  subscription: Subscription,
  changeId: string,
  at: number,
): Promise<void> {
  const change = await lock(em, SubscriptionChange, changeId)
  if (change.subscriptionId !== subscription.id) throw new Refusal('NOT_FOUND', 'no such change')
  if (change.appliedAt) return
  actsAs(em, change.by === 'customer' ? 'buyer' : 'merchant')
  await applyTo({ em, subscription, by: change.by, at }, change.what as ChangeRequest)
  change.appliedAt = new Date(at)
}

/** The compiler does not see that the kind and the rest of one request belong together. */
const applyTo = (context: Context, { kind, ...asked }: ChangeRequest): Promise<void> =>
  (changes[kind] as Apply<typeof kind>)(context, asked as never)

const changes: { [K in ChangeKind]: Apply<K> } = {
  edit,
  async cancel({ em, subscription, by, at }, { at_period_end: atPeriodEnd, reason, comment }) {
    assertNotOver(subscription)
    // A customer does not replace the merchant's cancellation by one that they may take back.
    if (by === 'customer' && subscription.cancelAtPeriodEnd)
      throw new Refusal('CONFLICT', 'the subscription is being canceled already')
    const cancellation = { reason, comment, by }
    // Nothing runs while it is paused, so there is no end to wait for.
    if (!atPeriodEnd || subscription.status === 'paused') {
      subscription.cancelAtPeriodEnd = false
      return endSubscription(em, subscription, { cancellation, endedAt: at }, at)
    }
    // A pause that was planned is not shown meanwhile, and stands again if the cancellation is taken back.
    subscription.cancelAtPeriodEnd = true
    subscription.cancellation = cancellation
    subscription.canceledAt = new Date(at)
    await takeBackUnpaid(em, subscription, at)
    await recordSubscription(em, subscription, 'customer.subscription.updated', at)
  },
  async uncancel({ em, subscription, by, at }) {
    assertNotOver(subscription)
    if (!subscription.cancelAtPeriodEnd) throw new Refusal('CONFLICT', 'the subscription is not being canceled')
    if (by === 'customer' && subscription.cancellation?.by !== 'customer')
      throw new Refusal('CONFLICT', 'the merchant has canceled the subscription: ask them')
    subscription.cancelAtPeriodEnd = false
    subscription.cancellation = subscription.canceledAt = null
    const { resumesAt, currentPeriodEnd } = subscription
    // The period has become longer meanwhile: the pause would be over before it begins.
    if (resumesAt && resumesAt <= currentPeriodEnd) forgetPause(subscription)
    await recordSubscription(em, subscription, 'customer.subscription.updated', at)
  },
  async pause({ em, subscription, at }, { at_period_end: atPeriodEnd, resumes_at: resumesAt }) {
    assertNotOver(subscription)
    if (subscription.status === 'paused') throw new Refusal('CONFLICT', 'the subscription is paused already')
    if (subscription.cancelAtPeriodEnd) throw new Refusal('CONFLICT', 'the subscription is being canceled')
    const isPaidAhead = await hasPaidAhead(em, subscription)
    const periodEnd = isPaidAhead ? subscription.invoicedUntil : subscription.currentPeriodEnd
    const begins = atPeriodEnd ? periodEnd.getTime() : at
    const moment = resumesAt === null ? null : new Date(resumesAt)
    if (moment && moment.getTime() <= begins)
      throw new Refusal('CONFLICT', 'resumes_at must be after the start of the pause')
    subscription.resumesAt = moment
    if (!atPeriodEnd) {
      if (isPaidAhead) throw new Refusal('CONFLICT', 'the next period is paid already')
      await takeBackUnpaid(em, subscription, at)
      return pause(em, subscription, at)
    }
    subscription.pauseAtPeriodEnd = true
    await takeBackUnpaid(em, subscription, at)
    await recordSubscription(em, subscription, 'customer.subscription.updated', at)
  },
  async resume({ em, subscription, at }) {
    assertNotOver(subscription)
    if (subscription.status === 'paused') return resume(em, subscription, at)
    if (!isPausePlanned(subscription)) throw new Refusal('CONFLICT', 'the subscription is not paused')
    forgetPause(subscription)
    await recordSubscription(em, subscription, 'customer.subscription.updated', at)
  },
  changePlan: applyPlan,
  async retryPayment({ em, subscription, at }, { invoice_id: invoiceId }) {
    assertNotOver(subscription)
    if (subscription.status === 'paused') throw new Refusal('CONFLICT', 'the subscription is paused: resume it')
    assertNotCharging(subscription)
    if (subscription.collection === 'invoice')
      throw new Refusal('CONFLICT', 'the customer pays the invoice themselves: send them its link')
    if (!subscription.paymentMethodId) throw new Refusal('CONFLICT', 'the subscription has no card')
    const [invoice] = await openInvoicesOf(em, subscription.id)
    if (!invoice) throw new Refusal('CONFLICT', 'no invoice is open')
    if (invoiceId !== undefined) await assertNext(em, subscription, invoice, invoiceId)
    requestCharge(subscription, at)
    touchSubscription(subscription, at)
  },
  async voidInvoice({ em, subscription, at }, { invoice_id: invoiceId }) {
    const invoice = await lock(em, Invoice, invoiceId)
    if (invoice.subscriptionId !== subscription.id) throw new Refusal('NOT_FOUND', 'no such invoice')
    if (invoice.status === 'void') return
    if (subscription.paymentId !== null && subscription.paymentId === invoice.paymentId)
      throw new Refusal('CONFLICT', 'a payment of the invoice is being processed')
    if (invoice.status === 'paid') throw new Refusal('CONFLICT', 'the invoice is paid: refund its payment')
    voidInvoice(subscription, invoice, at)
    await em.flush() // so that it is open no more
    const [next] = await openInvoicesOf(em, subscription.id)
    const isOwing = next !== undefined && next.dueAt.getTime() <= at
    if (!isOwing && subscription.status === 'paused') forgetAttempts(subscription)
    if (isOwing || subscription.status !== 'past_due') return touchSubscription(subscription, at)
    settleDebt(subscription)
    await recordSubscription(em, subscription, 'customer.subscription.updated', at)
  },
}

/** The invoices of a subscription are charged in their order, so that none is left behind. */
async function assertNext(em: EntityManager, { id }: Subscription, next: Invoice, wanted: string): Promise<void> {
  if (wanted === next.id) return
  const invoice = await em.findOne(Invoice, { id: wanted, subscriptionId: id })
  if (!invoice) throw new Refusal('NOT_FOUND', 'no such invoice')
  if (invoice.status !== 'open') throw new Refusal('CONFLICT', `the invoice is ${invoice.status}`)
  throw new Refusal('CONFLICT', `the older invoice ${next.number} (${next.id}) is open: have it paid first`)
}

function forgetPause(subscription: Subscription): void {
  subscription.pauseAtPeriodEnd = false
  subscription.resumesAt = null
}

/**
 * The next period does not follow: its open invoice is taken back. One that the customer has paid stays. So does one
 * that the merchant has voided: if the period follows after all, nobody has to pay for it.
 */
async function takeBackUnpaid(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  const ahead = await findAhead(em, subscription, subscription.currentPeriodEnd)
  if (ahead?.status === 'open') await takeBackAhead(em, subscription, at)
}

async function edit({ em, subscription, at }: Context, asked: ChangeRequests['edit']): Promise<void> {
  const { metadata, payment_method_id: methodId, trial_end: trialEnd } = asked
  const before = JSON.stringify(shown(subscription))
  if (metadata !== undefined) {
    const merged = mergeSubscriptionMetadata(subscription.metadata, metadata, subscription.checkoutId)
    // Another change may have added keys after this one was checked.
    if (validateMetadata(merged).length > 0) throw new Refusal('CONFLICT', 'the metadata would have too many keys')
    subscription.metadata = merged
  }
  if (methodId !== undefined) await changeMethod({ em, subscription, at }, methodId)
  if (trialEnd !== undefined) await moveTrialEnd({ em, subscription, at }, trialEnd)
  if (JSON.stringify(shown(subscription)) === before) return
  await recordSubscription(em, subscription, 'customer.subscription.updated', at)
}

const shown = ({ metadata, paymentMethodId, trialEnd }: Subscription) => ({ metadata, paymentMethodId, trialEnd })

/** Another card: what is open is charged to it at once. */
async function changeMethod({ em, subscription, at }: Omit<Context, 'by'>, methodId: string): Promise<void> {
  assertNotOver(subscription)
  const { accountId, environment, customerId } = subscription
  const where = { id: methodId, accountId, environment, detachedAt: null }
  // Locked, so that its customer cannot remove it meanwhile.
  const saved = await em.findOne(SavedPaymentMethod, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const isOwn = saved?.customerId === customerId || saved?.id === subscription.paymentMethodId
  if (!saved || !isOwn) throw new Refusal('NOT_FOUND', 'the customer has no such payment method')
  subscription.paymentMethodId = saved.id
  subscription.corridor = saved.corridor
  subscription.collection = 'automatic'
  if (subscription.status === 'past_due' && !subscription.paymentId) requestCharge(subscription, at)
}

async function moveTrialEnd({ em, subscription, at }: Omit<Context, 'by'>, trialEnd: string): Promise<void> {
  if (subscription.status !== 'trialing') throw new Refusal('CONFLICT', 'the subscription is not in a trial')
  const now = Math.max(at, subscription.currentPeriodStart.getTime() + 1)
  const moment = trialEnd === trialEndsNow ? now : Date.parse(trialEnd)
  if (moment < now) throw new Refusal('CONFLICT', 'trial_end is in the past')
  if (moment === subscription.trialEnd?.getTime()) return
  assertPauseFits(subscription, moment)
  const end = new Date(moment)
  Object.assign(subscription, { trialEnd: end, currentPeriodEnd: end, anchor: end, invoicedUntil: end })
  // The new end is announced as that of a new trial is, and never one that is now. A mail that waits is of the old end.
  subscription.remindsAt = moment > at ? new Date(Math.max(at, moment - reminderAheadMs)) : null
  await takeBackMail(em, subscription, 'trial_ending', at)
}

async function applyPlan({ em, subscription, at }: Context, asked: ChangeRequests['changePlan']): Promise<void> {
  const { proration, line_items: lineItems, interval, interval_count } = asked
  const rhythm = { interval, interval_count, trial_days: 0 }
  const plan = planOf(lineItems, subscription.currency, rhythm)
  if (proration === 'prorate') await lockPaymentsOfCharge(em, subscription)
  const { before, changed } = await workOutChange(em, subscription, { plan, proration }, at)
  Object.assign(subscription, before)
  if (proration === 'next_period') {
    subscription.pendingPlan = { lineItems, amount: plan.amount, interval, intervalCount: interval_count }
    return recordSubscription(em, subscription, 'customer.subscription.updated', at)
  }
  Object.assign(subscription, { lineItems, amount: plan.amount, interval, intervalCount: interval_count })
  subscription.pendingPlan = null
  await book(em, subscription, changed, at)
  await recordSubscription(em, subscription, 'customer.subscription.updated', at)
}

/** Books what a change of plan costs: an invoice that is charged at once, or credit for the next one. */
async function book(em: EntityManager, subscription: Subscription, changed: Changed, at: number): Promise<void> {
  const { period, charged, withheld, anchor, lines, invoice, funding } = changed
  if (anchor !== null) subscription.anchor = new Date(anchor)
  subscription.invoicedUntil = new Date(period.end)
  subscription.currentPeriodStart = new Date(period.start)
  subscription.currentPeriodEnd = new Date(period.end)
  subscription.chargedAmount = charged.amount
  subscription.chargedFrom = new Date(charged.start)
  subscription.withheld = addWithheld(subscription.withheld, withheld)
  const { charge, credit } = funding ?? { charge: null, credit: [] }
  const from = subscription.chargedFrom
  if (charge) subscription.funding = noteCharge(subscription.funding, from, charge, from)
  if (!invoice) {
    subscription.credit = changed.credit
    return noteCredit(subscription, credit)
  }
  const span = { start: at, end: period.end }
  const wanted = { reason: 'subscription_update' as const, lines, period: span, dueAt: at }
  const opened = await openInvoice(em, subscription, wanted, at)
  noteCredit(subscription, credit)
  if (opened.status === 'open') await collect(em, subscription, at)
}

/** Notes which payments the new credit came from. */
function noteCredit(subscription: Subscription, shares: Share[]): void {
  const { funding, credit } = subscription
  subscription.funding = { ...funding, credit: addCredit(funding.credit, shares, credit) }
}
