import { openDisputes } from '../../commands/dispute/open-dispute.ts'
import { failCollection } from '../../commands/subscription/dunning.ts'
import { applyPaidInvoices, judgePayment, payInvoice } from '../../commands/subscription/pay-invoice.ts'
import { recordPaid } from '../../commands/subscription/invoice.ts'
import { touchSubscription } from '../../commands/subscription/touch.ts'
import { recordFailure } from '../../commands/record-failure.ts'
import { settlePayment } from '../../commands/settle-payment.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { mayBePaidBy } from '../../db/checkout/settings.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { repeatableId } from '../../db/core/repeatable-id.ts'
import { Customer } from '../../db/customer/customer.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice, openInvoicesOf } from '../../db/subscription/invoice.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import type { Rate } from '../../domain/balance/exchange.ts'
import { type Quote, quoteOf } from '../../domain/balance/quote.ts'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import { lateMoneyMs } from '../../domain/checkout/checkout.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { format, inUsd, isZero } from '../../domain/money.ts'
import { nextPollAt, noteAsked } from '../../domain/rail-polls.ts'
import { revise } from '../../domain/revision.ts'
import { openedAheadMs, soldBy } from '../../domain/subscription/invoice.ts'
import type { RailAnswer, SavedChargeOrder } from '../../rails/rail.ts'
import { collectionSucceeded } from '../../schemas/checkout/collection-event.ts'

/** A charge that is to be ordered: the saved card, and the rate into its currency; null: the same currency. */
export type Charging = { saved: SavedPaymentMethod; rate: Rate | null }

/**
 * The card that is charged: that of a payment under way, or else the subscription's own. A card that its customer has
 * removed is not charged again, and no card where the account may not take card payments now.
 */
export async function cardOf(em: EntityManager, subscription: Subscription): Promise<SavedPaymentMethod | null> {
  const { paymentId, paymentMethodId } = subscription
  const underWay = paymentId ? await em.findOneOrFail(Payment, { id: paymentId }) : null
  const methodId = underWay?.savedMethodId ?? paymentMethodId
  const saved = methodId ? await em.findOne(SavedPaymentMethod, { id: methodId }) : null
  if (!saved || underWay) return saved
  return !saved.detachedAt && (await mayBePaidBy(em, subscription, saved.corridor)) ? saved : null
}

/**
 * Opens the payment of the oldest open invoice, in the transaction that has locked the subscription. A payment that is
 * under way is returned again. Null where nothing is to be charged.
 */
export async function openPayment(
  em: EntityManager,
  subscription: Subscription,
  { saved, rate }: Charging,
  at: number,
): Promise<Payment | null> {
  if (subscription.paymentId) return em.findOneOrFail(Payment, { id: subscription.paymentId })
  const [invoice] = subscription.chargeDueAt ? await openInvoicesOf(em, subscription.id) : []
  subscription.chargeDueAt = null
  if (!invoice) return null
  const customer = await em.findOneOrFail(Customer, { id: subscription.customerId })
  const { statementText } = await readSettings(em, subscription)
  const { currency: sold, feePreference } = subscription
  const quote = quoteOf({ amount: invoice.total, currency: sold, feePreference }, saved.corridor, rate)
  if (isZero(quote.customerPays)) return passOver(em, subscription, invoice, at)
  const id = await paymentIdOf(em, invoice)
  const payment = paymentFor(em, { id, subscription, invoice, saved, customer, quote, statementText }, at)
  subscription.paymentId = invoice.paymentId = payment.id
  touchSubscription(subscription, at)
  return payment
}

/**
 * Whether a payment that was begun, but may not have reached its rail, would only be paid back: its invoice was paid in
 * another way or voided meanwhile, or somebody has ended the subscription. It is to be cancelled then.
 */
export async function cancelIfNeedless(em: EntityManager, payment: Payment): Promise<boolean> {
  if ((await judgePayment(em, payment)) === 'pays') return false
  payment.cancelling = 'due'
  return true
}

