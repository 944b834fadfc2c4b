import { aboutRefund } from '../domain/refund-process.ts'
import { newId } from '../domain/id.ts'
import { add, negate, subtract } from '../domain/money.ts'
import {
  heldAmountOf,
  isRefundEnded,
  moveRefund,
  type RefundEnd,
  type RefundRequest,
  returnedAmountOf,
  termsOf,
} from '../domain/refund.ts'
import { Refusal } from '../domain/refusal.ts'
import { lockShareTakenBack, type SharesTakenBack, takeBackShare } from './share-back.ts'
import { Checkout } from '../db/checkout/checkout.ts'
import type { EntityManager } from '../db/core/database.ts'
import { post, type Posting, postingIn, releasePostings } from '../db/ledger/ledger.ts'
import type { Payment } from '../db/checkout/payment.ts'
import { Refund } from '../db/refund/refund.ts'
import { timeOf } from '../db/core/test-clock.ts'
import { startProcess } from '../db/core/start-process.ts'

/** What the caller sends. The charge decides whether the refund is possible. */
export type NewRefund = RefundRequest &
  Pick<Refund, 'reference' | 'reason' | 'simulatedOutcome'> & { takesBack: SharesTakenBack }

/**
 * Opens a refund of a charge that the running transaction has locked. Claims its amount of the charge, reserves it from
 * the account's balance and starts the process by way of the outbox. What the balance cannot bear, the account owes.
 * The shares of the sale that the request names are taken back in proportion. Refused when the rules do not allow it.
 */
export async function openRefund(
  em: EntityManager,
  charge: Payment,
  request: NewRefund,
  asked: number,
): Promise<Refund> {
  const at = await timeOf(em, charge, asked)
  if (charge.status === 'underpaid') await assertEnded(em, charge)
  const { requested, fee } = termsOf(charge, request)
  const { accountId, environment } = charge
  const { reference, reason, simulatedOutcome, feeBearer, address: refundAddress } = request
  const refund = em.create(Refund, {
    accountId,
    environment,
    reference,
    reason,
    simulatedOutcome,
    feeBearer,
    refundAddress,
    id: newId('ref', at),
    chargeId: charge.id,
    status: 'pending' as const,
    currency: charge.currency,
    requestedAmount: requested,
    refundedAmount: null,
    feeAmount: fee,
    createdAt: new Date(at),
    updatedAt: new Date(at),
    completedAt: null,
  })
  charge.refundClaimed = add(charge.refundClaimed, requested)
  const returned = { by: { refundId: refund.id }, amount: requested }
  // First, so that the refund can use it.
  refund.takesBackShare = await takeBackShare(em, charge, returned, request.takesBack, at)
  const postings = [...takenFor(refund, charge), postingIn(refund.currency, 'reserved', heldAmountOf(refund))]
  await post(em, { kind: 'refund_hold', sourceId: refund.id, owner: refund, postings }, at)
  startProcess(em, 'refund', refund.id, aboutRefund(refund))
  return refund
}

/** Refuses to refund a short payment while the buyer may still pay the rest. */
async function assertEnded(em: EntityManager, { checkoutId }: Payment): Promise<void> {
  const session = await em.findOneOrFail(Checkout, { id: checkoutId ?? '' })
  if (session.status !== 'open') return
  throw new Refusal('CHARGE_NOT_REFUNDABLE', 'the checkout session is open: the buyer may still pay the rest')
}

/**
 * Where the reserved money comes from: the account's balance. The money of a short payment is the buyer's until the
 * account accepts it, so then only a fee that the account bears is taken from the account's balance.
 */
function takenFor(refund: Refund, { status }: Payment): Posting[] {
  const held = heldAmountOf(refund)
  const ofBuyer = status === 'underpaid' ? refund.requestedAmount : '0'
  return [
    postingIn(refund.currency, 'buyer', negate(ofBuyer)),
    { ...postingIn(refund.currency, 'merchant', negate(subtract(held, ofBuyer))), drawsPending: true, mayOwe: true },
  ]
}

/**
 * The postings that release all money reserved for a refund, to where it came from. A short payment that was accepted
 * meanwhile belongs to the account, and so does the money released to it.
 */
async function givenBack(em: EntityManager, refund: Refund, { status }: Payment): Promise<Posting[]> {
  const postings = await releasePostings(em, 'refund_hold', refund.id)
  return postings.map((posting) =>
    posting.ledgerAccount === 'buyer' && status === 'succeeded'
      ? { ...posting, ledgerAccount: 'merchant' as const }
      : posting,
  )
}

/**
 * Ends a refund as the rail has answered: the reserved money is paid out, or released to the account. The transaction
 * has locked the refund and its charge.
 */
export async function endRefund(em: EntityManager, refund: Refund, charge: Payment, end: RefundEnd, at: number) {
  if (isRefundEnded(refund.status)) return
  moveRefund(refund, end)
  refund.onHoldSince = null
  refund.completedAt = refund.updatedAt = charge.updatedAt = new Date(at)
  const { id: sourceId, requestedAmount } = refund
  if (end === 'failed') {
    charge.refundClaimed = subtract(charge.refundClaimed, requestedAmount)
    const share = await lockShareTakenBack(em, { refundId: refund.id }, charge)
    const postings = await givenBack(em, refund, charge)
    await post(em, { kind: 'refund_released', sourceId, owner: refund, postings }, at)
    return share?.restore(at)
  }
  refund.refundedAmount = returnedAmountOf(refund)
  charge.refundedAmount = add(charge.refundedAmount, requestedAmount)
  const postings = [postingIn(refund.currency, 'reserved', negate(heldAmountOf(refund))), ...sentBy(refund)]
  return post(em, { kind: 'refund_paid', sourceId, owner: refund, postings }, at)
}

/** The postings of a refund that was sent: its amount to the rail, and the fee to us. */
const sentBy = (refund: Refund): Posting[] => [
  postingIn(refund.currency, 'rail', returnedAmountOf(refund)),
  postingIn(refund.currency, 'fees', refund.feeAmount),
]

/**
 * Reverses a refund that had succeeded and whose money has come back: the account gets the money and the fee again, and
 * the charge can be refunded again. The transaction has locked the refund and its charge.
 */
export async function returnRefund(em: EntityManager, refund: Refund, charge: Payment, at: number): Promise<void> {
  moveRefund(refund, 'failed')
  refund.completedAt = refund.updatedAt = charge.updatedAt = new Date(at)
  refund.refundedAmount = null
  charge.refundClaimed = subtract(charge.refundClaimed, refund.requestedAmount)
  charge.refundedAmount = subtract(charge.refundedAmount, refund.requestedAmount)
  const share = await lockShareTakenBack(em, { refundId: refund.id }, charge)
  const taken = sentBy(refund).map((posting) => ({ ...posting, amount: negate(posting.amount) }))
  const restored = (await givenBack(em, refund, charge)).filter(({ ledgerAccount }) => ledgerAccount !== 'reserved')
  const postings = [...taken, ...restored]
  await post(em, { kind: 'refund_returned', sourceId: refund.id, owner: refund, postings }, at)
  await share?.restore(at)
}
