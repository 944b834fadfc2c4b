import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type Stripe from 'stripe'
import { type DisputeReason, disputeReasonKeys, type RaisedDispute } from '../../domain/dispute/dispute.ts'
import type { DocumentPurpose } from '../../domain/dispute/evidence.ts'
import type { DisputeAnswer, DisputeOrder, DisputeRail, EvidenceDocument, EvidenceOrder } from '../dispute-rail.ts'
import type { RailAnswer } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { fromMinor } from './amount.ts'
import { currencyOf, idOf } from './intent.ts'
import type { BookedOrder, Needs } from './orders.ts'
import { ask, isTrouble, orNull } from './trouble.ts'
import { dayMs } from '../../domain/duration.ts'

type Succeeded = Extract<RailAnswer, { received: unknown }>

/** The shortest time that a network gives for evidence: what a dispute has for which Stripe names no time. */
const shortestTimeMs = 7 * dayMs
const pageSize = 100

/** An answer about a charge that has succeeded, with the disputes that Stripe has of it. */
export async function withDisputes(
  api: Stripe,
  row: BookedOrder,
  { disputed }: Stripe.Charge,
  answer: Succeeded,
): Promise<RailAnswer> {
  if (!disputed || row.stripeId === null) return answer
  const query = { payment_intent: row.stripeId, limit: pageSize }
  const found = await ask('listing disputes', () => api.disputes.list(query))
  const currency = currencyOf(row)
  const disputes = found.data.map((dispute): RaisedDispute => {
    if (dispute.currency !== currency.toLowerCase())
      throw new Error(`Stripe reports a dispute of ${row.orderId} in another currency`)
    const dueAt = dueAtOf(dispute)
    return {
      id: dispute.id,
      amount: fromMinor(dispute.amount, currency),
      reason: reasonOf(dispute),
      networkReasonCode: dispute.payment_method_details?.card?.network_reason_code ?? null,
      dueAt,
      warnsUntil: isAnnounced(dispute) ? dueAt : null,
    }
  })
  return { ...answer, disputes: disputes.toSorted((left, right) => left.dueAt - right.dueAt) }
}

/**
 * Whether the money of a dispute has left and has not come back. Only this tells how one ended that was prevented: the
 * network has blocked it, or has given the buyer the money by the merchant's own rule, without a chargeback. Movements
 * are counted, not their amounts: each is converted at the rate of its day.
 */
export const hasTaken = ({ balance_transactions: moved }: Pick<Stripe.Dispute, 'balance_transactions'>): boolean =>
  moved.reduce((left, { amount }) => left + Math.sign(amount), 0) < 0

/** Whether Stripe has only announced a dispute, which holds nothing. */
const isAnnounced = (dispute: Stripe.Dispute): boolean =>
  dispute.status.startsWith('warning_') || (dispute.status === 'prevented' && !hasTaken(dispute))

/** Stripe names 0 where the buyer's bank takes no response. Stripe then still has to say how the dispute ends. */
const dueAtOf = ({ evidence_details: { due_by: dueBy }, created }: Stripe.Dispute): number =>
  dueBy ? dueBy * 1000 : created * 1000 + shortestTimeMs

/** Stripe's reasons are ours, except for some of direct debits and for `noncompliant`. */
const reasonOf = ({ reason }: Stripe.Dispute): DisputeReason =>
  disputeReasonKeys.find((key) => key === reason) ?? 'general'

