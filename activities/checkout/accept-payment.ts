import { passOnSplit } from '../../commands/checkout/split.ts'
import { replaceFee } from '../../commands/settle-payment.ts'
import { assertUnpaid, payInvoice } from '../../commands/subscription/pay-invoice.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import { post, type Posting } from '../../db/ledger/ledger.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { availableAfterMsOf, priceOf } from '../../domain/corridor.ts'
import { isShortPayment, movePayment } from '../../domain/checkout/payment.ts'
import { type Amount, lesser, negate, subtract } from '../../domain/money.ts'
import { hasOpenRefund } from '../../domain/refund.ts'
import { Refusal } from '../../domain/refusal.ts'
import { collectionSucceeded } from '../../schemas/checkout/collection-event.ts'
import { touch } from './session.ts'
import { isPaid } from './unwanted-payment.ts'

/**
 * The fee on the part of a payment that is left, which bears it itself: the buyer adds nothing. More than the amount
 * can be left, because after a refund a payment stays short whatever arrives; a surplus is free (decision 0007).
 */
const feeOfPart = ({ amount, fee, corridor }: Payment, left: Amount): Amount =>
  lesser(priceOf(lesser(left, amount), corridor, 'org_pays').fee, fee)

/**
 * Credits the merchant with the part of a short payment that has arrived, less the fee on that part; it pays the
 * invoice of its session. It runs in the caller's transaction, which holds the session's lock. Refuses with `CONFLICT`
 * while the buyer may still pay the rest, when the sale was paid in another way, and when nothing is left to settle.
 * Also while a refund may still fail: what that gives back has to be settled with the rest, with its fee and its share.
 * Parts that were accepted earlier stay accepted.
 */
export async function acceptShortPayment(em: EntityManager, session: Checkout, paymentId: string, at: number) {
  const payment = await lock(em, Payment, paymentId)
  if (payment.partial) return
  if (session.status === 'open')
    throw new Refusal('CONFLICT', 'the checkout session is open: the buyer may still pay the rest')
  if (!isShortPayment(payment)) throw new Refusal('CONFLICT', 'nothing of this payment waits to be accepted')
  if (hasOpenRefund(payment))
    throw new Refusal('CONFLICT', 'a refund of this payment is under way: accept what is left once it has ended')
  if (await isPaid(em, session, { inFull: true }))
    throw new Refusal('CONFLICT', 'another payment has paid the sale: this one can only be refunded')
  if (session.invoiceId) await assertUnpaid(em, payment)
  actsAs(em, 'merchant')
  const moment = new Date(at)
  const currency = payment.currency
  const corridor = payment.corridor
  const left = subtract(payment.amountReceived, payment.refundClaimed)
  const fee = feeOfPart(payment, left)
  const settles = subtract(left, fee)
  const postings: Posting[] = [
    { ledgerAccount: 'buyer', currency, amount: negate(left) },
    { ledgerAccount: 'merchant', currency, amount: settles, availableAfterMs: availableAfterMsOf(corridor) },
    { ledgerAccount: 'fees', currency, amount: fee },
  ]
  await post(em, { kind: 'settlement', sourceId: payment.id, owner: payment, postings }, at)
  const whole = payment.settles
  movePayment(payment, 'succeeded')
  // News that the rail has announced stay due: the rest may be on its way.
  Object.assign(payment, { partial: true, late: true, nextAction: null })
  replaceFee(payment, fee)
  payment.completedAt = payment.updatedAt = moment
  const data = collectionSucceeded(payment, moment)
  await recordEvent(em, payment, { type: 'collection.succeeded', resourceId: payment.id, data }, at)
  await passOnSplit(em, payment, { settled: settles, whole }, at)
  if (session.invoiceId) await payInvoice(em, payment, 'pays', at)
  touch(session, at)
}
