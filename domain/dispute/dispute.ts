import { cardCorridors, type Corridor } from '../corridor.ts'
import type { Currency } from '../currency.ts'
import { add, type Amount, lesser, subtract } from '../money.ts'
import { assertMove, type Moves } from '../move.ts'
import { Refusal } from '../refusal.ts'

/**
 * `early_warning`: the network has announced a dispute, and a full refund still prevents it. A warning holds no money
 * and costs no fee.
 */
export const disputeStatuses = ['early_warning', 'needs_response', 'under_review', 'won', 'lost', 'prevented'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/**
 * How a dispute ended: the merchant accepted it, then or ahead by a rule, evidence decided, nobody answered in time, or
 * it was withdrawn.
 */
export const disputeResolutions = ['accepted', 'evidence', 'expired', 'withdrawn'] as const
export type DisputeResolution = (typeof disputeResolutions)[number]

/** Why a buyer disputes a payment, as the networks group it, with an example of a network's own code. */
export const disputeReasons = {
  credit_not_processed: '13.7',
  duplicate: '12.6.1',
  fraudulent: '10.4',
  general: null,
  product_not_received: '13.1',
  product_unacceptable: '13.3',
  subscription_canceled: '13.2',
  unrecognized: '10.5',
} as const
export type DisputeReason = keyof typeof disputeReasons
export const disputeReasonKeys = Object.keys(disputeReasons) as DisputeReason[]

/** A dispute that a network has raised about a charge, in the charge's currency. `id` is the network's own. */
export type RaisedDispute = {
  id: string
  /** What the buyer claims. Null: not said. A new dispute takes all that is left, and a known one keeps its amount. */
  amount: Amount | null
  reason: DisputeReason
  networkReasonCode: string | null
  /** Until when evidence is taken, in milliseconds since the epoch. */
  dueAt: number
  /** Of an early warning: until when a full refund prevents the dispute, in ms since the epoch; else null. */
  warnsUntil: number | null
}

/**
 * Every legal move of a dispute. A network may raise a dispute although the charge was refunded after its warning: what
 * settles, and so the refund, is less than what the buyer has paid (decision 0113).
 */
export const disputeMoves: Moves<DisputeStatus> = {
  early_warning: ['needs_response', 'prevented', 'won'],
  needs_response: ['under_review', 'won', 'lost'],
  under_review: ['won', 'lost'],
  won: [],
  lost: [],
  prevented: ['needs_response'],
}

const endedStatuses: readonly DisputeStatus[] = ['won', 'lost', 'prevented']

/** Whether nobody has to do anything about a dispute: of one that was prevented, only its network may say more. */
export const isDisputeEnded = (status: DisputeStatus): boolean => endedStatuses.includes(status)

/** Whether a dispute holds its amount and its fee. */
export const holdsMoney = (status: DisputeStatus): boolean => status === 'needs_response' || status === 'under_review'

/** Whether a dispute holds its amount or has taken it. */
export const claimsMoney = (status: DisputeStatus): boolean => holdsMoney(status) || status === 'lost'

type Answerable = { status: DisputeStatus; evidenceDueAt: Date }

/** Refuses an answer to a dispute that does not wait for one, or whose time is over; `at` is in ms since the epoch. */
export function assertAnswerable({ status, evidenceDueAt }: Answerable, at: number): void {
  const conflict = (detail: string) => new Refusal('CONFLICT', detail)
  if (status === 'early_warning')
    throw conflict('the dispute is only announced: a full refund prevents it, and evidence is submitted later')
  if (status === 'under_review') throw conflict('the evidence was submitted, so it is locked')
  if (status !== 'needs_response') throw conflict(`the dispute is ${status}`)
  if (at >= evidenceDueAt.getTime()) throw conflict('the time for evidence is over')
}

/** Moves a dispute to another status. */
export function moveDispute(dispute: { status: DisputeStatus }, to: DisputeStatus): void {
  assertMove('dispute', disputeMoves, dispute.status, to)
  dispute.status = to
}

/** Only cards can be charged back. Money that the buyer has sent by their own order cannot. */
export const isDisputable = (corridor: Corridor): boolean => cardCorridors.includes(corridor)

/** What a dispute costs, in the currency of its payment: about what card networks and their banks charge for one. */
export const disputeFees: Partial<Record<Currency, Amount>> = { USD: '15.00', NGN: '5000.00' }

export const disputeFeeOf = (currency: Currency): Amount => disputeFees[currency] ?? '0'

/** The part of a payment that disputes depend on. `disputeClaimed`: what disputes hold of it, or have taken. */
export type Disputed = { amountReceived: Amount; refundClaimed: Amount; disputeClaimed: Amount }

/**
 * The most that can still leave a charge to its buyer by a dispute: what they have paid, less what refunds and other
 * disputes already claim of it.
 */
export const disputableOf = ({ amountReceived, refundClaimed, disputeClaimed }: Disputed): Amount =>
  subtract(amountReceived, add(refundClaimed, disputeClaimed))

/** What a new dispute takes of a charge: what the network names, if it does, and never more than what is left of it. */
export const takenBy = (named: Amount | null, charge: Disputed): Amount =>
  named === null ? disputableOf(charge) : lesser(named, disputableOf(charge))
