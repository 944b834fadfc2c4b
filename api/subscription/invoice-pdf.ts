import type { EntityManager } from '../../db/core/database.ts'
import type { Invoice } from '../../db/subscription/invoice.ts'
import { localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { firstOfOurs } from '../../domain/language.ts'
import type { ReaderQuery } from '../../schemas/file.ts'
import { readLetterhead } from '../checkout/letterhead.ts'
import { FileAnswer } from '../http/operation.ts'
import { drawPaper } from '../pdf/draw.ts'
import { paperLanguageOf } from '../pdf/language.ts'
import { invoicePaper } from './invoice-paper.ts'

/**
 * An invoice as a PDF, under its number: in the language of its customer, else of the sale that began its subscription,
 * else of its reader, as its page is.
 */
export async function answerWithPdf(
  em: EntityManager,
  invoice: Readonly<Invoice>,
  { locale: ofReader }: ReaderQuery,
): Promise<FileAnswer> {
  const subscription = await em.findOneOrFail(Subscription, { id: invoice.subscriptionId })
  const language = paperLanguageOf(firstOfOurs(await localeOfSale(em, subscription), ofReader ?? null))
  const paper = invoicePaper(invoice, await readLetterhead(em, invoice), language)
  return new FileAnswer(await drawPaper(paper), `${invoice.number ?? 'draft-invoice'}.pdf`)
}
