import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import { LedgerTransaction } from '../../db/ledger/tables.ts'
import { post, type Posting, postingIn, releasePostings } from '../../db/ledger/ledger.ts'
import { add, type Amount, isZero, negate, subtract } from '../../domain/money.ts'
import { lockShareTakenBack, takeBackShare } from '../share-back.ts'

/** Of the shares of others both go back: what was passed on to a seller, and the fee of a platform. */
const takesBack = { reversesTransfer: true, refundsPlatformFee: true }

/** Takes an amount from the account's balance into what is reserved. What the balance cannot bear, the account owes. */
const reserved = ({ currency }: Dispute, amount: Amount): Posting[] => [
  { ...postingIn(currency, 'merchant', negate(amount)), drawsPending: true, mayOwe: true },
  postingIn(currency, 'reserved', amount),
]

/**
 * Holds the amount and the fee of a dispute, and takes back in proportion what the sale had passed on to others. The
 * charge is locked.
 */
export async function holdDisputed(em: EntityManager, dispute: Dispute, charge: Payment, at: number): Promise<void> {
  const { id: sourceId, amount, fee } = dispute
  await takeBackShare(em, charge, { by: { disputeId: sourceId }, amount }, takesBack, at)
  charge.disputeClaimed = add(charge.disputeClaimed, amount)
  charge.disputed = true
  charge.updatedAt = new Date(at)
  await post(em, { kind: 'dispute_hold', sourceId, owner: dispute, postings: reserved(dispute, amount) }, at)
  if (isZero(fee)) return
  await post(em, { kind: 'dispute_fee_hold', sourceId, owner: dispute, postings: reserved(dispute, fee) }, at)
}

/**
 * Holds more of a charge for a dispute whose amount has grown by `more`, and takes back more of the shares. It is a
 * movement of its own: what is posted never changes. The charge is locked.
 */
export async function holdMore(em: EntityManager, dispute: Dispute, charge: Payment, more: Amount, at: number) {
  const { id, amount } = dispute
  await takeBackShare(em, charge, { by: { disputeId: id }, amount }, takesBack, at)
  charge.disputeClaimed = add(charge.disputeClaimed, more)
  charge.updatedAt = new Date(at)
  const sourceId = holdSource(id, (await holdsOf(em, id)).length)
  await post(em, { kind: 'dispute_hold', sourceId, about: id, owner: dispute, postings: reserved(dispute, more) }, at)
}

/** The source of a dispute's movements that hold its amount: its own id, and for the later ones with their number. */
const holdSource = (id: string, index: number): string => (index === 0 ? id : `${id}/${index}`)

/** The sources of the movements that hold the amount of a dispute. */
export async function holdsOf(em: EntityManager, id: string): Promise<string[]> {
  const sources: string[] = []
  for (;;) {
    const sourceId = holdSource(id, sources.length)
    if ((await em.count(LedgerTransaction, { kind: 'dispute_hold', sourceId })) === 0) return sources
    sources.push(sourceId)
  }
}

/** The amount that was held leaves for good, and the fee is paid. */
export async function payDisputed(em: EntityManager, dispute: Dispute, at: number): Promise<void> {
  const { id: sourceId, currency, amount } = dispute
  const postings = [postingIn(currency, 'reserved', negate(amount)), postingIn(currency, 'rail', amount)]
  await post(em, { kind: 'dispute_paid', sourceId, owner: dispute, postings }, at)
  await payFee(em, dispute, at)
}

/**
 * The account gets the amount that was held, each part when it would have been available, and so do the others what
 * they had given back. The fee is paid all the same. The charge is locked.
 */
export async function releaseDisputed(em: EntityManager, dispute: Dispute, charge: Payment, at: number): Promise<void> {
  const { id: sourceId, amount } = dispute
  charge.disputeClaimed = subtract(charge.disputeClaimed, amount)
  charge.updatedAt = new Date(at)
  const share = await lockShareTakenBack(em, { disputeId: sourceId }, charge)
  const postings: Posting[] = []
  for (const hold of await holdsOf(em, sourceId)) postings.push(...(await releasePostings(em, 'dispute_hold', hold)))
  await post(em, { kind: 'dispute_released', sourceId, owner: dispute, postings }, at)
  await payFee(em, dispute, at)
  await share?.restore(at)
}

async function payFee(em: EntityManager, dispute: Dispute, at: number): Promise<void> {
  const { id: sourceId, currency, fee } = dispute
  if (isZero(fee)) return
  const postings = [postingIn(currency, 'reserved', negate(fee)), postingIn(currency, 'fees', fee)]
  await post(em, { kind: 'dispute_fee_paid', sourceId, owner: dispute, postings }, at)
}
