import Type from 'typebox'
import { newId } from '../../domain/id.ts'
import { LineItem } from '../checkout/line-item.ts'
import { CurrencyCode, id, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { BillingAddress, NamedCustomer } from '../customer.ts'
import { sampleAddress, sampleLineItem, sampleMoment, sampleNamedCustomer } from '../sample.ts'

const text = nullable(Type.String())

/** An invoice (docs/contract/subscription.md, "Invoices"); a draft has no number yet. */
export const Invoice = Type.Object(
  {
    invoice_id: id('inv'),
    number: text,
    status: Type.Enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
    billing_reason: Type.Enum(['purchase', 'subscription_create', 'subscription_cycle', 'subscription_update']),
    customer: NamedCustomer,
    subscription_id: nullable(id('sub')),
    payment_id: nullable(id('pay')),
    line_items: Type.Array(LineItem),
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

const sampleInvoice = (invoiceId: string, at: number) => ({
  invoice_id: invoiceId,
  number: 'INV-000042',
  billing_reason: 'subscription_cycle' as const,
  customer: sampleNamedCustomer(at),
  subscription_id: newId('sub', at),
  payment_id: newId('pay', at),
  line_items: [sampleLineItem(at)],
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
