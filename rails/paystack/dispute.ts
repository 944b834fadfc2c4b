import type { DisputeReason, RaisedDispute } from '../../domain/dispute/dispute.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { exactNumber } from '../../domain/exact-json.ts'
import { lesser } from '../../domain/money.ts'
import type { DisputeAnswer, DisputeOrder, DisputeRail, EvidenceOrder } from '../dispute-rail.ts'
import { assertSame, claimOf, fromMinor, toMinor } from './amount.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { type PaystackApi, PaystackUnclear, type Reply, unclear } from './api.ts'
import { evidenceFile } from './evidence.ts'
import { chargeReference } from './reference.ts'
import { isNotFound, isRefusal } from './refusals.ts'
import { Dispute, reader, UploadTarget } from './shapes.ts'
import type { Uploads } from './upload.ts'

const readDispute = reader('a dispute', Dispute)
const readTarget = reader('where evidence is uploaded', UploadTarget)

/** How a resolved dispute has ended. `declined`: the claim of the buyer. */
const resolutions: Record<string, 'won' | 'lost' | 'closed'> = {
  declined: 'won',
  'merchant-accepted': 'closed',
  'auto-accepted': 'lost',
}

const perPage = 100

export type PaystackDisputes = DisputeRail<'live'> & {
  /** The disputes about Paystack's transaction of a charge so far; those that it has archived are left out. */
  raisedAbout(charge: { theirId: string; currency: string }): Promise<RaisedDispute[]>
}

/** Disputes of cards at Paystack. Everything starts with a question, so that an answer to a dispute is given once. */
export function createPaystackDisputes({ api, uploads }: { api: PaystackApi; uploads: Uploads }): PaystackDisputes {
  /** A dispute, once its currency and mode are those of the charge. */
  function assertTerms(currency: string, dispute: Dispute): Dispute {
    const reported = {
      domain: dispute.domain ?? null,
      currency: dispute.currency ?? dispute.transaction.currency ?? null,
    }
    assertSame('a dispute', reported, { amount: null, currency, reference: null, mode: api.mode })
    return dispute
  }

  async function ask({ networkId, paymentId, corridor }: DisputeOrder): Promise<Dispute | null> {
    if (!/^\d{1,20}$/.test(networkId)) return null
    const reply = await api.get(`/dispute/${networkId}`)
    if (isNotFound(reply)) return null
    if (!reply.isDone) throw unclear('a question about a dispute', reply)
    const dispute = readDispute(reply.data)
    const isSame = dispute.id === networkId && dispute.transaction.reference === chargeReference(paymentId)
    if (!isSame) throw new PaystackUnclear('Paystack answers about a dispute of another charge')
    return assertTerms(corridorOf(corridor).currency, dispute)
  }

  async function lookUpDispute(order: DisputeOrder, at: number): Promise<DisputeAnswer> {
    const dispute = await ask(order)
    return dispute ? answerOf(dispute, at) : { status: 'not_found' }
  }

  /** Paystack's name for a file that it now has. */
  async function upload({ networkId }: DisputeOrder, fileName: string, bytes: Uint8Array): Promise<string> {
    const reply = await api.get(`/dispute/${networkId}/upload_url?upload_filename=${fileName}`)
    if (!reply.isDone) throw unclear('where evidence is uploaded', reply)
    const { signedUrl, fileName: theirs } = readTarget(reply.data)
    await uploads.put(signedUrl, bytes)
    return theirs
  }

  /**
   * Answers a dispute that waits for the merchant. One that does not wait any more stays as it is. `errorOf` is thrown
   * where it still waits after the answer.
   */
  async function resolve(
    order: DisputeOrder,
    at: number,
    answerWith: (dispute: Dispute) => Promise<Record<string, unknown>>,
    errorOf: (reply: Reply) => Error = notAnswered,
  ): Promise<DisputeAnswer> {
    const dispute = await ask(order)
    if (!dispute) return { status: 'not_found' }
    const before = answerOf(dispute, at)
    if (before.status !== 'needs_response') return before
    const reply = await api.send('PUT', `/dispute/${order.networkId}/resolve`, await answerWith(dispute))
    const after = await lookUpDispute(order, at)
    if (!reply.isDone && after.status === 'needs_response') throw errorOf(reply)
    return after
  }

  const contest = async (order: EvidenceOrder) => ({
    resolution: 'declined',
    message: 'The merchant contests the claim. The evidence is in the file.',
    refund_amount: 0,
    uploaded_filename: await upload(order, 'evidence.pdf', await evidenceFile(order)),
  })

  return {
    lookUpDispute,

    submitEvidence: (order, at) => resolve(order, at, () => contest(order), notTaken),

    async acceptDispute(order, at) {
      if (order.isRefunded) return lookUpDispute(order, at)
      return resolve(order, at, async (dispute) => ({
        resolution: 'merchant-accepted',
        message: 'The merchant accepts the claim.',
        refund_amount: exactNumber(acceptedOf(order, dispute)),
        // Paystack's description asks for a file also where nothing is contested.
        uploaded_filename: await upload(order, 'acceptance.pdf', await evidenceFile(acceptance(order))),
      }))
    },

    async raisedAbout({ theirId: transaction, currency }) {
      const reply = await api.get(`/dispute?transaction=${transaction}&perPage=${perPage}`)
      if (!reply.isDone || !Array.isArray(reply.data)) throw unclear('the list of disputes', reply)
      const disputes = reply.data.map(readDispute).filter((dispute) => dispute.transaction.id === transaction)
      const counted = disputes.filter(({ status }) => status !== 'archived')
      return counted.map((dispute) => toRaised(assertTerms(currency, dispute)))
    },
  }
}

