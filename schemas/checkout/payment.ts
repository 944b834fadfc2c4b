import Type, { type Static } from 'typebox'
import type { Payment as PaymentRow } from '../../db/checkout/payment.ts'
import { formatRate } from '../../domain/balance/exchange.ts'
import { type Amount, format, subtract } from '../../domain/money.ts'
import { corridorKeys } from '../../domain/corridor.ts'
import { failureCodes, failureMessages, paymentStatuses } from '../../domain/checkout/payment.ts'
import { refundStatusOf } from '../../domain/refund.ts'
import { presentSplit } from './checkout.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { presentCustomerOf, presentDetails, ShownCustomer, ShownDetails } from '../customer.ts'
import { LineItem } from './line-item.ts'
import { FeePreference } from './settings.ts'

const text = nullable(Type.String())

/** The invoice that a payment pays; null for a sale that is not recurring. */
const InvoiceOfPayment = nullable(
  Type.Object({
    invoice_id: id('inv'),
    number: text,
    status: Type.String(),
    hosted_invoice_url: text,
  }),
)
export type InvoiceOfPayment = Static<typeof InvoiceOfPayment>

const fields = {
  payment_id: id('pay'),
  status: Type.Enum([...paymentStatuses]),
  amount: Money,
  amount_received: Money,
  currency: CurrencyCode,
  base_amount: Money,
  base_currency: CurrencyCode,
  rate: nullable(Type.String({ description: 'Units of the currency for one of the base currency; null where equal.' })),
  fee_usd: Money,
  fee_preference: FeePreference,
  billing_reason: Type.String(),
  payment_method: Type.Enum([...corridorKeys]),
  customer: ShownCustomer,
  customer_details: ShownDetails,
  line_items: nullable(Type.Array(LineItem)),
  checkout_id: nullable(id('chk')),
  subscription_id: text,
  invoice: InvoiceOfPayment,
  reference: text,
  platform_fee: nullable(Money),
  transfer_amount: nullable(Money),
  refunded_amount: Money,
  refund_status: Type.Enum(['none', 'partial', 'full']),
  disputed: Type.Boolean(),
  failure_code: nullable(Type.Enum([...failureCodes])),
  failure_message: text,
  metadata: Metadata,
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: nullable(Timestamp),
}

/** A payment as lists show it: without the payer's details. */
export const ListedPayment = Type.Object(fields, { $id: 'ListedPayment' })

/** The payer's details, by payment method (docs/contract/checkout.md, "Payments"). */
export const MethodDetails = nullable(
  Type.Record(Type.String(), nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
)

export const Payment = Type.Object({ ...fields, payment_method_details: MethodDetails }, { $id: 'Payment' })

export function presentListedPayment(row: PaymentRow, invoice: InvoiceOfPayment): Static<typeof ListedPayment> {
  const currency = row.currency
  const base = row.baseCurrency ?? row.currency
  return {
    payment_id: row.id,
    status: row.status,
    amount: format(row.amount, currency),
    amount_received: format(row.amountReceived, currency),
    currency,
    base_amount: format(soldFor(row), base),
    base_currency: base,
    rate: row.rate && formatRate(row.rate),
    fee_usd: format(row.feeUsd, 'USD'),
    fee_preference: row.feePreference,
    billing_reason: row.billingReason,
    payment_method: row.corridor,
    customer: presentCustomerOf(row),
    customer_details: presentDetails(row.customerDetails),
    line_items: row.lineItems,
    checkout_id: row.checkoutId,
    subscription_id: row.subscriptionId,
    invoice,
    reference: row.reference,
    ...presentSplit(row, base),
    refunded_amount: format(row.refundedAmount, currency),
    refund_status: refundStatusOf(row),
    disputed: row.disputed,
    failure_code: row.failureCode,
    failure_message: row.failureCode && failureMessages[row.failureCode],
    metadata: row.metadata,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    completed_at: isoOrNull(row.completedAt),
  }
}

/** The fee that was added on top of the price: that of the price which the buyer was shown. */
export const feeOnTop = ({ feePreference, quotedFee, fee }: PaymentRow): Amount =>
  feePreference === 'customer_pays' ? (quotedFee ?? fee) : '0'

/** The price in the sale's own currency: the payment without a fee that was added on top. */
export const soldFor = (row: PaymentRow): Amount => row.baseAmount ?? subtract(row.amount, feeOnTop(row))

export const presentPayment = (row: PaymentRow, invoice: InvoiceOfPayment): Static<typeof Payment> => ({
  ...presentListedPayment(row, invoice),
  payment_method_details: row.methodDetails,
})