/** Disputes of Stripe's card charges. */
export function createDisputes({ api, orders, livemode }: Needs): DisputeRail<'live'> {
  const retrieve = (id: string): Promise<Stripe.Dispute | null> =>
    orNull(() => ask('retrieving a dispute', () => api.disputes.retrieve(id)), 'not_found')

  /** What the network says of a dispute, which has to be one of the payment that the order names. */
  async function answerOf({ networkId, paymentId }: DisputeOrder, dispute: Stripe.Dispute): Promise<DisputeAnswer> {
    if (dispute.livemode !== livemode) throw new Error(`Stripe answers about ${networkId} in its other mode`)
    const payment = await orders.find(paymentId)
    if (payment?.stripeId !== idOf(dispute.payment_intent))
      throw new Error(`Stripe reports the dispute ${networkId} of another payment`)
    const isAccepted = (await orders.find(networkId))?.answered === 'accepted'
    return statusOf(dispute, isAccepted)
  }

  async function lookUpDispute(order: DisputeOrder): Promise<DisputeAnswer> {
    const dispute = await retrieve(order.networkId)
    return dispute ? answerOf(order, dispute) : { status: 'not_found' }
  }

  /** Stripe's id of the charge of one of our payments; null: it is none of ours. */
  async function chargeIdOf(paymentId: string): Promise<string | null> {
    const row = await orders.find(paymentId)
    if (!row?.stripeId) return null
    const { stripeId } = row
    return idOf((await ask('retrieving a payment', () => api.paymentIntents.retrieve(stripeId))).latest_charge)
  }

  /**
   * The evidence in Stripe's form. A document that Stripe refuses is left out: the rest still arrives, if it has
   * anything from the merchant. What was prefilled alone would only use up the one submission.
   */
  async function evidenceOf(order: EvidenceOrder) {
    const { duplicate_charge_id: duplicate, ...texts } = order.texts
    // The names of the texts are Stripe's. Only the id of another charge is its own.
    const evidence: Stripe.DisputeUpdateParams.Evidence = { ...texts }
    const charge = duplicate === undefined ? null : await chargeIdOf(duplicate)
    if (charge) evidence.duplicate_charge_id = charge
    const leftOut: DocumentPurpose[] = []
    for (const document of order.documents) {
      const id = await orNull(() => upload(order, document), 'refused')
      if (id === null) leftOut.push(document.purpose)
      else evidence[documentFields[document.purpose]] = id
    }
    const hasDocument = leftOut.length < order.documents.length
    if (!hasDocument && order.ownTexts.every((key) => evidence[key] === undefined))
      throw new RailRefusal('Stripe takes nothing of what the merchant has given')
    return { evidence, ...(leftOut.length > 0 && { leftOut }) }
  }

  /** Sends a document; the same document again is the same file at Stripe. */
  async function upload({ networkId }: EvidenceOrder, document: EvidenceDocument): Promise<string> {
    const data = await buffer(document.read())
    const digest = createHash('sha256').update(document.fileName).update('\0').update(data).digest('hex')
    const file = { data, name: document.fileName, type: document.contentType }
    const { id } = await ask('sending a document', () =>
      api.files.create(
        { purpose: 'dispute_evidence', file },
        { idempotencyKey: `${networkId}-${document.purpose}-${digest}` },
      ),
    )
    return id
  }

  return {
    lookUpDispute,
    /** Stripe takes evidence once. So it is asked first, and what was submitted before is not submitted again. */
    async submitEvidence(order: EvidenceOrder<'live'>): Promise<DisputeAnswer> {
      const { networkId } = order
      const before = await retrieve(networkId)
      if (!before) return { status: 'not_found' }
      const known = await answerOf(order, before)
      if (known.status === 'closed' || known.status === 'prevented') throw new RailRefusal('the dispute is over')
      if (known.status !== 'needs_response') return known
      const { evidence, ...without } = await evidenceOf(order)
      try {
        const submit = () => api.disputes.update(networkId, { evidence, submit: true })
        return { ...(await answerOf(order, await ask('submitting evidence', submit))), ...without }
      } catch (error) {
        if (!isTrouble(error, 'refused', 'wrong_state')) throw error
        throw new RailRefusal(`Stripe does not take the evidence (${error.code})`)
      }
    },
    /**
     * Accepts a dispute, which then is lost. A warning cannot be accepted: Stripe closes it by itself once the
     * charge is refunded. If Stripe has raised it all the same, it is not closed here: that gives it up for good.
     */
    async acceptDispute(order: DisputeOrder<'live'>): Promise<DisputeAnswer> {
      const { networkId, paymentId, isRefunded } = order
      const known = await lookUpDispute(order)
      if (isRefunded || known.status !== 'needs_response') return known
      await orders.open({ orderId: networkId, kind: 'dispute', paymentId })
      // Noted before it is sent: a lost answer must not look like a dispute that evidence has lost.
      await orders.note(networkId, 'accepted')
      try {
        const accept = () => api.disputes.close(networkId)
        return await answerOf(order, await ask('accepting a dispute', accept))
      } catch (error) {
        if (!isTrouble(error, 'refused', 'wrong_state')) throw error
        throw new RailRefusal(`Stripe does not take the acceptance (${error.code})`)
      }
    },
  }
}

function statusOf(dispute: Stripe.Dispute, isAccepted: boolean): DisputeAnswer {
  switch (dispute.status) {
    case 'needs_response':
      return { status: 'needs_response', dueAt: dueAtOf(dispute) }
    case 'under_review':
      return { status: 'under_review' }
    case 'won':
      return { status: 'won' }
    case 'lost':
      return { status: isAccepted ? 'closed' : 'lost' }
    case 'warning_needs_response':
    case 'warning_under_review':
      return { status: 'early_warning' }
    case 'warning_closed':
      return { status: 'prevented' }
    case 'prevented':
      return hasTaken(dispute) ? { status: 'lost', isAccepted: true } : { status: 'prevented' }
    default:
      throw new Error(`Stripe reports the dispute ${dispute.id} in a state that this rail does not know`)
  }
}

/** Stripe's field for the document of each purpose. */
const documentFields = {
  cancellation_policy: 'cancellation_policy',
  customer_communication: 'customer_communication',
  customer_signature: 'customer_signature',
  duplicate_charge: 'duplicate_charge_documentation',
  receipt: 'receipt',
  refund_policy: 'refund_policy',
  service_documentation: 'service_documentation',
  shipping_documentation: 'shipping_documentation',
  uncategorized: 'uncategorized_file',
} as const satisfies Record<DocumentPurpose, keyof Stripe.DisputeUpdateParams.Evidence>
