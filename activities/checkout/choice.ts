import { beginSubscription } from '../../commands/subscription/begin-subscription.ts'
import { assertInvoicePayable, paysFor } from '../../commands/subscription/invoiced-session.ts'
import { assertPayableBy } from '../../db/checkout/settings.ts'
import { OwnSettings } from '../../db/platform/account-settings.ts'
import { CardSetup } from '../../db/checkout/card-setup.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import { Payment, PaymentRequest } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { countCompletion, hasRoom } from '../../db/checkout/payment-link.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { Environment } from '../../domain/access/scope.ts'
import {
  assertMayTry,
  assertNotProcessing,
  assertOpen,
  clocksDifferMs,
  movePaymentStatus,
} from '../../domain/checkout/checkout.ts'
import { movePayment } from '../../domain/checkout/payment.ts'
import { isOffered } from '../../domain/checkout/saved-card.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { type Corridor, corridorOf } from '../../domain/corridor.ts'
import { isZero } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { buyerOf, corridorIn, newPayment, orderOf } from './attempt.ts'
import { giveUpSetups, supersede } from './end.ts'
import { attemptsOf, pick, touch } from './session.ts'
import { newSetup, setupOrderOf, takeUpCode } from './setup.ts'
import { completeSession, recordCompletion } from './success.ts'
import type { ChargeOrder, SetupOrder } from '../../rails/rail.ts'

/** The order for the rail: a charge, or the verification of a card in a session that saves one. */
export type Order = ChargeOrder | SetupOrder

