import Type from 'typebox'
import { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { localeOfPayment } from '../../commands/subscription/locale-of-payment.ts'
import { firstOfOurs } from '../../domain/language.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter } from '../../schemas/common.ts'
import { PdfFile, readerQuery } from '../../schemas/file.ts'
import { FileAnswer, operation } from '../http/operation.ts'
import { drawPaper } from '../pdf/draw.ts'
import { paperLanguageOf } from '../pdf/language.ts'
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

  async handle({ params, query, caller, em }) {
    const payment = await findPayment(em, caller, params.payment_id)
    if (payment.status !== 'succeeded') throw new Refusal('CONFLICT', `the payment is ${payment.status}`)
    const language = paperLanguageOf(firstOfOurs(await localeOfPayment(em, payment), query.locale ?? null))
    const sold = await descriptionOf(em, payment)
    const paper = receiptPaper(payment, sold, await readLetterhead(em, payment), language)
    return new FileAnswer(await drawPaper(paper), `receipt-${payment.id}.pdf`)
  },
})

/** What a sale without products was for; null if its merchant has not said it. */
async function descriptionOf(em: EntityManager, { checkoutId }: Payment): Promise<string | null> {
  const session = checkoutId ? await em.findOne(Checkout, { id: checkoutId }) : null
  return session?.description ?? null
}
