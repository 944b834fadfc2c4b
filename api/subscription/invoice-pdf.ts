import type { EntityManager } from '../../db/core/database.ts'
import type { Invoice } from '../../db/subscription/invoice.ts'
import { readLetterhead } from '../checkout/letterhead.ts'
import { FileAnswer } from '../http/operation.ts'
import { drawPaper } from '../pdf/draw.ts'
import { invoicePaper } from './invoice-paper.ts'

/** An invoice as a PDF, under its number. */
export async function answerWithPdf(em: EntityManager, invoice: Readonly<Invoice>): Promise<FileAnswer> {
  const paper = invoicePaper(invoice, await readLetterhead(em, invoice))
  return new FileAnswer(await drawPaper(paper), `${invoice.number ?? 'draft-invoice'}.pdf`)
}
