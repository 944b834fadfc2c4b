import { defineEntity, p } from '@mikro-orm/core'
import { billingReasons, type InvoiceLine, invoiceNumber, invoiceStatuses } from '../../domain/subscription/invoice.ts'
import { currencyCode, isOwned, moment, money, onClock, tenant, type Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import type { PostalAddress } from '../../domain/postal-address.ts'

const schema = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    // Given when it is opened; a draft has none.
    number: p.string().length(20).strictNullable(),
    status: p.enum(invoiceStatuses),
    billingReason: p.enum(billingReasons),
    // Its customer as they were when it was opened.
    customerId: p.string().index('invoices_by_customer'),
    customerEmail: p.string().length(320),
    customerName: p.string().length(255).strictNullable(),
    billingAddress: p.json<PostalAddress>().strictNullable(),
    subscriptionId: p.string(),
    // Its newest payment: the one that has paid it, once it is paid.
    paymentId: p.string().strictNullable(),
    lineItems: p.json<InvoiceLine[]>(),
    currency: currencyCode(),
    subtotal: money().check("subtotal >= 0 and subtotal <> 'NaN'"),
    total: money().check("total >= 0 and total <> 'NaN'"),
    amountPaid: money().default('0').check('amount_paid >= 0 and amount_paid <= total'),
    periodStart: moment(),
    periodEnd: moment(),
    // Until when it is to be paid; a card is charged when the invoice is opened.
    dueAt: moment(),
    attemptCount: p.integer().default(0),
    // The key of its page: whoever has the link may see and pay it.
    pageKey: p.string().length(64).unique('invoices_by_page_key'),
    metadata: p.json<Record<string, string>>(),
    finalizedAt: moment().strictNullable(),
    paidAt: moment().strictNullable(),
    // When its subscription has taken note that it is paid; the process of a checkout may have taken the money.
    appliedAt: moment().strictNullable(),
    voidedAt: moment().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'invoices_numbered_when_opened', expression: "(status = 'draft') = (number is null) or status = 'void'" },
    { name: 'invoices_paid_in_full', expression: "(status = 'paid') = (paid_at is not null)" },
    { name: 'invoices_paid_whole', expression: "status <> 'paid' or amount_paid = total" },
  ],
  indexes: [
    { name: 'invoices_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'invoices_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'invoices_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    { name: 'invoices_of_subscription', properties: ['subscriptionId', 'createdAt', 'id'] },
    { name: 'invoices_open', properties: ['subscriptionId', 'periodStart'], where: "status = 'open'" },
    { name: 'invoices_to_apply', properties: ['createdAt'], where: "status = 'paid' and applied_at is null" },
  ],
  uniques: [{ name: 'invoices_once_per_number', properties: ['accountId', 'environment', 'number'] }],
})
/** What is asked of a customer for a period of a subscription, or for a change of it. */
export class Invoice extends schema.class {}
schema.setClass(Invoice)

const countSchema = defineEntity({
  name: 'InvoiceCount',
  tableName: 'invoice_counts',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(['sandbox', 'live']).primary(),
    count: p.integer(),
  },
})
/** How many invoices of an account were opened: the last one’s number. */
export class InvoiceCount extends countSchema.class {}
countSchema.setClass(InvoiceCount)

/**
 * The next number of an account's invoices. The count stays locked until the transaction ends, so that a number whose
 * invoice is not committed is given out again: there are no gaps.
 */
export async function takeInvoiceNumber(em: EntityManager, { accountId, environment }: Tenant): Promise<string> {
  const [row] = await em.execute<{ count: number }[]>(
    `insert into invoice_counts as c (account_id, environment, count) values (?, ?, 1)
     on conflict (account_id, environment) do update set count = c.count + 1 returning count`,
    [accountId, environment],
  )
  if (!row) throw new Error('no number was given')
  return invoiceNumber(row.count)
}

/** The open invoices of a subscription, the oldest first. */
export const openInvoicesOf = (em: EntityManager, subscriptionId: string): Promise<Invoice[]> =>
  em.find(Invoice, { subscriptionId, status: 'open' }, { orderBy: { periodStart: 'asc', createdAt: 'asc', id: 'asc' } })
