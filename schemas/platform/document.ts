import Type, { type Static } from 'typebox'
import type { Document as DocumentRow } from '../../db/catalogue/document.ts'
import { documentSlots } from '../../domain/platform/requirement-code.ts'
import { id, idParameter, iso, nullable, Timestamp } from '../common.ts'

export const AddDocument = Type.Object(
  {
    file: { ...idParameter('upl'), description: 'An upload that nothing uses, or that is private already.' },
    document: Type.Enum([...documentSlots], {
      description: 'The slot. Which ones an account has depends on its country and its type.',
    }),
  },
  { $id: 'AddCompanyDocument' },
)

const common = {
  id: id('doc'),
  document_type: Type.String(),
  file_name: Type.String(),
  uploaded_at: Timestamp,
}

/** A document of a company (docs/contract/platform.md, "Persons and documents"). */
export const CompanyDocument = Type.Object(common, { $id: 'CompanyDocument' })

/** A document of an account or of one of its persons, with a link to it. */
export const ListedDocument = Type.Object(
  {
    ...common,
    person_id: nullable(id('psn')),
    url: Type.String({ description: 'Opens the document for five minutes.' }),
    url_expires_at: Timestamp,
  },
  { $id: 'ListedCompanyDocument' },
)

export const presentDocument = (row: DocumentRow): Static<typeof CompanyDocument> => ({
  id: row.id,
  document_type: row.subject === 'person' ? `person.${row.slot}` : row.slot,
  file_name: row.fileName,
  uploaded_at: iso(row.createdAt),
})

export const presentListedDocument = (
  row: DocumentRow,
  link: { url: string; url_expires_at: string },
): Static<typeof ListedDocument> => ({
  ...presentDocument(row),
  person_id: row.subject === 'person' ? row.subjectId : null,
  ...link,
})
