import { randomBytes } from 'node:crypto'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, lock, publicUrlOf } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { Customer } from '../../db/customer/customer.ts'
import { Invoice, openInvoicesOf, takeInvoiceNumber } from '../../db/subscription/invoice.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import { add, type Amount, format, isLess, isZero, subtract } from '../../domain/money.ts'
import {
  type BillingReason,
  composeInvoice,
  creditUsedBy,
  type InvoiceLine,
  moveInvoice,
  standingInvoice,
} from '../../domain/subscription/invoice.ts'
import { giveBackShares, useCredit } from '../../domain/subscription/funding.ts'
import type { Period } from '../../domain/subscription/period.ts'
import { presentInvoice } from '../../schemas/subscription/invoice.ts'
import { sendBack, wasSentBack } from '../send-back.ts'
import { creditOf } from './credit.ts'
import { mailCustomer } from './touch.ts'

/** A new invoice: why and for which time it is opened, and until when it is to be paid (ms since the epoch). */
export type NewInvoice = { reason: BillingReason; lines: InvoiceLine[]; period: Period; dueAt: number }

/**
 * Opens an invoice with the next number. The customer's name and address are copied: what is invoiced stays as it is.
 * Credit from before is deducted; an invoice of nothing is paid at once.
 */
export async function openInvoice(
  em: EntityManager,
  subscription: Subscription,
  { reason, lines, period, dueAt }: NewInvoice,
  at: number,
): Promise<Invoice> {
  const { accountId, environment, clockId, currency, id: subscriptionId, metadata } = subscription
  const customer = await em.findOneOrFail(Customer, { id: subscription.customerId })
  Object.assign(subscription, await creditOf(em, subscription))
  const composed = composeInvoice(lines, subscription.credit, currency)
  const invoice = em.create(Invoice, {
    id: newId('inv', at),
    accountId,
    environment,
    clockId: clockId ?? null,
    number: null,
    status: 'draft',
    billingReason: reason,
    customerId: customer.id,
    customerEmail: customer.email,
    customerName: customer.name,
    billingAddress: customer.billingAddress,
    subscriptionId,
    paymentId: null,
    lineItems: composed.lines,
    currency,
    subtotal: composed.subtotal,
    total: composed.total,
    periodStart: new Date(period.start),
    periodEnd: new Date(period.end),
    dueAt: new Date(dueAt),
    pageKey: randomBytes(24).toString('base64url'),
    metadata,
    finalizedAt: new Date(at),
    paidAt: null,
    appliedAt: null,
    voidedAt: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
  subscription.credit = composed.creditLeft
  const { chargedFrom, funding } = subscription
  subscription.funding = useCredit(funding, composed.creditLeft, invoice.periodStart, chargedFrom)
  subscription.latestInvoiceId = invoice.id
  moveInvoice(invoice, 'open')
  invoice.number = await takeInvoiceNumber(em, subscription)
  await em.flush() // its timeline begins with its opening, also where it is paid in the same commit
  if (isZero(invoice.total)) {
    await recordPaid(em, invoice, null, at)
    invoice.appliedAt = new Date(at)
  }
  return invoice
}

/** Marks an invoice as paid, with its event; null: there was nothing to pay. */
export async function recordPaid(em: EntityManager, invoice: Invoice, payment: Payment | null, at: number) {
  moveInvoice(invoice, 'paid')
  invoice.amountPaid = invoice.total
  invoice.paymentId = payment?.id ?? null
  invoice.paidAt = invoice.updatedAt = new Date(at)
  const data = presentInvoice(invoice, { nextPaymentAttemptAt: null }, publicUrlOf(em))
  await recordEvent(em, invoice, { type: 'invoice.paid', resourceId: invoice.id, data }, at)
}

/** Records that an attempt to have an invoice paid has failed, with its event and the mail to the customer. */
export async function recordUnpaid(em: EntityManager, subscription: Subscription, invoice: Invoice, at: number) {
  invoice.attemptCount += 1
  invoice.updatedAt = new Date(at)
  const data = presentInvoice(invoice, subscription, publicUrlOf(em))
  await recordEvent(em, invoice, { type: 'invoice.payment_failed', resourceId: invoice.id, data }, at)
  mailCustomer(em, subscription, 'payment_failed', invoice.id, at)
}

/** The invoice for a period that begins at this moment, if it was opened before, and was not taken back since. */
export async function findAhead(em: EntityManager, { id, invoicedUntil, withheld }: Subscription, start: Date) {
  if (invoicedUntil <= start) return null
  await em.flush()
  const where = { subscriptionId: id, billingReason: 'subscription_cycle' as const, periodStart: start }
  return standingInvoice(await em.find(Invoice, where, { orderBy: { createdAt: 'desc', id: 'desc' } }), withheld)
}

/**
 * Whether the customer has already paid money for the period after the current one, and has not got all of it back.
 * What credit has paid, or is free, is no money.
 */
export async function hasPaidAhead(em: EntityManager, subscription: Subscription): Promise<boolean> {
  const ahead = await findAhead(em, subscription, subscription.currentPeriodEnd)
  if (ahead?.status !== 'paid' || ahead.paymentId === null) return false
  return !(await wasSentBack(em, ahead.paymentId))
}

/**
 * Takes back the invoice for the next period: an open one is void, and one that was paid is returned. The next period
 * is invoiced again if there is one. The paid invoice is noted: its time never begins, so no change of plan counts
 * what is returned of it.
 */
export async function takeBackAhead(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  const ahead = await findAhead(em, subscription, subscription.currentPeriodEnd)
  subscription.invoicedUntil = subscription.currentPeriodEnd
  if (ahead?.status === 'open') voidInvoice(subscription, ahead, at)
  if (ahead?.status !== 'paid') return
  subscription.withheld = { ...subscription.withheld, [ahead.id]: '0' }
  giveBackCredit(subscription, ahead)
  if (ahead.paymentId) await sendBack(em, await lock(em, Payment, ahead.paymentId), { reason: 'unused period' }, at)
}

/** Stops collecting the open invoices of a subscription that ends. One for a time that never begins is taken back. */
export async function closeInvoices(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  await takeBackAhead(em, subscription, at)
  for (const invoice of await openInvoicesOf(em, subscription.id)) {
    if (invoice.status !== 'open') continue
    moveInvoice(invoice, 'uncollectible')
    invoice.updatedAt = new Date(at)
  }
}

/**
 * Makes an invoice void: it is not to be paid any more. The credit that it has used is there again, and the time for
 * which nothing was paid is not given back by a change of plan.
 */
export function voidInvoice(subscription: Subscription, invoice: Invoice, at: number): void {
  moveInvoice(invoice, 'void')
  invoice.voidedAt = invoice.updatedAt = new Date(at)
  giveBackCredit(subscription, invoice)
  const isOfThisCharge = invoice.periodStart.getTime() === subscription.chargedFrom.getTime()
  if (isOfThisCharge) subscription.chargedAmount = chargedWithout(subscription, invoice)
}

/** What is paid of the current charge without an invoice: a change of plan has paid a part by unused time. */
function chargedWithout({ chargedAmount }: Subscription, { subtotal }: Invoice): Amount {
  const left = subtract(chargedAmount, subtotal)
  return isLess(left, '0') ? '0' : left
}

function giveBackCredit(subscription: Subscription, { lineItems, billingReason, periodStart }: Invoice): void {
  const credit = format(add(subscription.credit, creditUsedBy(lineItems)), subscription.currency)
  subscription.credit = credit
  if (billingReason !== 'subscription_cycle') return
  const { chargedFrom, funding } = subscription
  subscription.funding = giveBackShares(funding, credit, periodStart, chargedFrom)
}
