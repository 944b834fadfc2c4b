import type { Payment } from '../../db/checkout/payment.ts'
import { formatRate } from '../../domain/balance/exchange.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { type Amount, isZero, negate, subtract } from '../../domain/money.ts'
import { feeOnTop, soldFor } from '../../schemas/checkout/payment.ts'
import type { PaperLanguage } from '../pdf/language.ts'
import type { Fact, Letterhead, Paper, PaperLine } from '../pdf/paper.ts'
import { currencyText } from '../pdf/words.ts'

/**
 * What a receipt says that the payment's row does not. `description`: what a payment without products was for; null if
 * nobody has said it. `refunded`: what refunds have returned to the buyer.
 */
type Besides = { description: string | null; refunded: Amount }

/**
 * The receipt of a payment as a document. It shows what the buyer has typed, as the record of a customer may be
 * somebody else's.
 */
export function receiptPaper(
  payment: Payment,
  { description, refunded }: Besides,
  letterhead: Letterhead,
  language: PaperLanguage,
): Paper {
  const { id, customerDetails: buyer, reference, rate, baseCurrency, currency } = payment
  const { say, day } = language
  const paidAt = payment.completedAt ?? payment.updatedAt
  const { name = null, email = null } = buyer ?? {}
  return {
    language,
    title: say('receipt'),
    status: say('receipt.paid.on', { day: day(paidAt) }),
    letterhead,
    recipient: [name, email].flatMap((each) => each ?? []),
    facts: [
      { label: say('payment'), value: id },
      ...(reference === null ? [] : [{ label: say('reference'), value: reference }]),
      { label: say('paid.with'), value: methodText(payment, language) },
      { label: say('currency'), value: currencyText(currency) },
      ...(rate && baseCurrency
        ? [{ label: say('rate'), value: `1 ${baseCurrency} = ${language.figure(formatRate(rate))} ${currency}` }]
        : []),
    ],
    lines: linesOf(payment, description ?? say('payment'), language),
    sums: sumsOf(payment, refunded, language),
    remark: null,
    issuedAt: paidAt.getTime(),
  }
}

function methodText({ corridor, methodDetails }: Payment, { say }: PaperLanguage): string {
  const { method } = corridorOf(corridor)
  const last4 = method === 'card' ? methodDetails?.['last4'] : null
  return typeof last4 === 'string' ? say('card.ending', { last4 }) : say(method)
}

function linesOf(payment: Payment, description: string, { amount }: PaperLanguage): PaperLine[] {
  const currency = payment.baseCurrency ?? payment.currency
  if (payment.lineItems) {
    return payment.lineItems.map((item) => ({
      name: item.product_name,
      detail: null,
      quantity: String(item.quantity),
      unitAmount: amount(item.unit_amount, item.currency),
      total: amount(item.line_total, item.currency),
    }))
  }
  const price = amount(soldFor(payment), currency)
  return [{ name: description, detail: null, quantity: '1', unitAmount: price, total: price }]
}

function sumsOf(payment: Payment, refunded: Amount, language: PaperLanguage): Paper['sums'] {
  const { currency, amount, amountReceived, rate, baseCurrency } = payment
  const { say } = language
  const fee = feeOnTop(payment)
  const sum = (label: string, value: string, of = currency): Fact => ({ label, value: language.amount(value, of) })
  return [
    sum(say('subtotal'), soldFor(payment), baseCurrency ?? currency),
    ...(rate ? [sum(say('subtotal.in', { currency }), subtract(amount, fee))] : []),
    ...(isZero(fee) ? [] : [sum(say('fee'), fee)]),
    sum(say('total.plain'), amount),
    { ...sum(say('paid.in', { currency }), amountReceived), isStrong: true },
    ...(isZero(refunded) ? [] : [sum(say('refunded'), negate(refunded))]),
  ]
}
