import Type from 'typebox'
import { newId } from '../domain/id.ts'
import { CurrencyCode, id, Money, nullable, Timestamp } from './common.ts'
import { ShownCustomer } from './customer.ts'
import { sampleBuyer, sampleMoment, sampleNamedCustomer } from './sample.ts'

const text = nullable(Type.String())

/** The merchant's evidence against the dispute; attachments are its documents. */
const Evidence = Type.Object(
  {
    access_activity_log: text,
    cancellation_policy_attachment_id: nullable(id('doc')),
    cancellation_policy_disclosure: text,
    refund_policy_attachment_id: nullable(id('doc')),
    refund_policy_disclosure: text,
    customer_email_address: text,
    customer_name: text,
    billing_address: text,
  },
  { $id: 'DisputeEvidence' },
)

/** A chargeback (docs/contract/refund.md, "Disputes"). */
export const Dispute = Type.Object(
  {
    dispute_id: id('dsp'),
    payment_id: id('pay'),
    customer: ShownCustomer,
    amount: Money,
    currency: CurrencyCode,
    fee: Money,
    status: Type.Enum(['needs_response', 'under_review', 'won', 'lost']),
    reason: Type.String(),
    network_reason_code: text,
    evidence: Evidence,
    evidence_due_at: Timestamp,
    has_evidence: Type.Boolean(),
    past_due: Type.Boolean(),
    submission_count: Type.Integer({ minimum: 0 }),
    submitted_at: nullable(Timestamp),
    resolution: nullable(Type.Enum(['accepted', 'evidence', 'expired', 'withdrawn'])),
    created_at: Timestamp,
    updated_at: Timestamp,
    resolved_at: nullable(Timestamp),
  },
  { $id: 'Dispute' },
)

const noEvidence = {
  access_activity_log: null,
  cancellation_policy_attachment_id: null,
  cancellation_policy_disclosure: null,
  refund_policy_attachment_id: null,
  refund_policy_disclosure: null,
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
  reason: 'product_not_received',
  network_reason_code: '13.1',
  evidence: {
    ...noEvidence,
    customer_email_address: sampleBuyer.email,
    customer_name: sampleBuyer.name,
    billing_address: '12 Marina Road, Lagos 101241, NG',
  },
  evidence_due_at: sampleMoment(at, 14 - openForDays),
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
  const open = sampleDispute(disputeId, at, 3)
  const log = '2026-01-05 09:14 UTC: the customer logged in and downloaded the invoice.'
  return {
    ...open,
    status: 'under_review' as const,
    evidence: { ...open.evidence, access_activity_log: log },
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
