import { type FailureCode, failureMessages } from '../../domain/checkout/payment.ts'
import type { ShownResource, WaitingOn, WakeReason } from '../../domain/sight/agenda.ts'
import { disputeSteps } from '../../domain/dispute/next-step.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { Actor, StepStatus } from '../../domain/sight/timeline.ts'
import { plainWord } from '../words.ts'

// The words of a timeline, on the review desk and on the dashboard. A code without words here is shown as it is.

const kinds: Record<ShownResource, string> = {
  checkout_session: 'Checkout session',
  payment: 'Payment',
  refund: 'Refund',
  payout: 'Payout',
  payout_destination: 'Payout destination',
  payout_schedule: 'Payout schedule',
  conversion: 'Conversion',
  account: 'Account',
  webhook_delivery: 'Webhook delivery',
  webhook_endpoint: 'Webhook endpoint',
  subscription: 'Subscription',
  invoice: 'Invoice',
  dispute: 'Dispute',
}

/** What each status of a resource says has happened. */
const steps: Partial<Record<ShownResource, Record<string, string>>> = {
  checkout_session: {
    open: 'Opened',
    completed: 'Completed',
    expired: 'Expired',
    cancelled: 'Canceled',
  },
  payment: {
    processing: 'Payment started',
    requires_action: 'Buyer asked to pay or to confirm',
    underpaid: 'Part of the money arrived',
    succeeded: 'Paid',
    failed: 'Payment failed',
    canceled: 'Payment canceled',
  },
  dispute: {
    early_warning: 'The buyer’s bank has announced a dispute',
    needs_response: 'Disputed; the amount and the fee are reserved',
    under_review: 'Under review by the card network',
    won: 'Won; the amount is returned',
    lost: 'Lost',
    prevented: 'Prevented',
  },
  refund: {
    pending: 'Refund requested; the amount is reserved',
    processing: 'Sent to the provider',
    succeeded: 'Refunded',
    failed: 'Refund failed; the money is back in the balance',
  },
  conversion: {
    pending: 'Conversion requested; the amount is reserved',
    processing: 'Sent to the provider',
    completed: 'Converted',
    failed: 'Conversion failed; the money is back in the balance',
  },
  payout: {
    requested: 'Accepted; amount and fee debited from the balance',
    pending: 'Held for a decision',
    approved: 'Approved to be sent',
    processing: 'Sent to the provider',
    completed: 'Paid',
    failed: 'Failed; the money is back in the balance',
    rejected: 'Rejected; the money is back in the balance',
    returned: 'Returned by the bank; the money is back in the balance',
  },
  payout_destination: {
    pending_review: 'Registered; held for a decision',
    approved: 'Approved for payouts',
    rejected: 'Permanently rejected',
    deactivated: 'Deactivated',
  },
  account: {
    onboarding: 'Information is still missing',
    under_review: 'Complete; held for a decision',
    active: 'Active',
    restricted: 'Restricted: a deadline has passed',
    rejected: 'Permanently rejected',
  },
  webhook_delivery: {
    attempt: 'Attempt',
    skipped: 'Not sent',
  },
  subscription: {
    trialing: 'Trial began',
    active: 'Active',
    past_due: 'Past due: a payment failed',
    paused: 'Paused',
    canceled: 'Canceled',
  },
  invoice: {
    draft: 'Draft',
    open: 'Invoice opened',
    paid: 'Invoice paid',
    void: 'Invoice voided',
    uncollectible: 'Invoice no longer collected',
  },
}

/** What a resource is that staff have marked as settled. */
const settled: Record<string, string> = {
  payout: 'arrived',
  refund: 'paid',
  conversion: 'completed',
  payment: 'received',
  deposit: 'received',
  dispute: 'won',
}

/** What a resource is that staff have marked as failed. */
const failed: Record<string, string> = { dispute: 'lost' }

/**
 * What staff have done, or our rules for staff. Only staff read it. `…` is the word of the kind for that end, in
 * `settled` or in `failed`.
 */
const notes: Record<string, string> = {
  'review.opened': 'Added to the queue',
  'review.claimed': 'Claimed',
  'review.reminded': 'Open for a day: reviewers reminded',
  'review.escalated': 'Open for three days: escalated to a lead',
  'review.approved': 'Decision: approve',
  'review.rejected': 'Decision: reject',
  'review.asked_for_information': 'Decision: ask for information',
  'review.withdrawn': 'Changed by the merchant: the earlier review was withdrawn',
  'retry.proposed': 'Retry ordered',
  'retry.executed': 'Retried',
  'retry.refused': 'Retry refused',
  'hold.proposed': 'Hold ordered',
  'hold.executed': 'Put on hold',
  'hold.refused': 'Not put on hold: it had ended',
  'release.proposed': 'Release ordered',
  'release.executed': 'Released',
  'release.refused': 'Not released: it had ended',
  'mark_settled.proposed': 'Proposed as …',
  'mark_settled.executed': 'Marked as …',
  'mark_settled.refused': 'Not marked as …: the provider reports a different outcome',
  'mark_failed.proposed': 'Proposed as …',
  'mark_failed.executed': 'Marked as …',
  'mark_failed.refused': 'Not marked as …: the provider reports a different outcome',
}

const statuses: Record<StepStatus, string> = {
  done: 'Done',
  running: 'In progress',
  failed: 'Failed',
  skipped: 'Skipped',
}

const actors: Record<Actor, string> = {
  merchant: 'by the merchant',
  buyer: 'by the buyer',
  rail: 'by the provider',
  system: 'automatically',
  reviewer: 'by a reviewer',
  operator: 'by the platform’s staff',
}

