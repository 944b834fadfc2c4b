import Type from 'typebox'
import { findInvoicesOf } from '../../commands/subscription/invoices-of-payments.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { returnedToPayer } from '../../db/standing-returns.ts'
import { localeOfPayment } from '../../commands/subscription/locale-of-payment.ts'
import { firstOfOurs } from '../../domain/language.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter } from '../../schemas/common.ts'
import { PdfFile, readerQuery } from '../../schemas/file.ts'
import { FileAnswer, operation } from '../http/operation.ts'
import { drawPaper } from '../pdf/draw.ts'
import { type PaperLanguage, paperLanguageOf } from '../pdf/language.ts'
import type { Paper } from '../pdf/paper.ts'
import { readLetterhead } from './letterhead.ts'
import { findPayment } from './payment.ts'
import { receiptPaper } from './receipt-paper.ts'

export const getReceipt = operation({
  method: 'get',
  path: '/v1/payments/{payment_id}/receipt',
  summary: 'Read the receipt of a payment as a PDF',
  tag: 'Payments',
  auth: ['apiKey'],
  scope: 'payments:read',
  params: Type.Object({ payment_id: idParameter('pay') }),
  query: readerQuery,
  returns: [200, PdfFile],
  returnsFile: 'application/pdf',
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, query, caller, em, services: { config } }) {
    const payment = await findPayment(em, caller, params.payment_id)
    if (payment.status !== 'succeeded') throw new Refusal('CONFLICT', `the payment is ${payment.status}`)
    const language = paperLanguageOf(firstOfOurs(await localeOfPayment(em, payment), query.locale ?? null))
    const paper = await receiptOf(em, payment, language, config.publicUrl)
    return new FileAnswer(await drawPaper(paper), `receipt-${payment.id}.pdf`)
  },
})

/** The receipt of a payment as it stands now. */
export async function receiptOf(
  em: EntityManager,
  payment: Payment,
  language: PaperLanguage,
  publicUrl: string,
): Promise<Paper> {
  const description = await descriptionOf(em, payment, language, publicUrl)
  const refunded = await returnedToPayer(em, payment.id)
  return receiptPaper(payment, { description, refunded }, await readLetterhead(em, payment), language)
}

/** What a payment without products was for: an invoice, or what its merchant has said; null if nothing was said. */
export async function descriptionOf(
  em: EntityManager,
  payment: Payment,
  { say }: PaperLanguage,
  publicUrl: string,
): Promise<string | null> {
  const { lineItems, checkoutId } = payment
  if (lineItems) return null
  const invoiceOf = await findInvoicesOf(em, [payment], publicUrl)
  const number = invoiceOf(payment)?.number ?? null
  if (number !== null) return say('invoice', { number })
  const session = checkoutId ? await em.findOne(Checkout, { id: checkoutId }) : null
  return session?.description ?? null
}
