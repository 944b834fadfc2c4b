import Type from 'typebox'

/** A PDF as an answer. OpenAPI describes its bytes by their content type. */
export const PdfFile = Type.String({ contentMediaType: 'application/pdf', description: 'The bytes of the PDF.' })