/**
 * Ends an invoice that is worth less than the smallest amount of the card's currency: no card can be charged for it, so
 * it counts as paid without a payment, and what comes after it is charged.
 */
async function passOver(em: EntityManager, subscription: Subscription, invoice: Invoice, at: number): Promise<null> {
  await recordPaid(em, invoice, null, at)
  await applyPaidInvoices(em, subscription, at)
  return null
}

/** An invoice's own id and its number are others once it is opened again; what it is for stays. */
const paymentIdOf = (em: EntityManager, { subscriptionId, billingReason, periodStart }: Invoice): Promise<string> =>
  repeatableId(em, 'payments', {
    purpose: `payment of ${subscriptionId} ${billingReason} ${periodStart.toISOString()}`,
    dueAt: periodStart.getTime(),
  })

type Opening = {
  id: string
  subscription: Subscription
  invoice: Invoice
  saved: SavedPaymentMethod
  customer: Customer
  quote: Quote
  statementText: string | null
}

function paymentFor(
  em: EntityManager,
  { id, subscription, invoice, saved, customer, quote, statementText }: Opening,
  at: number,
): Payment {
  const { accountId, environment, clockId, currency: sold, feePreference } = subscription
  const { rate } = quote
  const { email, name, phoneNumber } = customer
  return em.create(Payment, {
    id,
    accountId,
    environment,
    clockId: clockId ?? null,
    checkoutId: null,
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    savedMethodId: saved.id,
    billingReason: invoice.billingReason,
    status: 'processing',
    corridor: saved.corridor,
    currency: quote.currency,
    amount: quote.customerPays,
    settles: quote.settles,
    fee: quote.fee,
    feeUsd: inUsd(quote.fee, quote.currency),
    feePreference,
    rate,
    baseAmount: rate && invoice.total,
    baseCurrency: rate === null ? null : sold,
    statementText,
    nextAction: null,
    methodDetails: null,
    lineItems: soldBy(invoice.lineItems),
    platformFee: null,
    transferAmount: null,
    transferDestination: null,
    customerId: customer.id,
    customerDetails: { email, name, phone_number: phoneNumber },
    reference: null,
    metadata: subscription.metadata,
    failureCode: null,
    cancelling: null,
    newsDueAt: null,
    nextPollAt: new Date(nextPollAt(at, at)),
    createdAt: new Date(at),
    updatedAt: new Date(at),
    completedAt: null,
  })
}

/** The order for the card network. The amount is read from the payment, so that a repeated order is the same. */
export const savedOrderOf = async (
  em: EntityManager,
  payment: Payment,
  saved: SavedPaymentMethod,
): Promise<SavedChargeOrder> => ({
  environment: payment.environment,
  paymentId: payment.id,
  corridor: payment.corridor,
  amount: format(payment.amount, payment.currency),
  currency: payment.currency,
  statementText: payment.statementText,
  email: payment.customerDetails?.email ?? null,
  token: saved.railToken,
  mayBeSentSince: await mayBeSentSince(em, payment),
})

/**
 * Since when the order of a payment may have been sent, also before a restore. An invoice that is charged as it is
 * opened can only be charged once its period has begun. One that was open before, or tried before, may be that of a
 * customer who pays invoices: it can be charged since such invoices are opened, ahead of the period.
 */
async function mayBeSentSince(em: EntityManager, { invoiceId }: Payment): Promise<number> {
  const { subscriptionId, billingReason, periodStart } = await em.findOneOrFail(Invoice, { id: invoiceId ?? '' })
  const invoices = await em.find(Invoice, { subscriptionId, billingReason, periodStart })
  const isFresh = invoices.every(({ createdAt, attemptCount }) => createdAt >= periodStart && attemptCount === 0)
  return periodStart.getTime() - (isFresh ? 0 : openedAheadMs)
}

