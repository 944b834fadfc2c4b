import type { EntityManager } from '../../db/core/database.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import type { Amount } from '../../domain/money.ts'
import { standingInvoice } from '../../domain/subscription/invoice.ts'
import type { Ahead } from '../../schemas/subscription/subscription.ts'
import { sentBackOf } from '../send-back.ts'
import { creditOf } from './credit.ts'

/**
 * Reads of these subscriptions their credit, and how the invoice of the next period stands, where that was opened
 * before the period begins. Of several for one period the same counts as for its begin (`findAhead`).
 */
export async function readAhead(em: EntityManager, rows: Subscription[]): Promise<(row: Subscription) => Ahead> {
  const credits = new Map<string, Amount>()
  for (const row of rows) credits.set(row.id, (await creditOf(em, row)).credit)
  const notInvoiced = ({ id, credit }: Subscription): Ahead => ({
    nextDueAt: null,
    paidUntil: null,
    openTotal: null,
    credit: credits.get(id) ?? credit,
  })
  const invoiced = rows.filter((row) => row.invoicedUntil > row.currentPeriodEnd)
  if (invoiced.length === 0) return notInvoiced
  const where = { billingReason: 'subscription_cycle' as const, subscriptionId: { $in: invoiced.map(({ id }) => id) } }
  const starts = { periodStart: { $in: invoiced.map(({ currentPeriodEnd }) => currentPeriodEnd) } }
  const invoices = await em.find(Invoice, { ...where, ...starts }, { orderBy: { createdAt: 'desc', id: 'desc' } })
  const paidBy = invoices.flatMap(({ status, paymentId }) => (status === 'paid' && paymentId ? [paymentId] : []))
  const sentBack = await sentBackOf(em, paidBy)
  return (row) => {
    if (row.invoicedUntil <= row.currentPeriodEnd) return notInvoiced(row)
    const start = row.currentPeriodEnd.getTime()
    const ofPeriod = invoices.filter((each) => each.subscriptionId === row.id && each.periodStart.getTime() === start)
    const ahead = standingInvoice(ofPeriod, row.withheld)
    if (!ahead) return notInvoiced(row)
    if (ahead.status === 'open') return { ...notInvoiced(row), openTotal: ahead.total }
    const isPaid = ahead.status === 'paid' && ahead.paymentId !== null && !sentBack.has(ahead.paymentId)
    return { ...notInvoiced(row), nextDueAt: row.invoicedUntil, paidUntil: isPaid ? row.invoicedUntil : null }
  }
}
