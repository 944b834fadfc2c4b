import Type from 'typebox'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { formatRate } from '../../domain/balance/exchange.ts'
import { corridorOf, type Method } from '../../domain/corridor.ts'
import { isZero, negate } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter } from '../../schemas/common.ts'
import { soldFor } from '../../schemas/checkout/payment.ts'
import { PdfFile } from '../../schemas/file.ts'
import { FileAnswer, operation } from '../http/operation.ts'
import { drawPaper } from '../pdf/draw.ts'
import type { Letterhead, Paper, PaperLine } from '../pdf/paper.ts'
import { english } from '../pdf/language.ts'
import { currencyText } from '../pdf/words.ts'
import { readLetterhead } from './letterhead.ts'

export const getReceipt = operation({
  method: 'get',
  path: '/v1/payments/{payment_id}/receipt',
  summary: 'Read the receipt of a payment as a PDF',
  tag: 'Payments',
  auth: ['apiKey'],
  scope: 'payments:read',
  params: Type.Object({ payment_id: idParameter('pay') }),
  returns: [200, PdfFile],
  returnsFile: 'application/pdf',
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const payment = await readRow(em, Payment, { id: params.payment_id, accountId, environment })
    if (!payment) throw new Refusal('NOT_FOUND', 'no such payment')
    if (payment.status !== 'succeeded') throw new Refusal('CONFLICT', `the payment is ${payment.status}`)
    const paper = receiptPaper(payment, await soldBy(em, payment), await readLetterhead(em, payment))
    return new FileAnswer(await drawPaper(paper), `receipt-${payment.id}.pdf`)
  },
})

/** What a sale without products was for. */
async function soldBy(em: EntityManager, { checkoutId }: Payment): Promise<string> {
  const session = checkoutId ? await em.findOne(Checkout, { id: checkoutId }) : null
  return session?.description ?? 'Payment'
}

/** The receipt of a payment. It shows what the buyer has typed, as the record of a customer may be somebody else's. */
function receiptPaper(payment: Payment, description: string, letterhead: Letterhead): Paper {
  const { id, customerDetails: buyer, reference, rate, baseCurrency, currency } = payment
  const paidAt = payment.completedAt ?? payment.updatedAt
  const { name = null, email = null } = buyer ?? {}
  return {
    language: english,
    title: 'Receipt',
    status: `Paid on ${english.day(paidAt)}`,
    letterhead,
    recipient: [name, email].flatMap((each) => each ?? []),
    facts: [
      { label: 'Payment', value: id },
      ...(reference === null ? [] : [{ label: 'Reference', value: reference }]),
      { label: 'Paid with', value: methodText(payment) },
      { label: 'Currency', value: currencyText(currency) },
      ...(rate && baseCurrency
        ? [{ label: 'Rate', value: `1 ${baseCurrency} = ${formatRate(rate)} ${currency}` }]
        : []),
    ],
    lines: linesOf(payment, description),
    sums: sumsOf(payment),
    remark: null,
    issuedAt: paidAt.getTime(),
  }
}

const methodNames: Record<Method, string> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  mobile_money: 'Mobile money',
  crypto: 'Crypto',
}

function methodText({ corridor, methodDetails }: Payment): string {
  const { method } = corridorOf(corridor)
  const last4 = method === 'card' ? methodDetails?.['last4'] : null
  return typeof last4 === 'string' ? `Card ending in ${last4}` : methodNames[method]
}

function linesOf(payment: Payment, description: string): PaperLine[] {
  const currency = payment.baseCurrency ?? payment.currency
  if (payment.lineItems) {
    return payment.lineItems.map((item) => ({
      name: item.product_name,
      detail: null,
      quantity: String(item.quantity),
      unitAmount: english.amount(item.unit_amount, item.currency),
      total: english.amount(item.line_total, item.currency),
    }))
  }
  const price = english.amount(soldFor(payment), currency)
  return [{ name: description, detail: null, quantity: '1', unitAmount: price, total: price }]
}

function sumsOf(payment: Payment): Paper['sums'] {
  const { currency, amount, amountReceived, fee, feePreference, rate, baseCurrency, settles, refundedAmount } = payment
  const hasFee = feePreference === 'customer_pays' && !isZero(fee)
  const price = hasFee ? settles : amount
  return [
    { label: 'Subtotal', value: english.amount(soldFor(payment), baseCurrency ?? currency) },
    ...(rate ? [{ label: `Subtotal in ${currency}`, value: english.amount(price, currency) }] : []),
    ...(hasFee ? [{ label: 'Fee', value: english.amount(fee, currency) }] : []),
    { label: 'Total', value: english.amount(amount, currency) },
    { label: `Amount paid (${currency})`, value: english.amount(amountReceived, currency), isStrong: true },
    ...(isZero(refundedAmount) ? [] : [{ label: 'Refunded', value: english.amount(negate(refundedAmount), currency) }]),
  ]
}
