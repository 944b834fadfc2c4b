import Type, { type Static } from 'typebox'
import { Locale } from './common.ts'

/** A PDF as an answer. OpenAPI describes its bytes by their content type. */
export const PdfFile = Type.String({ contentMediaType: 'application/pdf', description: 'The bytes of the PDF.' })

/** The query of a document: who reads it. */
export const readerQuery = Type.Object({
  locale: Type.Optional({
    ...Locale,
    description: 'The language of the reader. It counts where neither the customer nor the sale names one of ours.',
  }),
})
export type ReaderQuery = Static<typeof readerQuery>
