import Type, { type Static } from 'typebox'
import type { Document } from '../../db/catalogue/document.ts'
import { documentPurposes } from '../../domain/dispute/evidence.ts'
import { id, iso, Timestamp } from '../common.ts'

/** A document of a dispute. It is private: `url` opens it for five minutes, and each read gives a new one. */
export const DisputeDocument = Type.Object(
  {
    document_id: id('doc'),
    dispute_id: id('dsp'),
    purpose: Type.String({ description: `One of ${documentPurposes.join(', ')}.` }),
    file_name: Type.String(),
    uploaded_at: Timestamp,
    url: Type.String(),
    url_expires_at: Timestamp,
  },
  { $id: 'DisputeDocument' },
)

type Link = { url: string; url_expires_at: string }

export const presentDisputeDocument = (row: Document, link: Link): Static<typeof DisputeDocument> => ({
  document_id: row.id,
  dispute_id: row.subjectId,
  purpose: row.slot,
  file_name: row.fileName,
  uploaded_at: iso(row.createdAt),
  ...link,
})
