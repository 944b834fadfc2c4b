import type { Static } from 'typebox'
import type { DisputeStatus } from '../../domain/dispute/dispute.ts'
import type { DocumentPurpose } from '../../domain/dispute/evidence.ts'
import { hourMs } from '../../domain/duration.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { Payment } from '../../schemas/checkout/payment.ts'
import type { Dispute, ListedDispute as ListedShape } from '../../schemas/dispute/dispute.ts'
import type { DisputeDocument } from '../../schemas/dispute/document.ts'
import { money, timeOf } from '../words.ts'
import type { Fact } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import { disputeReasonWords, disputeStatusNames, resolutionNames, timeLeft } from './dispute-words.ts'
import { evidenceForm, shownEvidence, type TypedEvidence, unsavedIn } from './evidence-form.ts'
import { isolated } from '../isolated.ts'

// What the list and the page of disputes show.

export type ShownDispute = Static<typeof Dispute>
export type ListedDispute = Static<typeof ListedShape>
export type Documents = { items: Static<typeof DisputeDocument>[] }

/** The statuses in which a dispute waits for its merchant. */
export const waitingStatuses = ['early_warning', 'needs_response'] as const satisfies readonly DisputeStatus[]
export const isWaiting = (status: string): boolean => isOneOf(waitingStatuses, status)

/** Until when something can be done: a full refund after a warning, or an answer. */
export const dueOf = ({ status, warns_until: warnsUntil, evidence_due_at: dueAt }: ListedDispute): string =>
  status === 'early_warning' ? (warnsUntil ?? dueAt) : dueAt

/** The list and the page mark a dispute for which less time is left. */
const soonMs = 48 * hourMs

/**
 * A row of the list. `now` is the real time, as a row does not tell of its test clock: a moment that has passed by it
 * may be still to come, and is shown without a word about how late it is.
 */
export function shownItem(row: ListedDispute, now: number) {
  const waits = isWaiting(row.status)
  const until = Date.parse(dueOf(row))
  const isAhead = until > now
  const hasDraft = row.status === 'needs_response' && row.has_evidence
  return {
    title: `${money(row.amount, row.currency)}: ${disputeReasonWords[row.reason].name}`,
    status: disputeStatusNames[row.status],
    isLate: waits && isAhead && until - now < soonMs,
    isActive: waits || row.status === 'under_review',
    customer: buyerOf(row),
    due: waits ? timeOf(dueOf(row)) : null,
    dueLabel: row.status === 'early_warning' ? 'Refund by' : 'Answer by',
    more: [isAhead && waits && `(${timeLeft(until, now)} left)`, hasDraft && 'A draft, not submitted']
      .filter(Boolean)
      .join(' '),
    opened: timeOf(row.created_at),
    ended: timeOf(row.resolved_at),
  }
}

export function disputeFacts(row: ShownDispute, home: string): Fact[] {
  const { currency } = row
  const isHeld = row.status === 'needs_response' || row.status === 'under_review'
  return [
    ['Id', row.dispute_id],
    ['Status', disputeStatusNames[row.status]],
    ['Amount', money(row.amount, currency)],
    ['Fee', row.status === 'early_warning' || row.status === 'prevented' ? null : money(row.fee, currency)],
    ['Held from your balance', isHeld ? 'The amount and the fee' : null],
    ['Buyer', buyerOf(row)],
    ['Payment', row.payment_id, `${home}/payments/${row.payment_id}`],
    ['Opened', timeOf(row.created_at)],
    ['Evidence submitted', timeOf(row.submitted_at)],
    ['Ended', timeOf(row.resolved_at)],
    ['Why it ended', row.resolution && resolutionNames[row.resolution]],
    ['Network’s code', row.network_reason_code],
  ]
}

const buyerOf = ({ customer }: ListedDispute): string => customer?.name ?? customer?.email ?? 'Unknown'

type About = {
  payment: Static<typeof Payment>
  /** What was sold, where the sale has no products. */
  description: string | null
  documents: Documents['items']
  /** Whether the role of the person allows an answer. */
  mayAnswer: boolean
  /** The address of the dispute's page. */
  path: string
}

/**
 * The data of the page of a dispute. `shown` says what a form that was refused had typed into it. `now` is the time of
 * the dispute, which may be that of a test clock.
 */
export function disputePage(row: ShownDispute, about: About, shown: Shown, now: number) {
  const { payment, description, documents, mayAnswer, path } = about
  const until = Date.parse(dueOf(row))
  const isWarning = row.status === 'early_warning'
  const isOpen = isWarning || (row.status === 'needs_response' && until > now)
  const { typed = {}, purpose = null } = shown as { typed?: TypedEvidence; purpose?: DocumentPurpose | null }
  const filling = { stored: row.evidence, typed, errors: shown.errors ?? {}, reason: row.reason }
  const lines = (payment.line_items ?? []).map((line) => ({
    name: line.quantity === 1 ? line.product_name : `${line.quantity} × ${isolated(line.product_name)}`,
    amount: money(line.line_total, line.currency),
  }))
  return {
    path,
    state: disputeStatusNames[row.status],
    isWarning,
    isOpen,
    isSoon: isOpen && until - now < soonMs,
    isOver: row.status === 'needs_response' && !isOpen,
    mayAnswer,
    due: timeOf(dueOf(row)),
    left: timeLeft(until, now),
    fee: money(row.fee, row.currency),
    reason: disputeReasonWords[row.reason],
    sold: { lines, description, total: money(payment.amount, payment.currency), paid: timeOf(payment.completed_at) },
    isSubmitted: row.submission_count > 0,
    evidence: shownEvidence(row.evidence, documents, path),
    form: isOpen && mayAnswer ? evidenceForm(filling, documents, path, purpose) : null,
    unsaved: isOpen && mayAnswer ? [] : unsavedIn(typed, row.evidence),
  }
}