/** Whether a charge needs a rate, and between which currencies. */
export function ratedPair({ currency: from }: Subscription, saved: SavedPaymentMethod) {
  const { currency: to } = corridorOf(saved.corridor)
  return from === to ? null : { from, to }
}

/**
 * Records a rail's answer about a payment of a subscription, in the transaction that has locked both. The same answer
 * again changes nothing.
 */
export async function recordAnswer(
  em: EntityManager,
  subscription: Subscription,
  payment: Payment,
  answer: RailAnswer,
  at: number,
): Promise<void> {
  if (answer.status === 'succeeded' && payment.status === 'succeeded')
    return recordNews(em, subscription, payment, answer, at)
  if (payment.status === 'succeeded') {
    payment.newsDueAt = null
    return revise(subscription)
  }
  payment.updatedAt = new Date(at)
  if (payment.cancelling) payment.cancelling = answer.status === 'canceled' ? 'done' : null
  if (answer.status === 'processing' || answer.status === 'not_found') {
    if (payment.status === 'processing') noteAsked(payment, nextPollAt(payment.createdAt.getTime(), at))
    else payment.newsDueAt = renewalQuestionAt(payment, at)
    return touchSubscription(subscription, at)
  }
  payment.newsDueAt = null
  const isCurrent = subscription.paymentId === payment.id
  if (isCurrent) subscription.paymentId = null
  if (answer.status === 'succeeded') {
    await succeed(em, subscription, payment, answer, at)
    return recordNews(em, subscription, payment, answer, at)
  }
  if (payment.status === 'failed') return touchSubscription(subscription, at)
  const failureCode = codeOf(answer)
  await recordFailure(em, payment, failureCode, at)
  const invoice = await em.findOneOrFail(Invoice, { id: payment.invoiceId ?? '' })
  await failCollection(em, subscription, invoice, { failureCode, methodId: payment.savedMethodId ?? null }, at)
}

/** What the network tells of a payment that has succeeded: the disputes of it, and when it will have more news. */
async function recordNews(
  em: EntityManager,
  subscription: Subscription,
  payment: Payment,
  { disputes = [], newsDueAt }: Succeeded,
  at: number,
): Promise<void> {
  payment.newsDueAt = newsDueAt === undefined ? null : new Date(newsDueAt)
  await openDisputes(em, payment, disputes, at)
  revise(subscription)
}

/** When the rail is asked again about what staff have marked as failed; null once its money would be too late. */
export function renewalQuestionAt({ createdAt, completedAt }: Payment, at: number): Date | null {
  const next = nextPollAt(createdAt.getTime(), at)
  return next < (completedAt?.getTime() ?? at) + lateMoneyMs ? new Date(next) : null
}

/**
 * Why a charge has failed. A card network that asks for its owner has taken nothing, as nobody is there. What was
 * cancelled had not reached its network in time.
 */
const codeOf = (answer: RailAnswer): FailureCode => {
  if (answer.status === 'failed') return answer.failureCode
  if (answer.status === 'canceled') return 'rail_unavailable'
  return answer.status === 'requires_action' ? 'authentication_failed' : 'card_declined'
}

type Succeeded = Extract<RailAnswer, { received: string }>

async function succeed(
  em: EntityManager,
  subscription: Subscription,
  payment: Payment,
  { received, details }: Succeeded,
  at: number,
): Promise<void> {
  payment.amountReceived = received
  payment.methodDetails = details
  const verdict = await judgePayment(em, payment)
  payment.duplicate = verdict === 'duplicate'
  payment.late = verdict === 'late'
  await settlePayment(em, payment, false, at)
  const data = collectionSucceeded(payment, new Date(at))
  await recordEvent(em, payment, { type: 'collection.succeeded', resourceId: payment.id, data }, at)
  await payInvoice(em, payment, verdict, at)
  touchSubscription(subscription, at)
  await applyPaidInvoices(em, subscription, at)
}
