import { beginSubscription } from '../../commands/subscription/begin-subscription.ts'
import { assertInvoicePayable } from '../../commands/subscription/invoiced-session.ts'
import { assertPayableBy } from '../../db/checkout/settings.ts'
import { CardSetup } from '../../db/checkout/card-setup.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import { PaymentRequest } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { countCompletion, hasRoom } from '../../db/checkout/payment-link.ts'
import {
  assertMayTry,
  assertNotProcessing,
  assertOpen,
  clocksDifferMs,
  moveCheckoutPaymentStatus,
} from '../../domain/checkout/checkout.ts'
import { isFreeSale } from '../../domain/checkout/line-item.ts'
import { isOffered } from '../../domain/checkout/saved-card.ts'
import { linkSoldOut } from '../../domain/checkout/payment-link.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { conflict, Refusal } from '../../domain/refusal.ts'
import { corridorIn } from './attempt.ts'
import { giveUpSetups, supersede } from './end.ts'
import { attemptsOf, pick, touch } from './session.ts'
import { completeSession, recordCompletion } from './success.ts'

/** Applies the buyer's choice of a payment method, which replaces an earlier one. A free session is then complete. */
export async function choose(em: EntityManager, session: Checkout, requestId: string, at: number): Promise<void> {
  if (session.requestId === requestId || session.paymentId === requestId) return
  if (await isReplaced(em, session, requestId)) return
  actsAs(em, 'buyer')
  assertOpen(session)
  assertNotProcessing(session)
  assertMayTry(session, at)
  await assertStillSold(em, session)
  const request = await requestOf(em, session, requestId)
  await assertNewest(em, session, request)
  await assertSavedOffered(em, session, request, at)
  session.requestId = requestId
  session.attempts += 1
  if (request.customerDetails && !session.customerId) session.customerDetails = request.customerDetails
  if (request.lineItems) pick(session, request.lineItems)
  touch(session, at)
  if (isFreeSale(session)) return completeFree(em, session, at)
  await assertPayableBy(em, session, corridorIn(request))
  if (session.paymentStatus === 'failed') moveCheckoutPaymentStatus(session, 'requires_payment_method')
  moveCheckoutPaymentStatus(session, 'requires_confirmation')
  session.corridor = corridorIn(request)
  session.billingCurrency = corridorOf(session.corridor).currency
  session.rate = request.rate
  session.quotedAmount = request.quotedAmount
  session.quotedFee = request.quotedFee
  await giveUpSetups(em, session, at)
  await supersede(em, session, null, at)
}

/**
 * Whether a choice was attempted already, and another one has replaced it since: a try of this step that has stood
 * still, such as in a frozen worker, comes after the process has gone on.
 */
async function isReplaced(em: EntityManager, session: Checkout, requestId: string): Promise<boolean> {
  if (session.attempts === 0) return false
  if (session.setup) return (await em.findOne(CardSetup, { id: requestId })) !== null
  return (await attemptsOf(em, session)).some(({ id }) => id === requestId)
}

/**
 * Refuses a choice that is older than the one it would replace: a try of this step that has stood still comes after the
 * buyer has chosen again, also where neither choice was attempted.
 */
async function assertNewest(em: EntityManager, session: Checkout, { createdAt }: PaymentRequest): Promise<void> {
  if (session.requestId === null) return
  const { createdAt: chosenAt } = await requestOf(em, session, session.requestId)
  if (chosenAt.getTime() <= createdAt.getTime() + clocksDifferMs) return
  throw new Refusal('CONFLICT', 'another payment method has been chosen')
}

/** What the buyer of a session has chosen. Asked for a second time in a transaction, it costs no query. */
export async function requestOf(em: EntityManager, session: Checkout, requestId: string): Promise<PaymentRequest> {
  const request = await em.findOne(PaymentRequest, { id: requestId })
  if (request?.checkoutId !== session.id) throw new Refusal('NOT_FOUND', 'the session has no such choice')
  return request
}

/** Completes a session that costs nothing. Attempts from an earlier choice that was not free are given up. */
async function completeFree(em: EntityManager, session: Checkout, at: number): Promise<void> {
  if (session.paymentStatus === 'failed') moveCheckoutPaymentStatus(session, 'requires_payment_method')
  if (session.paymentStatus !== 'requires_payment_method') moveCheckoutPaymentStatus(session, 'processing')
  moveCheckoutPaymentStatus(session, 'succeeded')
  session.paymentId = session.corridor = session.rate = session.quotedAmount = session.quotedFee = null
  await giveUpSetups(em, session, at)
  await supersede(em, session, null, at)
  if (!(await countCompletion(em, session))) throw soldOut()
  await completeSession(em, session, at)
  if (session.recurring) await beginSubscription(em, session, null, at)
  await recordCompletion(em, session, null, at)
}

/**
 * Refuses what would charge the buyer when the session's payment link is sold out, or its invoice takes no money any
 * more: a new payment, and the code for one that was begun before. Nothing has been paid at that point.
 */
export async function assertStillSold(em: EntityManager, session: Checkout): Promise<void> {
  if (!(await hasRoom(em, session))) throw soldOut()
  await assertInvoicePayable(em, session)
}

const soldOut = () => conflict(linkSoldOut, 'the payment link has been used as often as it may be')

/** Whether a rail still has to be asked to cancel an attempt that a newer one has replaced. */
export async function mustCancelEarlier(em: EntityManager, session: Checkout): Promise<boolean> {
  if (session.attempts <= 1) return false
  return (await attemptsOf(em, session)).some(({ cancelling }) => cancelling === 'due')
}

/**
 * Refuses a saved card that its customer has removed, that has expired, or that the session does not offer any more.
 * The card is locked, as it is while it is removed: so it is either charged or removed first.
 */
export async function assertSavedOffered(
  em: EntityManager,
  session: Checkout,
  request: PaymentRequest,
  at: number,
): Promise<void> {
  if (!request.savedMethodId) return
  const saved = await lock(em, SavedPaymentMethod, request.savedMethodId)
  if (isOffered(session, saved, at)) return
  throw new Refusal('CONFLICT', 'this saved card can no longer be used: choose another payment method')
}
