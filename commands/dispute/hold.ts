import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import { post, type Posting, releasePostings } from '../../db/ledger/ledger.ts'
import { add, type Amount, isZero, negate, subtract } from '../../domain/money.ts'
import { lockShareTakenBack, takeBackShare } from '../share-back.ts'

const line = (
  { currency }: Dispute,
  ledgerAccount: Posting['ledgerAccount'],
  amount: Amount,
  more: Partial<Posting> = {},
): Posting => ({ ...more, ledgerAccount, amount, currency })

/** Takes an amount from the account's balance into what is reserved. What the balance cannot bear, the account owes. */
const reserved = (dispute: Dispute, amount: Amount): Posting[] => [
  line(dispute, 'merchant', negate(amount), { drawsPending: true, mayOwe: true }),
  line(dispute, 'reserved', amount),
]

/**
 * Holds the amount and the fee of a dispute, and takes back in proportion what the sale had passed on to others. The
 * charge is locked.
 */
export async function holdDisputed(em: EntityManager, dispute: Dispute, charge: Payment, at: number): Promise<void> {
  const { id: sourceId, amount, fee } = dispute
  const takesBack = { reversesTransfer: true, refundsPlatformFee: true }
  await takeBackShare(em, charge, { by: { disputeId: sourceId }, amount }, takesBack, at)
  charge.disputeClaimed = add(charge.disputeClaimed, amount)
  charge.disputed = true
  charge.updatedAt = new Date(at)
  await post(em, { kind: 'dispute_hold', sourceId, owner: dispute, postings: reserved(dispute, amount) }, at)
  if (isZero(fee)) return
  await post(em, { kind: 'dispute_fee_hold', sourceId, owner: dispute, postings: reserved(dispute, fee) }, at)
}

/** The amount that was held leaves for good, and the fee is paid. */
export async function payDisputed(em: EntityManager, dispute: Dispute, at: number): Promise<void> {
  const { id: sourceId, amount } = dispute
  const postings = [line(dispute, 'reserved', negate(amount)), line(dispute, 'rail', amount)]
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
  const postings = await releasePostings(em, 'dispute_hold', sourceId)
  await post(em, { kind: 'dispute_released', sourceId, owner: dispute, postings }, at)
  await payFee(em, dispute, at)
  await share?.restore(at)
}

async function payFee(em: EntityManager, dispute: Dispute, at: number): Promise<void> {
  const { id: sourceId, fee } = dispute
  if (isZero(fee)) return
  const postings = [line(dispute, 'reserved', negate(fee)), line(dispute, 'fees', fee)]
  await post(em, { kind: 'dispute_fee_paid', sourceId, owner: dispute, postings }, at)
}
