import Type, { type Static } from 'typebox'
import type { Invoice as InvoiceRow } from '../../db/subscription/invoice.ts'
import { environments } from '../../domain/access/scope.ts'
import { format, subtract } from '../../domain/money.ts'
import type { AccountSettings } from '../../domain/platform/account-settings.ts'
import { invoiceStatuses } from '../../domain/subscription/invoice.ts'
import { MerchantBrand, presentBrand } from '../checkout/merchant-brand.ts'
import { CurrencyCode, iso, isoOrNull, Money, nullable, Timestamp } from '../common.ts'
import { InvoiceLine } from './invoice.ts'

const { product_name, quantity, unit_amount, line_total, kind, period_start, period_end } = InvoiceLine.properties

const PublicInvoiceLine = Type.Object(
  { product_name, quantity, unit_amount, line_total, kind, period_start, period_end },
  { $id: 'PublicInvoiceLine' },
)

/** What whoever has an invoice's link may see of it: no ids, no email, no metadata. */
export const PublicInvoice = Type.Object(
  {
    number: nullable(Type.String()),
    status: Type.Enum([...invoiceStatuses]),
    can_be_paid: Type.Boolean(),
    merchant_name: Type.String(),
    merchant: MerchantBrand,
    environment: Type.Enum([...environments]),
    locale: nullable(Type.String()),
    customer_name: nullable(Type.String()),
    line_items: Type.Array(PublicInvoiceLine),
    subtotal: Money,
    total: Money,
    amount_paid: Money,
    amount_due: { ...Money, description: 'What can be paid here; zero where nothing can.' },
    currency: CurrencyCode,
    period_start: Timestamp,
    period_end: Timestamp,
    due_at: Timestamp,
    paid_at: nullable(Timestamp),
    voided_at: nullable(Timestamp),
  },
  { $id: 'PublicInvoice' },
)

/** `publicUrl` serves uploads; `canBePaid`: whether a payment would be kept; `locale`: that of the sale. */
type Around = { merchant: AccountSettings; canBePaid: boolean; publicUrl: string; locale: string | null }

export function presentPublicInvoice(
  row: InvoiceRow,
  { merchant, canBePaid, publicUrl, locale }: Around,
): Static<typeof PublicInvoice> {
  const { currency } = row
  return {
    number: row.number,
    status: row.status,
    can_be_paid: canBePaid,
    merchant_name: merchant.displayName,
    merchant: presentBrand(merchant, publicUrl),
    environment: row.environment,
    locale,
    customer_name: row.customerName,
    line_items: row.lineItems.map((line) => ({
      product_name: line.product_name,
      quantity: line.quantity,
      unit_amount: line.unit_amount,
      line_total: line.line_total,
      kind: line.kind,
      period_start: line.period_start,
      period_end: line.period_end,
    })),
    subtotal: format(row.subtotal, currency),
    total: format(row.total, currency),
    amount_paid: format(row.amountPaid, currency),
    amount_due: format(canBePaid ? subtract(row.total, row.amountPaid) : '0', currency),
    currency,
    period_start: iso(row.periodStart),
    period_end: iso(row.periodEnd),
    due_at: iso(row.dueAt),
    paid_at: isoOrNull(row.paidAt),
    voided_at: isoOrNull(row.voidedAt),
  }
}
