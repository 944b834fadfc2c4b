import type { Invoice } from '../../db/subscription/invoice.ts'
import { isLess, isZero, subtract } from '../../domain/money.ts'
import { type InvoiceLine, type InvoiceStatus, planOfPart } from '../../domain/subscription/invoice.ts'
import type { PaperLanguage } from '../pdf/language.ts'
import type { Fact, Letterhead, Paper, PaperLine } from '../pdf/paper.ts'
import { addressLines, currencyText } from '../pdf/words.ts'

/** An invoice as a document. It names the customer as they were when it was opened. */
export function invoicePaper(invoice: Invoice, letterhead: Letterhead, language: PaperLanguage): Paper {
  const { number, customerName, customerEmail, billingAddress, currency, createdAt, periodStart, periodEnd } = invoice
  const { say, day, span } = language
  const issuedAt = invoice.finalizedAt ?? createdAt
  return {
    language,
    title: number === null ? say('draft') : say('invoice', { number }),
    status: statusTexts[invoice.status](invoice, language),
    letterhead,
    recipient: [...(customerName ? [customerName] : []), customerEmail, ...addressLines(billingAddress)],
    facts: [
      { label: say('issued'), value: day(issuedAt) },
      { label: say('due'), value: day(invoice.dueAt) },
      { label: say('period'), value: span(periodStart, periodEnd) },
      { label: say('currency'), value: currencyText(currency) },
    ],
    lines: invoice.lineItems.filter((line) => !isUsedCredit(line)).map((line) => paperLine(line, language)),
    sums: sumsOf(invoice, language),
    remark: null,
    issuedAt: issuedAt.getTime(),
  }
}

/** How an invoice stands, by its status. */
const statusTexts: Record<InvoiceStatus, (invoice: Invoice, language: PaperLanguage) => string> = {
  draft: (_invoice, { say }) => say('not.issued'),
  open: ({ dueAt }, { say, day }) => say('due.by', { day: day(dueAt) }),
  paid: ({ paidAt, updatedAt }, { say, day }) => say('paid.on', { day: day(paidAt ?? updatedAt) }),
  void: (_invoice, { say }) => say('void'),
  uncollectible: (_invoice, { say }) => say('unpaid'),
}

/** Credit from before is deducted below the subtotal, so it is no line of its own. */
const isUsedCredit = ({ kind, line_total: total }: InvoiceLine): boolean => kind === 'credit' && isLess(total, '0')

const paperLine = (line: InvoiceLine, language: PaperLanguage): PaperLine => ({
  name: lineName(line, language),
  detail:
    line.period_start === null || line.period_end === null
      ? null
      : language.span(new Date(line.period_start), new Date(line.period_end)),
  quantity: String(line.quantity),
  unitAmount: language.amount(line.unit_amount, line.currency),
  total: language.amount(line.line_total, line.currency),
})

/** What a line is for, where the service has named it and not the merchant: in the language. */
function lineName(line: InvoiceLine, { say }: PaperLanguage): string {
  const plan = planOfPart(line)
  if (plan !== null) return say(line.kind === 'unused' ? 'unused' : 'remaining', { plan })
  return line.kind === 'credit' ? say('credit.next') : line.product_name
}

function sumsOf({ subtotal, total, amountPaid, currency, status }: Invoice, language: PaperLanguage): Paper['sums'] {
  const { say } = language
  const credit = subtract(total, subtotal)
  const due = status === 'void' ? '0' : subtract(total, amountPaid)
  const sum = (label: string, amount: string): Fact => ({ label, value: language.amount(amount, currency) })
  return [
    sum(say('subtotal'), subtotal),
    ...(isZero(credit) ? [] : [sum(say('credit'), credit)]),
    sum(say('total', { currency }), total),
    ...(isZero(amountPaid) ? [] : [sum(say('paid'), amountPaid)]),
    { ...sum(say('amount.due'), due), isStrong: true },
  ]
}
