import type { UploadType } from '../domain/catalogue/upload.ts'
import type { Environment } from '../domain/access/scope.ts'
import type { Corridor } from '../domain/corridor.ts'
import type { DocumentPurpose, EvidenceText } from '../domain/dispute/evidence.ts'
import type { Amount } from '../domain/money.ts'

/**
 * Which dispute a call is about. Every order names the environment of its row. `amount`: what it takes of the charge,
 * which may be less than the buyer claims. `isRefunded`: it was a warning, and the charge was refunded.
 */
export type DisputeOrder<E extends Environment = Environment> = {
  environment: E
  networkId: string
  paymentId: string
  corridor: Corridor
  amount: Amount
  isRefunded: boolean
}

/** A document of the evidence. Its bytes are read when they are sent. */
export type EvidenceDocument = {
  purpose: DocumentPurpose
  fileName: string
  contentType: UploadType
  read(): AsyncIterable<Uint8Array>
}

/**
 * The evidence for the network. The same order again is the same submission. `ownTexts`: those of the texts that the
 * merchant has given; the others were prefilled.
 */
export type EvidenceOrder<E extends Environment = Environment> = DisputeOrder<E> & {
  texts: Partial<Record<EvidenceText, string>>
  ownTexts: readonly EvidenceText[]
  documents: EvidenceDocument[]
}

/**
 * How a dispute stands at its network. `withdrawn`: the buyer has taken it back. `prevented`: it has ended before it
 * took any money. `closed`: the network knows that the merchant has accepted it, or that a refund has prevented it.
 * `isAccepted`: it has taken the money by a rule with which the merchant accepts disputes ahead. `leftOut`: documents
 * that it refused, so that it has the evidence without them.
 */
export type DisputeAnswer = (
  | { status: 'early_warning' | 'under_review' | 'won' | 'withdrawn' | 'prevented' | 'closed' | 'not_found' }
  | { status: 'lost'; isAccepted?: boolean }
  | { status: 'needs_response'; dueAt: number }
) & { leftOut?: DocumentPurpose[] }

/**
 * The part of a rail for disputes. Every call may be repeated, and an unknown outcome is an exception. A
 * `RailRefusal` means that the network does not take the evidence or the acceptance: it has decided already, or finds
 * something wrong with it. A look-up tells which. The refusal's message names the network's code, and no personal data.
 */
export type DisputeRail<E extends Environment> = {
  submitEvidence: (order: EvidenceOrder<E>, at: number) => Promise<DisputeAnswer>
  /**
   * Tells the network that the merchant does not contest the dispute. Where the order says `isRefunded`, it may close a
   * warning, but never gives up a dispute that the network has raised all the same: that one is only asked about.
   */
  acceptDispute: (order: DisputeOrder<E>, at: number) => Promise<DisputeAnswer>
  lookUpDispute: (order: DisputeOrder<E>, at: number) => Promise<DisputeAnswer>
}
