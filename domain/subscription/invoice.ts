import type { LineItem } from '../checkout/line-item.ts'
import type { Currency } from '../currency.ts'
import { dayMs } from '../duration.ts'
import { add, type Amount, format, isLess, isZero, lesser, negate, subtract } from '../money.ts'
import { assertMove, type Moves } from '../move.ts'
import type { Period } from './period.ts'
import type { SubscriptionStatus } from './subscription.ts'

export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/**
 * Every legal move of an invoice (docs/contract/subscription.md, "Invoices"). One that nobody collects any more can
 * still be paid.
 */
export const invoiceMoves: Moves<InvoiceStatus> = {
  draft: ['open', 'void'],
  open: ['paid', 'void', 'uncollectible'],
  uncollectible: ['paid', 'void'],
  paid: [],
  void: [],
}

/** Moves an invoice on. */
export function moveInvoice(invoice: { status: InvoiceStatus }, to: InvoiceStatus): void {
  assertMove('invoice', invoiceMoves, invoice.status, to)
  invoice.status = to
}

/**
 * The invoice that stands of those for one period, newest first. One that was taken back never does: it is void, or
 * `withheld` names it where it was paid. On a test clock that stands, the one after it may have been opened at the same
 * moment. So one that is void counts only where no other is left: the merchant has voided it.
 */
export function standingInvoice<I extends { id: string; status: InvoiceStatus }>(
  newestFirst: readonly I[],
  withheld: Readonly<Record<string, Amount>>,
): I | null {
  const kept = newestFirst.filter(({ id }) => withheld[id] === undefined)
  return kept.find(({ status }) => status !== 'void') ?? kept[0] ?? null
}

export const billingReasons = ['subscription_create', 'subscription_cycle', 'subscription_update'] as const
export type BillingReason = (typeof billingReasons)[number]

/**
 * What a line of an invoice is for. `unused`: time that was paid and is given back; `credit`: what was carried over.
 */
export const lineKinds = ['plan', 'unused', 'remaining', 'credit'] as const
export type LineKind = (typeof lineKinds)[number]

/** A line of an invoice: a line item with its time. What is given back has negative amounts. */
export type InvoiceLine = Omit<LineItem, 'product_id'> & {
  product_id: string | null
  kind: LineKind
  period_start: string | null
  period_end: string | null
}

/** The line of an item for a period, both ends in milliseconds since the epoch. */
export const planLine = (item: LineItem, { start, end }: Period): InvoiceLine => ({
  ...item,
  kind: 'plan',
  period_start: new Date(start).toISOString(),
  period_end: new Date(end).toISOString(),
})

/** A line of one amount, such as what is given back; `name` says what it is for. */
export function amountLine(
  kind: LineKind,
  { name, amount, currency }: { name: string; amount: Amount; currency: Currency },
  period: Period | null = null,
): InvoiceLine {
  return {
    product_id: null,
    product_name: name,
    currency,
    price_type: 'fixed',
    minimum_amount: null,
    maximum_amount: null,
    quantity: 1,
    unit_amount: format(amount, currency),
    line_total: format(amount, currency),
    kind,
    period_start: period && new Date(period.start).toISOString(),
    period_end: period && new Date(period.end).toISOString(),
  }
}

/** What an invoice sells line by line, where it bills whole periods and nothing else; null for any other invoice. */
export function soldBy(lines: readonly InvoiceLine[]): LineItem[] | null {
  const sold = lines.flatMap(({ kind, product_id, period_start: _start, period_end: _end, ...line }) =>
    kind === 'plan' && product_id !== null ? [{ product_id, ...line }] : [],
  )
  return sold.length === lines.length ? sold : null
}

/** The names of what is sold, each with how many where that is not one. */
export const namesOf = (items: readonly Pick<LineItem, 'product_name' | 'quantity'>[]): string =>
  items.map(({ product_name: name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ')

/** What stands before the name of a plan in a line about a part of its period. */
export const partNames = { unused: 'Unused time of ', remaining: 'Remaining time of ' }

/** The plan of a line about a part of its period, for pages that say this in other words; null for other lines. */
export function planOfPart({ kind, product_name: name }: Pick<InvoiceLine, 'kind' | 'product_name'>): string | null {
  const before = kind === 'unused' || kind === 'remaining' ? partNames[kind] : null
  return before !== null && name.startsWith(before) ? name.slice(before.length) : null
}

/** The content of a new invoice, and the credit that is left for the next one, zero or more. */
export type Composed = { lines: InvoiceLine[]; subtotal: Amount; total: Amount; creditLeft: Amount }

/**
 * Composes an invoice of these lines and of the credit from earlier ones. It is never below zero: credit that is not
 * used is carried over to the next invoice.
 */
export function composeInvoice(lines: readonly InvoiceLine[], credit: Amount, currency: Currency): Composed {
  const sum = lines.reduce((total, { line_total }) => add(total, line_total), '0')
  const subtotal = format(isLess(sum, '0') ? '0' : sum, currency)
  // Lines that give back more than they charge leave credit too.
  const own = isLess(sum, '0') ? negate(sum) : '0'
  const used = lesser(credit, subtotal)
  const left = add(subtract(credit, used), own)
  const settling = [
    ...(isZero(own) ? [] : [amountLine('credit', { name: 'Credit for the next invoice', amount: own, currency })]),
    ...(isZero(used) ? [] : [amountLine('credit', { name: 'Credit', amount: negate(used), currency })]),
  ]
  return {
    lines: [...lines, ...settling],
    subtotal,
    total: format(subtract(subtotal, used), currency),
    creditLeft: format(left, currency),
  }
}

/** The credit from earlier invoices that an invoice has used. */
export const creditUsedBy = (lines: readonly InvoiceLine[]): Amount =>
  lines
    .filter(({ kind, line_total: total }) => kind === 'credit' && isLess(total, '0'))
    .reduce<Amount>((sum, { line_total: total }) => subtract(sum, total), '0')

/** The number of the nth invoice of an account in one environment; without gaps, from 1 on. */
export const invoiceNumber = (count: number): string => `INV-${String(count).padStart(6, '0')}`

/** How long before the end of a period the invoice for the next one is opened where the customer pays it. */
export const openedAheadMs = 3 * dayMs

/** Whether an invoice waits for its money. */
const awaitsMoney = (status: InvoiceStatus): boolean => status === 'open' || status === 'uncollectible'

/**
 * Whether a customer may pay an invoice on its page. After the end of the subscription the account's policy decides:
 * money that would go back at once is not taken.
 */
export const mayBePaid = (
  invoice: { status: InvoiceStatus },
  subscription: { status: SubscriptionStatus },
  latePaymentPolicy: 'accept' | 'refund',
): boolean => awaitsMoney(invoice.status) && (subscription.status !== 'canceled' || latePaymentPolicy === 'accept')
