import type { DisputeReason, DisputeResolution, DisputeStatus } from '../../domain/dispute/dispute.ts'
import type { DocumentPurpose, EvidenceText } from '../../domain/dispute/evidence.ts'
import { minuteMs } from '../../domain/duration.ts'

// The words of disputes, for merchants and for staff.

export const disputeStatusNames: Record<DisputeStatus, string> = {
  early_warning: 'Announced',
  needs_response: 'Needs an answer',
  under_review: 'Being decided',
  won: 'Won',
  lost: 'Lost',
  prevented: 'Prevented',
}

export const resolutionNames: Record<DisputeResolution, string> = {
  accepted: 'It was accepted',
  evidence: 'The card network decided by the evidence',
  expired: 'Nobody answered in time',
  withdrawn: 'The buyer withdrew it',
}

/** A reason: what the buyer says, what helps to win, and which parts of the form matter most then. */
export type ReasonWords = {
  name: string
  claim: string
  helps: readonly string[]
  groups: readonly EvidenceGroup[]
  document: DocumentPurpose
}

export const disputeReasonWords: Record<DisputeReason, ReasonWords> = {
  credit_not_processed: {
    name: 'Refund not received',
    claim: 'The buyer says that a refund was due, and that it has not come.',
    helps: [
      'A refund that you have made already: when, and how much.',
      'If no refund was due: your refund policy, how the buyer saw it before buying, and why it does not apply.',
    ],
    groups: ['policies'],
    document: 'refund_policy',
  },
  duplicate: {
    name: 'Charged twice',
    claim: 'The buyer says that the same purchase was charged twice.',
    helps: [
      'The other payment, and why both are right: two orders, two periods, two items.',
      'A receipt of each purchase.',
      'If it was charged twice, accept the dispute.',
    ],
    groups: ['duplicate'],
    document: 'duplicate_charge',
  },
  fraudulent: {
    name: 'Fraudulent',
    claim: 'The owner of the card says that somebody else paid with it.',
    helps: [
      'Whatever shows that the owner of the card bought: an IP address, earlier orders, an account with their name.',
      'Delivery to the card’s billing address, with a tracking number.',
      'Messages between you and the buyer.',
    ],
    groups: ['customer', 'shipping', 'use'],
    document: 'customer_communication',
  },
  general: {
    name: 'Other reason',
    claim: 'The buyer’s bank has named no reason. Ask the buyer what went wrong.',
    helps: [
      'What was sold, that it was delivered, and what the buyer agreed to.',
      'Messages between you and the buyer.',
    ],
    groups: ['sold'],
    document: 'customer_communication',
  },
  product_not_received: {
    name: 'Product not received',
    claim: 'The buyer says that what they bought never arrived.',
    helps: [
      'The carrier, the tracking number and the date, with a proof of delivery to the buyer’s address.',
      'For a service or a download: when it was delivered, and logs that show its use.',
    ],
    groups: ['shipping', 'use'],
    document: 'shipping_documentation',
  },
  product_unacceptable: {
    name: 'Product not as described',
    claim: 'The buyer says that what arrived was damaged, or not what you had described.',
    helps: [
      'The description that the buyer saw before buying, and pictures.',
      'Whether the buyer has sent it back, and what you have offered.',
      'Your refund policy, and how the buyer saw it before buying.',
    ],
    groups: ['sold', 'policies'],
    document: 'customer_communication',
  },
  subscription_canceled: {
    name: 'Subscription canceled',
    claim: 'The buyer says that they had canceled before you charged them.',
    helps: [
      'Your cancellation policy, and how the buyer saw it before buying.',
      'That the buyer had not canceled in time, or has used the service since.',
    ],
    groups: ['policies', 'use'],
    document: 'cancellation_policy',
  },
  unrecognized: {
    name: 'Not recognized',
    claim: 'The buyer does not know what this payment on their statement is for.',
    helps: [
      'What was sold, to whom, and when, so that the buyer remembers.',
      'A receipt, and a proof of delivery.',
      'Talk to the buyer: their bank can withdraw the dispute.',
    ],
    groups: ['sold', 'customer'],
    document: 'receipt',
  },
}