const errors: Record<string, string> = {
  rail_failed: 'The provider did not carry it out.',
  rail_refused: 'The provider did not accept it.',
  not_delivered: 'The money could not be delivered.',
  destination_not_usable: 'The destination can no longer be used.',
  payouts_not_active: 'The account was not allowed to pay out.',
  terms_changed: 'The destination or its fee changed after the payout was accepted.',
  rejected_in_review: 'It was rejected after a review.',
  invalid_url: 'The receiver’s address is not a valid URL.',
  url_too_long: 'The receiver’s address is too long.',
  https_required: 'The receiver’s address must begin with https.',
  user_info: 'The receiver’s address must not contain a user name or password.',
  blocked_address: 'The receiver’s address is not public.',
  dns: 'The receiver’s host name was not found.',
  timeout: 'The receiver did not answer in time.',
  connection_refused: 'The receiver refused the connection.',
  unreachable: 'The receiver could not be reached.',
  reset: 'The receiver closed the connection too early.',
  tls: 'The receiver’s certificate is not valid.',
  bad_response: 'The receiver’s answer was not valid HTTP.',
  headers_too_large: 'The headers of the receiver’s answer were too large.',
  redirect: 'The receiver answered with a redirect. Redirects are not followed.',
  bad_status: 'The receiver did not answer with a 2xx status.',
  failed: 'The attempt failed.',
}

/** What a resource waits for, and what the last moment of the wait means. */
const waits: Record<WaitingOn, { title: string; last: string }> = {
  buyer: { title: 'Waiting for the buyer', last: 'Expires' },
  rail: { title: 'Waiting for the provider', last: 'Answer expected by' },
  late_money: { title: 'Late payments are still accepted', last: 'Accepted until' },
  reviewer: { title: 'Waiting for a reviewer', last: 'Decision expected by' },
  receiver: { title: 'Waiting for the receiver', last: 'Ends' },
  next_run: { title: 'Waiting for the next run', last: 'Next run' },
  maturity: { title: 'Money becomes available', last: 'Available' },
  operator: { title: 'Held by the platform’s staff', last: 'Released' },
  next_period: { title: 'Waiting for the next period', last: 'Begins' },
  merchant: { title: 'Paused', last: 'Resumes' },
  information: { title: 'Waiting for information', last: 'Due by' },
}

/** What happens at the next moment. */
const wakes: Record<WakeReason, string> = {
  expiry: 'Expires',
  late_money_end: 'Accepted until',
  rail_poll: 'We ask the provider again',
  rail_cancellation: 'We ask the provider to cancel it',
  automatic_decision: 'Decided automatically',
  review_reminder: 'Reviewers are reminded',
  review_escalation: 'A lead is told',
  schedule_run: 'Next run',
  webhook_attempt: 'Next attempt',
  endpoint_warning: 'The owners are told',
  endpoint_switch_off: 'Switched off',
  maturity: 'Available',
  requirements_due: 'More information becomes due',
  deadline_warning: 'A reminder of the deadline is sent',
  deadline: 'The account is restricted',
  release: 'Released',
  trial_reminder: 'The customer is told that the trial ends',
  period_end: 'The period ends',
  dunning_end: 'Ends if it is not paid',
  invoice_opening: 'The next invoice is opened',
  payment_attempt: 'The card is charged again',
  resumption: 'Resumes',
  charge: 'The card is charged',
  evidence_due_soon: 'The merchant is told that 48 hours are left',
  evidence_deadline: 'Lost if nobody has answered',
  warning_end: 'The buyer’s bank disputes the payment',
  network_notice: 'The network is told the answer',
}

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(failureMessages, code)

export const settledWord = (resource: string): string => settled[resource] ?? 'settled'
export const failedWord = (resource: string): string => failed[resource] ?? 'failed'
export const kindName = (resource: ShownResource): string => kinds[resource]
export const stepName = (resource: ShownResource, step: string): string =>
  notes[step]?.replace('…', step.startsWith('mark_failed') ? failedWord(resource) : settledWord(resource)) ??
  steps[resource]?.[step] ??
  plainWord(step)
export const stepStatusName = (status: StepStatus): string => statuses[status]
export const actorName = (actor: Actor, isForStaff: boolean): string =>
  actor === 'merchant' && !isForStaff ? 'by your organization' : actors[actor]
/** What a dispute waits for its merchant for. */
export const disputeWaits = [...disputeSteps, 'warning_end'] as const
export type DisputeWait = (typeof disputeWaits)[number]

/** A subscription that waits for its merchant is paused; a dispute waits for an answer. */
export function waitWords(waitingOn: WaitingOn, reason: WakeReason | null, isForStaff: boolean) {
  if (reason === null || !isOneOf(disputeWaits, reason)) return waits[waitingOn]
  return { title: isForStaff ? 'Waiting for the merchant’s answer' : 'Waiting for your answer', last: 'Answer by' }
}

/** What happens at the next moment, as merchants read it where it is about them. */
const ownWakes: Partial<Record<WakeReason, string>> = { evidence_due_soon: 'You are told that 48 hours are left' }

export const wakeWords = (reason: WakeReason, isForStaff: boolean): string =>
  (isForStaff ? null : ownWakes[reason]) ?? wakes[reason]
export const errorName = (code: string): string =>
  isFailureCode(code) ? failureMessages[code] : (errors[code] ?? code)

/** How often the provider was asked. The first time is the order itself. */
export const askedWords = (attempts: number): string | null =>
  attempts > 1 ? `The provider was asked ${attempts} times.` : null