/** Applies the way to pay that the buyer chose, which replaces an earlier choice. A free session is then complete. */
export async function choose(em: EntityManager, session: Checkout, requestId: string, at: number): Promise<void> {
  if (session.requestId === requestId || session.paymentId === requestId) return
  if (await isReplaced(em, session, requestId)) return
  actsAs(em, 'buyer')
  assertOpen(session)
  assertNotProcessing(session)
  assertMayTry(session, at)
  await assertRoom(em, session)
  await assertInvoicePayable(em, session)
  const request = await requestOf(em, session, requestId)
  await assertNewest(em, session, request)
  await assertSavedOffered(em, session, request, at)
  session.requestId = requestId
  session.attempts += 1
  if (request.customerDetails && !session.customerId) session.customerDetails = request.customerDetails
  if (request.lineItems) pick(session, request.lineItems)
  touch(session, at)
  if (isZero(session.amount) && !session.setup) return completeFree(em, session, at)
  await assertPayableBy(em, session, corridorIn(request))
  if (session.paymentStatus === 'failed') movePaymentStatus(session, 'requires_payment_method')
  movePaymentStatus(session, 'requires_confirmation')
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
async function requestOf(em: EntityManager, session: Checkout, requestId: string): Promise<PaymentRequest> {
  const request = await em.findOne(PaymentRequest, { id: requestId })
  if (request?.checkoutId !== session.id) throw new Refusal('NOT_FOUND', 'the session has no such choice')
  return request
}

/** Completes a session that costs nothing. Attempts from an earlier choice that was not free are given up. */
async function completeFree(em: EntityManager, session: Checkout, at: number): Promise<void> {
  if (session.paymentStatus === 'failed') movePaymentStatus(session, 'requires_payment_method')
  if (session.paymentStatus !== 'requires_payment_method') movePaymentStatus(session, 'processing')
  movePaymentStatus(session, 'succeeded')
  session.paymentId = session.corridor = session.rate = session.quotedAmount = session.quotedFee = null
  await supersede(em, session, null, at)
  if (!(await countCompletion(em, session))) throw soldOut()
  await completeSession(em, session, at)
  if (session.recurring) await beginSubscription(em, session, null, at)
  await recordCompletion(em, session, null, at)
}

/** Refuses to begin a payment when the session's payment link is sold out. Nothing has been paid at that point. */
async function assertRoom(em: EntityManager, session: Checkout): Promise<void> {
  if (!(await hasRoom(em, session))) throw soldOut()
}

const soldOut = () => new Refusal('CONFLICT', 'the payment link has been used as often as it may be')

/** Whether a rail still has to be asked to cancel an attempt that a newer one has replaced. */
export async function hasReplaced(em: EntityManager, session: Checkout): Promise<boolean> {
  if (session.attempts <= 1) return false
  return (await attemptsOf(em, session)).some(({ cancelling }) => cancelling === 'due')
}

/** An attempt that goes to its rail: the order, and what its buyer had been asked to do by then. */
export type Opened = { order: Order; buyerAsked: Payment['nextAction'] }

/**
 * The order of an attempt, after its payment or setup was stored. Null when the rail has already decided the attempt,
 * or when it was given up. An order that the rail may already have is returned again: the rail recognizes it by its id.
 */
export async function openAttempt(
  em: EntityManager,
  session: Checkout,
  requestId: string,
  { encrypter, at }: { encrypter: Encrypter; at: number },
): Promise<Opened | null> {
  const request = await requestOf(em, session, requestId)
  const setup = session.setup ? await em.findOne(CardSetup, { id: requestId }) : null
  let payment = (await attemptsOf(em, session)).find(({ id }) => id === requestId) ?? null
  const made = setup ?? payment
  if (made && made.status !== 'processing') return null
  if (!made) {
    assertOpen(session)
    if (session.requestId !== requestId) throw new Refusal('CONFLICT', 'another payment method has been chosen')
    await assertRoom(em, session)
    await assertInvoicePayable(em, session)
    await assertPayableBy(em, session, corridorIn(request))
    await assertSavedOffered(em, session, request, at)
    movePaymentStatus(session, 'processing')
    touch(session, at)
    if (session.setup) em.create(CardSetup, newSetup(session, request, at))
    else {
      session.paymentId = requestId
      const statementText = await statementTextOf(em, session, request)
      const purpose = await paysFor(em, session)
      payment = em.create(Payment, { ...newPayment(session, request, { statementText, at }), ...purpose })
    }
  }
  const buyer = buyerOf(session, request, encrypter)
  if (!payment) return { order: setupOrderOf(session, request, buyer), buyerAsked: null }
  const order = orderOf(session, request, payment, { buyer, saved: await savedOf(em, payment) })
  return { order, buyerAsked: payment.nextAction }
}

/**
 * Refuses a saved card that its customer has removed, that has expired, or that the session does not offer any more.
 * The card is locked, as it is while it is removed: so it is either charged or removed first.
 */
async function assertSavedOffered(em: EntityManager, session: Checkout, request: PaymentRequest, at: number) {
  if (!request.savedMethodId) return
  const saved = await lock(em, SavedPaymentMethod, request.savedMethodId)
  if (isOffered(session, saved, at)) return
  throw new Refusal('CONFLICT', 'this saved card can no longer be used: choose another payment method')
}

/** The saved card that a payment charges; null where the buyer has typed a card, or pays in another way. */
async function savedOf(em: EntityManager, { savedMethodId }: Payment): Promise<SavedPaymentMethod | null> {
  return savedMethodId ? em.findOneOrFail(SavedPaymentMethod, { id: savedMethodId }) : null
}

/** The text for the statement of the buyer's card; null where no card is charged. */
async function statementTextOf(em: EntityManager, session: Checkout, request: PaymentRequest) {
  if (corridorOf(corridorIn(request)).method !== 'card') return null
  const { accountId, environment } = session
  return (await readRow(em, OwnSettings, { accountId, environment }))?.statementText ?? null
}

type OpenedCode = {
  environment: Environment
  corridor: Corridor
  saves: boolean
  at: number
  buyerAsked: Payment['nextAction']
}

/**
 * Records that the buyer has entered a code, and returns the rail to send it to, and whether the code is for saving a
 * card; null where no attempt waits for a code.
 */
export async function openCode(
  em: EntityManager,
  id: string,
  subject: string,
  asked: number,
): Promise<OpenedCode | null> {
  const session = await lock(em, Checkout, id)
  const at = await timeOf(em, session, asked)
  // A step whose answer was lost is made again: its code may already have completed the session.
  const attempt = session.setup ? await lock(em, CardSetup, subject) : await lock(em, Payment, subject)
  if (attempt.status === 'succeeded') return null
  assertOpen(session)
  actsAs(em, 'buyer')
  const { environment } = session
  if (attempt instanceof CardSetup) {
    if (!takeUpCode(session, attempt, at)) return null
    touch(session, at)
    return { environment, corridor: attempt.corridor, saves: true, at, buyerAsked: null }
  }
  if (attempt.status !== 'requires_action' && attempt.status !== 'processing') return null
  if (session.paymentStatus !== 'processing') await assertRoom(em, session)
  movePayment(attempt, 'processing')
  attempt.nextPollAt = new Date(nextPollAt(attempt.createdAt.getTime(), at))
  movePaymentStatus(session, 'processing')
  touch(session, at)
  return { environment, corridor: attempt.corridor, saves: false, at, buyerAsked: attempt.nextAction }
}
