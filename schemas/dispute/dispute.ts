import Type, { type Static } from 'typebox'
import type { Dispute as DisputeRow } from '../../db/dispute/dispute.ts'
import { disputeReasonKeys, disputeResolutions, disputeStatuses } from '../../domain/dispute/dispute.ts'
import { hasEvidence } from '../../domain/dispute/evidence.ts'
import { newId } from '../../domain/id.ts'
import { format } from '../../domain/money.ts'
import { CurrencyCode, id, iso, isoOrNull, Money, nullable, Timestamp } from '../common.ts'
import { presentCustomerOf, ShownCustomer } from '../customer.ts'
import { sampleBuyer, sampleMoment, sampleNamedCustomer } from '../sample.ts'
import { Evidence, presentEvidence, sampleEvidence } from './evidence.ts'

const fields = {
  dispute_id: id('dsp'),
  payment_id: id('pay'),
  customer: ShownCustomer,
  amount: Money,
  currency: CurrencyCode,
  fee: Money,
  status: Type.Enum([...disputeStatuses]),
  reason: Type.Enum([...disputeReasonKeys]),
  network_reason_code: nullable(Type.String()),
  evidence_due_at: Timestamp,
  warns_until: nullable(
    Type.String({ format: 'date-time', description: 'Until when a full refund prevents an announced dispute.' }),
  ),
  has_evidence: Type.Boolean(),
  past_due: Type.Boolean(),
  submission_count: Type.Integer({ minimum: 0 }),
  submitted_at: nullable(Timestamp),
  resolution: nullable(Type.Enum([...disputeResolutions])),
  created_at: Timestamp,
  updated_at: Timestamp,
  resolved_at: nullable(Timestamp),
}

/** A dispute in the list: without its evidence, which may be long. */
export const ListedDispute = Type.Object(fields, { $id: 'ListedDispute' })

/** A chargeback (docs/contract/refund.md, "Disputes"). */
export const Dispute = Type.Object({ ...fields, evidence: Evidence }, { $id: 'Dispute' })

export const presentListedDispute = (row: DisputeRow): Static<typeof ListedDispute> => ({
  dispute_id: row.id,
  payment_id: row.paymentId,
  customer: presentCustomerOf(row),
  amount: format(row.amount, row.currency),
  currency: row.currency,
  fee: format(row.fee, row.currency),
  status: row.status,
  reason: row.reason,
  network_reason_code: row.networkReasonCode,
  evidence_due_at: iso(row.evidenceDueAt),
  warns_until: isoOrNull(row.warnsUntil),
  has_evidence: hasEvidence(row.evidence, row.prefilled),
  past_due: row.resolution === 'expired',
  submission_count: row.submissionCount,
  submitted_at: isoOrNull(row.submittedAt),
  resolution: row.resolution,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
  resolved_at: isoOrNull(row.resolvedAt),
})

export const presentDispute = (row: DisputeRow): Static<typeof Dispute> => ({
  ...presentListedDispute(row),
  evidence: presentEvidence(row),
})

const prefilled = {
  customer_email_address: sampleBuyer.email,
  customer_name: sampleBuyer.name,
  billing_address: '12 Marina Road, Lagos 101241, NG',
}

/** A dispute that has waited `openForDays` days for the merchant. */
export const sampleDispute = (disputeId: string, at: number, openForDays = 0) => ({
  dispute_id: disputeId,
  payment_id: newId('pay', at),
  customer: sampleNamedCustomer(at),
  amount: '25.00',
  currency: 'USD' as const,
  fee: '15.00',
  status: 'needs_response' as const,
  reason: 'product_not_received' as const,
  network_reason_code: '13.1',
  evidence: sampleEvidence(prefilled),
  evidence_due_at: sampleMoment(at, 14 - openForDays),
  warns_until: null,
  has_evidence: false,
  past_due: false,
  submission_count: 0,
  submitted_at: null,
  resolution: null,
  created_at: sampleMoment(at, -openForDays),
  updated_at: sampleMoment(at),
  resolved_at: null,
})

/** A dispute with submitted evidence. */
export const sampleSubmittedDispute = (disputeId: string, at: number) => {
  const log = '2026-01-05 09:14 UTC: the customer logged in and downloaded the invoice.'
  return {
    ...sampleDispute(disputeId, at, 3),
    status: 'under_review' as const,
    evidence: sampleEvidence({ ...prefilled, access_activity_log: log }),
    has_evidence: true,
    submission_count: 1,
    submitted_at: sampleMoment(at),
  }
}

export const sampleEndedDispute = <S extends 'won' | 'lost'>(disputeId: string, at: number, status: S) => ({
  ...sampleSubmittedDispute(disputeId, at),
  status,
  submitted_at: sampleMoment(at, -1),
  resolution: 'evidence' as const,
  resolved_at: sampleMoment(at),
})