/** The groups of the form, in their order. */
export const evidenceGroups = {
  sold: { title: 'What was sold', fields: ['product_description', 'service_date'] },
  customer: {
    title: 'The buyer',
    fields: ['customer_name', 'customer_email_address', 'billing_address', 'customer_purchase_ip'],
  },
  shipping: {
    title: 'Delivery of goods',
    fields: ['shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_tracking_number'],
  },
  use: { title: 'Use of a service or a download', fields: ['access_activity_log'] },
  policies: {
    title: 'Refunds and cancellation',
    fields: [
      'refund_policy_disclosure',
      'refund_refusal_explanation',
      'cancellation_policy_disclosure',
      'cancellation_rebuttal',
    ],
  },
  duplicate: { title: 'Another payment', fields: ['duplicate_charge_id', 'duplicate_charge_explanation'] },
  other: { title: 'Anything else', fields: ['uncategorized_text'] },
} as const satisfies Record<string, { title: string; fields: readonly EvidenceText[] }>
export type EvidenceGroup = keyof typeof evidenceGroups

/** Each text: its label, what it is for, and whether it is usually of one line. */
export const evidenceWords: Record<EvidenceText, { label: string; hint: string; isShort?: boolean }> = {
  product_description: { label: 'Description', hint: 'What the buyer bought, as they saw it before buying.' },
  service_date: { label: 'Date of the service', hint: 'When the service was given.', isShort: true },
  customer_name: { label: 'Name', hint: 'Filled in from the customer where we know it.', isShort: true },
  customer_email_address: { label: 'Email', hint: 'Filled in from the customer where we know it.', isShort: true },
  billing_address: {
    label: 'Billing address',
    hint: 'The address of the card. Filled in from the customer where we know it.',
    isShort: true,
  },
  customer_purchase_ip: { label: 'IP address', hint: 'From which the buyer bought.', isShort: true },
  shipping_address: { label: 'Sent to', hint: 'The address to which you sent it.', isShort: true },
  shipping_carrier: { label: 'Carrier', hint: 'Who carried it, such as GIG Logistics or DHL.', isShort: true },
  shipping_date: { label: 'Date of sending', hint: 'When you handed it to the carrier.', isShort: true },
  shipping_tracking_number: { label: 'Tracking number', hint: 'The carrier’s number of the parcel.', isShort: true },
  access_activity_log: {
    label: 'Logins and downloads',
    hint: 'Times and IP addresses at which the buyer used what they bought.',
  },
  refund_policy_disclosure: {
    label: 'How the buyer saw your refund policy',
    hint: 'Where it was shown before the purchase, and what it says.',
  },
  refund_refusal_explanation: { label: 'Why no refund is due', hint: 'Why the policy gives the buyer none.' },
  cancellation_policy_disclosure: {
    label: 'How the buyer saw your cancellation policy',
    hint: 'Where it was shown before the purchase, and what it says.',
  },
  cancellation_rebuttal: {
    label: 'Why it was not canceled in time',
    hint: 'Whether and when the buyer canceled, and what you answered.',
  },
  duplicate_charge_id: {
    label: 'Id of the other payment',
    hint: 'The payment that the buyer takes for the same. It begins with pay_.',
    isShort: true,
  },
  duplicate_charge_explanation: {
    label: 'Why the two payments are not the same',
    hint: 'What each of them was for.',
  },
  uncategorized_text: { label: 'Anything else', hint: 'Whatever else the bank should know, briefly and in order.' },
}

/** What a document shows, in the order of the form. */
export const purposeNames: Record<DocumentPurpose, string> = {
  receipt: 'Receipt or invoice',
  customer_communication: 'Messages with the buyer',
  shipping_documentation: 'Proof of delivery',
  service_documentation: 'Proof of the service',
  customer_signature: 'The buyer’s signature',
  refund_policy: 'Refund policy',
  cancellation_policy: 'Cancellation policy',
  duplicate_charge: 'Receipt of the other payment',
  uncategorized: 'Something else',
}

export const purposesInOrder = Object.keys(purposeNames) as DocumentPurpose[]

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`

/** The time until a moment, such as `3 days 4 hours`. Both are in milliseconds since the epoch. */
export function timeLeft(until: number, now: number): string {
  const minutes = Math.max(0, Math.floor((until - now) / minuteMs))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  const parts =
    days > 0
      ? [count(days, 'day'), hours > 0 && count(hours, 'hour')]
      : [hours > 0 && count(hours, 'hour'), count(minutes % 60, 'minute')]
  return parts.filter(Boolean).join(' ')
}
