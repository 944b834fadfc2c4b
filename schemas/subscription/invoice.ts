import Type, { type Static } from 'typebox'
import type { Invoice as InvoiceRow } from '../../db/subscription/invoice.ts'
import { newId } from '../../domain/id.ts'
import { format, subtract } from '../../domain/money.ts'
import { invoiceStatuses, lineKinds } from '../../domain/subscription/invoice.ts'
import { LineItem } from '../checkout/line-item.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, Money, nullable, SignedMoney, Timestamp } from '../common.ts'
import { BillingAddress, NamedCustomer } from '../customer.ts'
import { sampleAddress, sampleLineItem, sampleMoment, sampleNamedCustomer } from '../sample.ts'

const text = nullable(Type.String())

/** A line of an invoice: what was sold and for which time. What is given back has negative amounts. */
export const InvoiceLine = Type.Object(
  {
    ...LineItem.properties,
    product_id: nullable(Type.String()),
    unit_amount: SignedMoney,
    line_total: SignedMoney,
    kind: Type.Enum([...lineKinds]),
    period_start: nullable(Timestamp),
    period_end: nullable(Timestamp),
  },
  { $id: 'InvoiceLine' },
)

/** An invoice (docs/contract/subscription.md, "Invoices"); a draft has no number yet. */
export const Invoice = Type.Object(
  {
    invoice_id: id('inv'),
    number: text,
    status: Type.Enum([...invoiceStatuses]),
    billing_reason: Type.Enum(['purchase', 'subscription_create', 'subscription_cycle', 'subscription_update']),
    customer: NamedCustomer,
    subscription_id: nullable(id('sub')),
    payment_id: nullable(id('pay')),
    line_items: Type.Array(InvoiceLine),
    subtotal: Money,
    total: Money,
    amount_paid: Money,
    amount_due: Money,
    currency: CurrencyCode,
    period_start: nullable(Timestamp),
    period_end: nullable(Timestamp),
    due_at: nullable(Timestamp),
    attempt_count: Type.Integer({ minimum: 0 }),
    next_payment_attempt_at: nullable(Timestamp),
    hosted_invoice_url: text,
    pdf_url: text,
    billing_address: BillingAddress,
    metadata: Metadata,
    finalized_at: nullable(Timestamp),
    paid_at: nullable(Timestamp),
    voided_at: nullable(Timestamp),
  },
  { $id: 'Invoice' },
)

/** Where an invoice can be seen and paid by whoever has the link. */
export const invoicePageUrl = ({ pageKey }: Pick<InvoiceRow, 'pageKey'>, publicUrl: string): string =>
  `${publicUrl}/invoice/${pageKey}`

/** When the card of an invoice's subscription is charged next; null where it is not. */
export type Collecting = { nextPaymentAttemptAt: Date | null }

/** An invoice. `publicUrl` is the address of the pages that customers open. */
export function presentInvoice(
  row: InvoiceRow,
  { nextPaymentAttemptAt }: Collecting,
  publicUrl: string,
): Static<typeof Invoice> {
  const { currency } = row
  const url = row.status === 'draft' ? null : invoicePageUrl(row, publicUrl)
  const isDue = row.status !== 'paid' && row.status !== 'void' // one that is `uncollectible` can still be paid
  return {
    invoice_id: row.id,
    number: row.number,
    status: row.status,
    billing_reason: row.billingReason,
    customer: { id: row.customerId, email: row.customerEmail, name: row.customerName },
    subscription_id: row.subscriptionId,
    payment_id: row.paymentId,
    line_items: row.lineItems,
    subtotal: format(row.subtotal, currency),
    total: format(row.total, currency),
    amount_paid: format(row.amountPaid, currency),
    amount_due: format(isDue ? subtract(row.total, row.amountPaid) : '0', currency),
    currency,
    period_start: iso(row.periodStart),
    period_end: iso(row.periodEnd),
    due_at: iso(row.dueAt),
    attempt_count: row.attemptCount,
    next_payment_attempt_at: row.status === 'open' ? isoOrNull(nextPaymentAttemptAt) : null,
    hosted_invoice_url: url,
    pdf_url: url && `${url}/pdf`,
    billing_address: row.billingAddress,
    metadata: row.metadata,
    finalized_at: isoOrNull(row.finalizedAt),
    paid_at: isoOrNull(row.paidAt),
    voided_at: isoOrNull(row.voidedAt),
  }
}

const sampleInvoice = (invoiceId: string, at: number) => ({
  invoice_id: invoiceId,
  number: 'INV-000042',
  billing_reason: 'subscription_cycle' as const,
  customer: sampleNamedCustomer(at),
  subscription_id: newId('sub', at),
  payment_id: newId('pay', at),
  line_items: [
    {
      ...sampleLineItem(at),
      kind: 'plan' as const,
      period_start: sampleMoment(at),
      period_end: sampleMoment(at, 30),
    },
  ],
  subtotal: '25.00',
  total: '25.00',
  currency: 'USD' as const,
  period_start: sampleMoment(at),
  period_end: sampleMoment(at, 30),
  due_at: sampleMoment(at),
  attempt_count: 1,
  hosted_invoice_url: `https://example.com/invoices/${invoiceId}`,
  pdf_url: `https://example.com/invoices/${invoiceId}/pdf`,
  billing_address: sampleAddress,
  metadata: {},
  finalized_at: sampleMoment(at),
  voided_at: null,
})

export const samplePaidInvoice = (invoiceId: string, at: number) => ({
  ...sampleInvoice(invoiceId, at),
  status: 'paid' as const,
  amount_paid: '25.00',
  amount_due: '0.00',
  next_payment_attempt_at: null,
  paid_at: sampleMoment(at),
})

export const sampleUnpaidInvoice = (invoiceId: string, at: number) => ({
  ...sampleInvoice(invoiceId, at),
  status: 'open' as const,
  amount_paid: '0.00',
  amount_due: '25.00',
  next_payment_attempt_at: sampleMoment(at, 2),
  paid_at: null,
})
