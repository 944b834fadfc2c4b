import Type, { type Static } from 'typebox'
import { recordDispute } from '../../commands/dispute/record-dispute.ts'
import { Document } from '../../db/catalogue/document.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { organizationOf } from '../../db/core/account.ts'
import { actsAs, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { countInDay } from '../../db/core/day-count.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Dispute as DisputeRow } from '../../db/dispute/dispute.ts'
import { assertAnswerable } from '../../domain/dispute/dispute.ts'
import {
  attachmentOf,
  documentPurposes,
  draftKilobytesMax,
  type Evidence,
  hasEvidence,
  mergeEvidence,
  type SentEvidence,
  totalError,
} from '../../domain/dispute/evidence.ts'
import { hourMs } from '../../domain/duration.ts'
import { type FieldError, invalid, Refusal } from '../../domain/refusal.ts'
import { Dispute, presentDispute } from '../../schemas/dispute/dispute.ts'
import { sentEvidence } from '../../schemas/dispute/evidence.ts'
import { longBytesMax, operation } from '../http/operation.ts'
import { assertValid } from '../http/validate.ts'
import { findDispute, onDispute, processOfDispute, showDispute } from './dispute.ts'

const ChangeEvidence = Type.Object(
  {
    ...sentEvidence,
    submit: Type.Optional(
      Type.Boolean({ default: false, description: 'Submits the evidence to the network. It is locked then.' }),
    ),
  },
  { $id: 'ChangeDisputeEvidence' },
)

export const changeEvidence = operation({
  ...onDispute,
  method: 'patch',
  path: '/v1/disputes/{dispute_id}/evidence',
  summary: 'Store evidence as a draft, or submit it; fields that are left out keep their values',
  scope: 'disputes:write',
  mode: 'process',
  body: ChangeEvidence,
  bodyBytesMax: longBytesMax, // all texts at their limit: 150,000 letters of six bytes each, as JSON may write them
  returns: [200, Dispute],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, callId, now, services }) {
    const row = await findDispute(em, caller, params.dispute_id)
    const isStored = await inTransaction(services.database, (writing) => store(writing, row.id, body, { callId, now }))
    if (body.submit && isStored) await services.engine.update(processOfDispute(row), 'submit', [callId], callId)
    return showDispute(em, row.id)
  },
})

const noEvidence = 'there is no evidence to submit: send at least one field beside the prefilled ones'

type Body = Static<typeof ChangeEvidence>

/** Merges what was sent into the evidence. False where this same call has submitted it before. */
async function store(
  em: EntityManager,
  id: string,
  { submit = false, ...sent }: Body,
  { callId, now }: { callId: string; now: number },
): Promise<boolean> {
  const dispute = await lock(em, DisputeRow, id)
  const at = await timeOf(em, dispute, now)
  if (dispute.submittedBy === callId) return false
  if (dispute.status !== 'early_warning' || submit) assertAnswerable(dispute, at)
  const evidence = mergeEvidence(dispute.evidence, sent)
  // A draft of before 2026-11-29 may hold any text there: it is told of when the field is sent, or all is submitted.
  const duplicate = submit ? evidence.duplicate_charge_id : sent.duplicate_charge_id
  const wrong = [...(await attachmentErrors(em, id, sent)), ...(await duplicateErrors(em, dispute, duplicate))]
  assertValid([...totalError(evidence), ...wrong])
  if (submit && !hasEvidence(evidence, dispute.prefilled)) throw invalid('submit', noEvidence, 'value_error.missing')
  if (isSame(evidence, dispute.evidence)) return true
  actsAs(em, 'merchant')
  dispute.evidence = evidence
  if (!submit) await assertMayDraft(em, dispute, now)
  // The submission records an event of its own, with this evidence.
  if (!submit) await recordDispute(em, dispute, 'dispute.updated', at)
  return true
}

/**
 * Refuses a draft where the drafts of the organization have taken too much in a day of real time: each is an event with
 * all of the evidence, kept for 90 days. What is submitted is never refused, and not counted.
 */
async function assertMayDraft(em: EntityManager, dispute: DisputeRow, now: number): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(presentDispute(dispute)))
  const subject = `drafts:${await organizationOf(em, dispute.accountId)}:${dispute.environment}`
  const before = await countInDay(em, subject, Math.ceil(bytes / 1000), now)
  if (before < draftKilobytesMax) return
  const words = 'drafts of evidence have taken 200 MB in a day: submit what you have, or store a draft later'
  throw new Refusal('TOO_MANY_REQUESTS', words, [], hourMs / 1000)
}

const isSame = (one: Evidence, other: Evidence): boolean =>
  JSON.stringify(mergeEvidence({}, one)) === JSON.stringify(mergeEvidence({}, other))

/** An attachment is a document of this dispute that was uploaded for this purpose. */
async function attachmentErrors(em: EntityManager, disputeId: string, sent: SentEvidence): Promise<FieldError[]> {
  const named = documentPurposes.map((purpose) => ({ purpose, field: attachmentOf(purpose) }))
  const ids = named.flatMap(({ field }) => sent[field] || [])
  if (ids.length === 0) return []
  const documents = await em.find(Document, { id: { $in: ids }, subject: 'dispute', subjectId: disputeId })
  return named.flatMap(({ purpose, field }) => {
    const id = sent[field]
    if (!id || documents.some((document) => document.id === id && document.slot === purpose)) return []
    const message = `must be a document of this dispute that was uploaded for the purpose ${purpose}`
    return [{ field, message, type: 'value_error' }]
  })
}

/** The payment that the buyer takes for the same is another one of the account: a network is told its own id of it. */
async function duplicateErrors(em: EntityManager, dispute: DisputeRow, id?: string | null): Promise<FieldError[]> {
  if (!id) return []
  const { accountId, environment, paymentId } = dispute
  if (id !== paymentId && (await em.findOne(Payment, { id, accountId, environment }))) return []
  const message = 'must be another payment of this account; an empty text leaves it out'
  return [{ field: 'duplicate_charge_id', message, type: 'value_error' }]
}
