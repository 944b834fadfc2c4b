import { Document } from '../../db/catalogue/document.ts'
import { readContent, Upload } from '../../db/catalogue/upload.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import { attachmentOf, documentPurposes, evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import type { DisputeOrder, EvidenceDocument, EvidenceOrder } from '../../rails/dispute-rail.ts'

export const orderOf = ({ environment, networkId, paymentId, corridor, amount, status }: Dispute): DisputeOrder => ({
  environment,
  networkId,
  paymentId,
  corridor,
  amount,
  isRefunded: status === 'prevented',
})

/** The evidence that is stored, for the network. It is locked once it is submitted, so each order is the same. */
export async function evidenceOrderOf(em: EntityManager, dispute: Dispute): Promise<EvidenceOrder> {
  const { evidence, prefilled } = dispute
  const texts = evidenceTextKeys.flatMap((key) => (evidence[key] === undefined ? [] : [[key, evidence[key]] as const]))
  const ownTexts = texts.flatMap(([key, text]) => (text === prefilled[key] ? [] : [key]))
  const documents: EvidenceDocument[] = []
  for (const purpose of documentPurposes) {
    const id = evidence[attachmentOf(purpose)]
    if (id === undefined) continue
    const { uploadId, fileName } = await em.findOneOrFail(Document, { id, subjectId: dispute.id })
    const upload = await em.findOneOrFail(Upload, { id: uploadId })
    const { contentType } = upload
    documents.push({ purpose, fileName, contentType, read: () => readContent(em, upload) })
  }
  return { ...orderOf(dispute), texts: Object.fromEntries(texts), ownTexts, documents }
}
