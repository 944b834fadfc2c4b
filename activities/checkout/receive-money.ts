import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { postedDeposits, post, type Posting } from '../../db/ledger/ledger.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { moveCheckoutPaymentStatus } from '../../domain/checkout/checkout.ts'
import { depositSource } from '../../domain/checkout/deposit.ts'
import { assertSafeAction, movePayment } from '../../domain/checkout/payment.ts'
import { isLess, isZero, negate, subtract } from '../../domain/money.ts'
import type { Deposit, RailAnswer } from '../../rails/rail.ts'
import { collectionUnderpaid } from '../../schemas/checkout/collection-event.ts'
import { isChosen } from './session.ts'
import { succeedPayment } from './success.ts'
import { refundUnwantedSurplus } from './unwanted-payment.ts'

/** What a rail says of money that has arrived. */
export type Received = Extract<RailAnswer, { received: string }>

/**
 * Posts the money that has arrived for a payment: the full amount or a part of it. An answer that knows of less than
 * was posted is older, and was slower: it changes nothing.
 */
export async function receiveMoney(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  answer: Received,
  at: number,
): Promise<void> {
  const before = payment.amountReceived
  if (isLess(answer.received, before)) return
  await postDeposits(em, payment, answer.deposits, at)
  payment.amountReceived = answer.received
  payment.methodDetails = answer.details
  payment.updatedAt = new Date(at)
  payment.late = session.status !== 'open'
  // After a part was refunded, money that arrives later cannot complete the payment.
  const isWhole = answer.status === 'succeeded' && isZero(payment.refundClaimed)
  if (isWhole) return succeedPayment(em, session, payment, answer, at)
  movePayment(payment, 'underpaid')
  if (answer.status === 'underpaid' && answer.nextAction)
    payment.nextAction = assertSafeAction(answer.nextAction, payment.environment)
  if (isChosen(session, payment)) awaitTheRest(session)
  if (!isLess(before, answer.received)) return
  const data = collectionUnderpaid(payment)
  await recordEvent(em, payment, { type: 'collection.underpaid', resourceId: payment.id, data }, at)
}

/** Lets the session wait for the rest of a payment, also when the rail had said that the attempt failed. */
function awaitTheRest(session: Checkout): void {
  if (session.paymentStatus === 'failed') {
    moveCheckoutPaymentStatus(session, 'requires_payment_method')
    moveCheckoutPaymentStatus(session, 'requires_confirmation')
  }
  moveCheckoutPaymentStatus(session, 'requires_action')
}

/**
 * Posts a transfer that arrived beside the one that completed the payment. It belongs to the merchant too, without a
 * further fee, unless the payment is unwanted: then it goes back.
 */
export async function receiveSurplus(em: EntityManager, payment: Payment, answer: Received, at: number): Promise<void> {
  if (!isLess(payment.amountReceived, answer.received)) return
  const amount = subtract(answer.received, payment.amountReceived)
  const currency = payment.currency
  const posted = await postDeposits(em, payment, answer.deposits, at)
  const postings: Posting[] = [
    { ledgerAccount: 'buyer', currency, amount: negate(amount) },
    { ledgerAccount: 'merchant', currency, amount },
  ]
  // Named by a transfer that is new: the last one of the answer may have been posted before.
  const newest = posted.at(-1)
  const sourceId = newest === undefined ? payment.id : depositSource(payment.id, newest)
  await post(em, { kind: 'surplus', sourceId, about: payment.id, owner: payment, postings }, at)
  payment.amountReceived = answer.received
  payment.updatedAt = new Date(at)
  await refundUnwantedSurplus(em, payment, amount, at)
}

/**
 * Posts transfers that are not posted yet, and returns their ids. The bank holds the money, and it belongs to the buyer
 * until the sale is complete.
 */
async function postDeposits(em: EntityManager, payment: Payment, deposits: Deposit[], at: number): Promise<string[]> {
  if (deposits.length === 0) return []
  const ids = deposits.map((deposit) => deposit.id)
  const posted = await postedDeposits(em, payment, ids)
  const currency = payment.currency
  const fresh = deposits.filter((deposit) => !posted.has(deposit.id))
  for (const { id, amount } of fresh) {
    const postings: Posting[] = [
      { ledgerAccount: 'rail', currency, amount: negate(amount) },
      { ledgerAccount: 'buyer', currency, amount },
    ]
    await post(em, { kind: 'deposit', sourceId: depositSource(payment.id, id), owner: payment, postings }, at)
  }
  return fresh.map(({ id }) => id)
}
