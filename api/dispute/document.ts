import Type, { type Static } from 'typebox'
import { addDocument, Document } from '../../db/catalogue/document.ts'
import type { Upload } from '../../db/catalogue/upload.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Dispute as DisputeRow } from '../../db/dispute/dispute.ts'
import { assertAnswerable } from '../../domain/dispute/dispute.ts'
import { documentBytesMax, documentPurposes, documentsMax, documentTypes } from '../../domain/dispute/evidence.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { DisputeDocument, presentDisputeDocument } from '../../schemas/dispute/document.ts'
import { documentLinks } from '../catalogue/document-link.ts'
import { operation } from '../http/operation.ts'
import { pageOfAll } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'
import { findDispute, onDispute } from './dispute.ts'

const path = '/v1/disputes/{dispute_id}/documents'

const AddDocument = Type.Object(
  {
    file: Type.String({ maxLength: 64, examples: ['upl_…'], description: 'An upload: a PDF, JPEG or PNG of 5 MB.' }),
    purpose: Type.Enum([...documentPurposes]),
  },
  { $id: 'AddDisputeDocument' },
)

/** A document with a link that opens it for five minutes. */
async function show(services: Services, row: Document): Promise<Static<typeof DisputeDocument>> {
  const linkTo = await documentLinks(services)
  return presentDisputeDocument(row, linkTo(row.id))
}

export const addDisputeDocument = operation({
  ...onDispute,
  method: 'post',
  path,
  summary: 'Make an upload a private document of a dispute, for its evidence',
  scope: 'disputes:write',
  body: AddDocument,
  returns: [201, DisputeDocument],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now, services }) {
    const { id: subjectId } = await findDispute(em, caller, params.dispute_id)
    const dispute = await lock(em, DisputeRow, subjectId)
    const at = await timeOf(em, dispute, now)
    if (dispute.status !== 'early_warning') assertAnswerable(dispute, at)
    const count = await em.count(Document, { subjectId })
    if (count >= documentsMax) throw new Refusal('CONFLICT', `a dispute has at most ${documentsMax} documents`)
    const of = { subject: 'dispute' as const, subjectId, slot: body.purpose, uploadId: body.file }
    const document = await addDocument(em, caller, of, at, assertFit)
    if (!document)
      throw invalid('file', 'must be an upload of this account that can be a private document', 'value_error')
    return show(services, document)
  },
})

function assertFit({ contentType, size }: Upload): void {
  if (!isOneOf(documentTypes, contentType)) throw invalid('file', 'must be a PDF, JPEG or PNG', 'value_error')
  if (size > documentBytesMax) throw invalid('file', 'must have at most 5 MB', 'value_error.range')
}

export const listDisputeDocuments = operation({
  ...onDispute,
  method: 'get',
  path,
  summary: 'List the documents of a dispute, oldest first, with links that open them for five minutes',
  scope: 'disputes:read',
  query: Type.Object(pageQuery),
  returns: [200, Type.Object(page(DisputeDocument).properties, { $id: 'DisputeDocuments' })],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller, em, services }) {
    const { id } = await findDispute(em, caller, params.dispute_id)
    const all = await showDocuments(em, services, id)
    const { rows: items, pagination } = pageOfAll('dispute documents', all, wordOf, query, services)
    return { items, pagination }
  },
})

const wordOf = ({ uploaded_at, document_id }: Static<typeof DisputeDocument>): string => `${uploaded_at} ${document_id}`

/** The documents of a dispute, oldest first. */
export async function showDocuments(
  em: EntityManager,
  services: Services,
  subjectId: string,
): Promise<Static<typeof DisputeDocument>[]> {
  const orderBy = { createdAt: 'asc' as const, id: 'asc' as const }
  const rows = await em.find(Document, { subject: 'dispute', subjectId }, { orderBy })
  const linkTo = await documentLinks(services)
  return rows.map((row) => presentDisputeDocument(row, linkTo(row.id)))
}

export const getDisputeDocument = operation({
  ...onDispute,
  method: 'get',
  path: `${path}/{document_id}`,
  summary: 'Read a document of a dispute, with a link that opens it for five minutes',
  scope: 'disputes:read',
  params: Type.Object({ dispute_id: idParameter('dsp'), document_id: idParameter('doc') }),
  returns: [200, DisputeDocument],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, services }) {
    const { id: subjectId } = await findDispute(em, caller, params.dispute_id)
    const row = await em.findOne(Document, { id: params.document_id, subject: 'dispute', subjectId })
    if (!row) throw new Refusal('NOT_FOUND', 'no such document')
    return show(services, row)
  },
})