const notAnswered = (reply: Reply): Error => unclear('an answer to a dispute', reply)

/** Evidence in which Paystack finds something that is not valid is refused: people have to see that. */
const notTaken = (reply: Reply): Error =>
  isRefusal(reply) ? new RailRefusal(`Paystack does not take the evidence (${reply.code})`) : notAnswered(reply)

/**
 * What Paystack gives the buyer by an acceptance, in hundredths: what the dispute takes here, and never more than the
 * claim. Of a charge that was refunded in part, Paystack may still show the whole charge as the claim.
 */
const acceptedOf = ({ amount }: DisputeOrder, dispute: Dispute): string =>
  lesser(toMinor(amount), claimOf(dispute) ?? dispute.transaction.amount)

const acceptance = (order: DisputeOrder) => ({
  ...order,
  texts: { uncategorized_text: 'The merchant accepts the claim.' },
  documents: [],
})

function answerOf(dispute: Dispute, at: number): DisputeAnswer {
  const { status, resolution } = dispute
  const dueAt = Date.parse(dispute.dueAt ?? '')
  if (status === 'awaiting-bank-feedback') return { status: 'under_review' }
  if (status === 'awaiting-merchant-feedback' || status === 'pending') {
    if (Number.isNaN(dueAt)) throw new PaystackUnclear('Paystack names no time for the answer to a dispute')
    return status === 'pending' && at >= dueAt ? { status: 'under_review' } : { status: 'needs_response', dueAt }
  }
  const known = resolution != null && Object.hasOwn(resolutions, resolution) ? resolutions[resolution] : undefined
  if (status === 'resolved' && known) return { status: known }
  throw new PaystackUnclear('Paystack reports a state of a dispute that its documents do not explain')
}

function toRaised(dispute: Dispute): RaisedDispute {
  const { id, status, category, dueAt, resolvedAt, createdAt } = dispute
  // An open one whose time is not named yet would be over as soon as it is opened: Paystack is asked again.
  const due = Date.parse(dueAt ?? (status === 'resolved' ? (resolvedAt ?? createdAt) : null) ?? '')
  if (Number.isNaN(due)) throw new PaystackUnclear('Paystack names no time of a dispute')
  const claim = claimOf(dispute)
  const amount = claim === null ? null : fromMinor(claim)
  const reason: DisputeReason = category === 'fraud' ? 'fraudulent' : 'general'
  return { id, amount, reason, networkReasonCode: null, dueAt: due, warnsUntil: null }
}
