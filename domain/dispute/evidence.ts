import { charactersIn } from '../characters.ts'
import { type FieldError } from '../refusal.ts'

/** The texts of the evidence, with what each is for. `prefilled`: taken from the customer where their record has it. */
export const evidenceTexts = {
  access_activity_log: 'Logins and downloads of the customer.',
  billing_address: 'The address of the customer’s card. Prefilled.',
  cancellation_policy_disclosure: 'How and when the customer was shown the policy before the purchase.',
  cancellation_rebuttal: 'Why the subscription was not canceled in time.',
  customer_email_address: 'Prefilled.',
  customer_name: 'Prefilled.',
  customer_purchase_ip: 'The IP address from which the customer bought.',
  duplicate_charge_explanation: 'Why the two charges are for different things.',
  duplicate_charge_id: 'The payment that the customer believes to be the same.',
  product_description: 'What was sold.',
  refund_policy_disclosure: 'How and when the customer was shown the policy before the purchase.',
  refund_refusal_explanation: 'Why the customer is not entitled to a refund.',
  service_date: 'When the service was delivered.',
  shipping_address: 'Where the product was sent.',
  shipping_carrier: 'Who carried it.',
  shipping_date: 'When it was sent.',
  shipping_tracking_number: 'The carrier’s number.',
  uncategorized_text: 'Anything else.',
} as const
export type EvidenceText = keyof typeof evidenceTexts
export const evidenceTextKeys = Object.keys(evidenceTexts) as EvidenceText[]

/** How many kilobytes the drafts of an organization may take in a day, in each environment. */
export const draftKilobytesMax = 200_000

/** What documents of a dispute are for. The evidence names each by the field `<purpose>_attachment_id`. */
export const documentPurposes = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized',
] as const
export type DocumentPurpose = (typeof documentPurposes)[number]
export type EvidenceAttachment = `${DocumentPurpose}_attachment_id`
export const attachmentOf = (purpose: DocumentPurpose): EvidenceAttachment => `${purpose}_attachment_id`
export const evidenceAttachmentKeys = documentPurposes.map(attachmentOf)

export type EvidenceField = EvidenceText | EvidenceAttachment
export const evidenceKeys: readonly EvidenceField[] = [...evidenceTextKeys, ...evidenceAttachmentKeys]

/** The evidence of a dispute: a field that is missing is empty. */
export type Evidence = Partial<Record<EvidenceField, string>>

/** The limits of the contract: characters of one text, and of all texts together. */
export const evidenceTextMax = 20_000
export const evidenceTotalMax = 150_000

/** A document: 5 MB, as a PDF, JPEG or PNG. A dispute has at most fifty. */
export const documentBytesMax = 5 * 1024 * 1024
export const documentTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const
export const documentsMax = 50

/** What a caller sends: an empty text clears its field, and null says nothing. */
export type SentEvidence = Partial<Record<EvidenceField, string | null | undefined>>

/** The evidence after a change. */
export function mergeEvidence(kept: Evidence, sent: SentEvidence): Evidence {
  const merged = { ...kept }
  for (const key of evidenceKeys) {
    const value = sent[key]
    if (value === '') delete merged[key]
    else if (typeof value === 'string') merged[key] = value
  }
  return merged
}

/** The errors of evidence as a whole: its texts are too long together. */
export function totalError(evidence: Evidence): FieldError[] {
  const total = evidenceTextKeys.reduce((sum, key) => sum + charactersIn(evidence[key] ?? ''), 0)
  if (total <= evidenceTotalMax) return []
  const message = `all texts together have ${total} characters; at most ${evidenceTotalMax} are allowed`
  return [{ field: 'body', message, type: 'value_error.range' }]
}

/** Whether evidence says anything that was not prefilled. */
export const hasEvidence = (evidence: Evidence, prefilled: Evidence): boolean =>
  evidenceKeys.some((key) => evidence[key] !== undefined && evidence[key] !== prefilled[key])
