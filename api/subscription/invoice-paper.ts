import type { Invoice } from '../../db/subscription/invoice.ts'
import { isLess, isZero, subtract } from '../../domain/money.ts'
import type { InvoiceLine, InvoiceStatus } from '../../domain/subscription/invoice.ts'
import type { Fact, Letterhead, Paper, PaperLine } from '../pdf/paper.ts'
import { addressLines, amountText, currencyText, dayText, spanText } from '../pdf/words.ts'

/** An invoice as a document. It names the customer as they were when it was opened. */
export function invoicePaper(invoice: Invoice, letterhead: Letterhead): Paper {
  const { number, customerName, customerEmail, billingAddress, currency, createdAt, periodStart, periodEnd } = invoice
  const issuedAt = invoice.finalizedAt ?? createdAt
  return {
    title: number === null ? 'Draft invoice' : `Invoice ${number}`,
    status: statusText(invoice),
    letterhead,
    recipient: [...(customerName ? [customerName] : []), customerEmail, ...addressLines(billingAddress)],
    facts: [
      { label: 'Issued on', value: dayText(issuedAt) },
      { label: 'Due by', value: dayText(invoice.dueAt) },
      { label: 'Period', value: spanText(periodStart, periodEnd) },
      { label: 'Currency', value: currencyText(currency) },
    ],
    lines: invoice.lineItems.filter((line) => !isUsedCredit(line)).map(paperLine),
    sums: sumsOf(invoice),
    remark: null,
    issuedAt: issuedAt.getTime(),
  }
}

/** How an invoice stands, by its status. */
const statusTexts: Record<InvoiceStatus, (invoice: Invoice) => string> = {
  draft: () => 'Not issued yet',
  open: ({ dueAt }) => `Due by ${dayText(dueAt)}`,
  paid: ({ paidAt, updatedAt }) => `Paid on ${dayText(paidAt ?? updatedAt)}`,
  void: () => 'Void: not to be paid',
  uncollectible: () => 'Not paid',
}

const statusText = (invoice: Invoice): string => statusTexts[invoice.status](invoice)

/** Credit from before is deducted below the subtotal, so it is no line of its own. */
const isUsedCredit = ({ kind, line_total: total }: InvoiceLine): boolean => kind === 'credit' && isLess(total, '0')

const paperLine = (line: InvoiceLine): PaperLine => ({
  name: line.product_name,
  detail:
    line.period_start === null || line.period_end === null
      ? null
      : spanText(new Date(line.period_start), new Date(line.period_end)),
  quantity: String(line.quantity),
  unitAmount: amountText(line.unit_amount, line.currency),
  total: amountText(line.line_total, line.currency),
})

function sumsOf({ subtotal, total, amountPaid, currency, status }: Invoice): Paper['sums'] {
  const credit = subtract(total, subtotal)
  const due = status === 'void' ? '0' : subtract(total, amountPaid)
  const sum = (label: string, amount: string): Fact => ({ label, value: amountText(amount, currency) })
  return [
    sum('Subtotal', subtotal),
    ...(isZero(credit) ? [] : [sum('Credit', credit)]),
    sum(`Total (${currency})`, total),
    ...(isZero(amountPaid) ? [] : [sum('Amount paid', amountPaid)]),
    { ...sum('Amount due', due), isStrong: true },
  ]
}
