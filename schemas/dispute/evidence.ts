import Type, { type Static } from 'typebox'
import type { Dispute as DisputeRow } from '../../db/dispute/dispute.ts'
import {
  type Evidence as StoredEvidence,
  evidenceAttachmentKeys,
  evidenceKeys,
  evidenceTextKeys,
  evidenceTextMax,
  evidenceTexts,
} from '../../domain/dispute/evidence.ts'
import { recordOf } from '../../domain/narrow.ts'
import { id, nullable } from '../common.ts'

/** The merchant's evidence against the dispute; attachments are its documents. */
export const Evidence = Type.Object(
  {
    ...recordOf(evidenceTextKeys, (key) => nullable(Type.String({ description: evidenceTexts[key] }))),
    ...recordOf(evidenceAttachmentKeys, () => nullable(id('doc'))),
  },
  { $id: 'DisputeEvidence' },
)

/** What is prefilled and what the merchant has stored, with null for every field that is empty. */
export const presentEvidence = ({ evidence }: Pick<DisputeRow, 'evidence'>): Static<typeof Evidence> =>
  recordOf(evidenceKeys, (key) => evidence[key] ?? null)

/** Evidence in a request: an empty text clears its field, a field that is left out keeps its value. */
export const sentEvidence = {
  ...recordOf(evidenceTextKeys, (key) =>
    Type.Optional(
      nullable(
        Type.String({ maxLength: evidenceTextMax, description: `${evidenceTexts[key]} An empty text clears it.` }),
      ),
    ),
  ),
  ...recordOf(evidenceAttachmentKeys, () =>
    Type.Optional(nullable(Type.String({ maxLength: 64, examples: ['doc_…'] }))),
  ),
}

/** Evidence with these fields, for samples. */
export const sampleEvidence = (fields: StoredEvidence): Static<typeof Evidence> => presentEvidence({ evidence: fields })
