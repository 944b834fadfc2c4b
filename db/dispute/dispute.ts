import { defineEntity, p } from '@mikro-orm/core'
import type { BuyerDetails } from '../../domain/customer.ts'
import { disputeReasonKeys, disputeResolutions, disputeStatuses } from '../../domain/dispute/dispute.ts'
import type { Evidence } from '../../domain/dispute/evidence.ts'
import { disputeSteps } from '../../domain/dispute/next-step.ts'
import { corridorKey, currencyCode, moment, money, onClock, polled, announced, tenant } from '../core/columns.ts'

const open = "status in ('early_warning', 'needs_response', 'under_review')"

const schema = defineEntity({
  name: 'Dispute',
  tableName: 'disputes',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    paymentId: p.string(),
    // The network's own id: the same dispute is opened once, however often the network tells of it.
    networkId: p.string().length(128),
    corridor: corridorKey(),
    customerId: p.string().strictNullable(),
    customerDetails: p.json<BuyerDetails>().strictNullable(),
    status: p.enum(disputeStatuses),
    amount: money().check("amount > 0 and amount <> 'NaN'"),
    currency: currencyCode(),
    // Zero for a warning, which costs nothing.
    fee: money().check("fee >= 0 and fee <> 'NaN'"),
    reason: p.enum(disputeReasonKeys),
    networkReasonCode: p.string().length(32).strictNullable(),
    // What was taken from the customer's record, and what the merchant has stored. Personal data: it stays here.
    prefilled: p.json<Evidence>(),
    evidence: p.json<Evidence>(),
    evidenceDueAt: moment(),
    // Until when a full refund prevents the dispute that a network has announced; null where it was not announced.
    warnsUntil: moment().strictNullable(),
    // When the merchant was told that 48 hours are left.
    remindedAt: moment().strictNullable(),
    submittedAt: moment().strictNullable(),
    submissionCount: p.smallint().default(0),
    // The calls that submitted or accepted it: the same call again changes nothing.
    submittedBy: p.string().strictNullable(),
    acceptedBy: p.string().strictNullable(),
    // What the network still has to be told.
    railDue: p.enum(['evidence', 'acceptance']).strictNullable(),
    resolution: p.enum(disputeResolutions).strictNullable(),
    resolvedAt: moment().strictNullable(),
    wakesAt: moment().strictNullable(),
    wakesFor: p.enum(disputeSteps).strictNullable(),
    ...polled,
    ...announced,
    revision: p.integer().default(0),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'disputes_end_at_a_time', expression: `(resolved_at is not null) = (not (${open}))` },
    { name: 'disputes_end_for_a_reason', expression: "(resolution is not null) = (status in ('won', 'lost'))" },
    { name: 'disputes_wake_for_something', expression: '(wakes_at is null) = (wakes_for is null)' },
  ],
  uniques: [{ name: 'disputes_once', properties: ['paymentId', 'networkId'] }],
  indexes: [
    { name: 'disputes_awaiting_news', properties: ['newsDueAt'], where: 'news_due_at is not null' },
    { name: 'disputes_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'disputes_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'disputes_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    { name: 'disputes_by_reason', properties: ['accountId', 'environment', 'reason', 'createdAt', 'id'] },
    { name: 'disputes_by_customer', properties: ['customerId', 'createdAt', 'id'], where: 'customer_id is not null' },
    { name: 'disputes_due', properties: ['accountId', 'environment', 'status', 'evidenceDueAt', 'id'] },
    { name: 'disputes_due_first', properties: ['accountId', 'environment', 'evidenceDueAt', 'id'] },
    { name: 'disputes_open', properties: ['createdAt'], where: `${open} or rail_due is not null` },
    { name: 'disputes_waiting', properties: ['accountId', 'environment', 'wakesAt', 'id'], where: open },
  ],
})
/** A buyer's bank takes a payment back. Its process owns the row, which also holds the merchant's draft of evidence. */
export class Dispute extends schema.class {}
schema.setClass(Dispute)
