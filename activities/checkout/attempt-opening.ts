import { paysFor } from '../../commands/subscription/invoiced-session.ts'
import { CardSetup } from '../../db/checkout/card-setup.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { Payment, type PaymentRequest } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { assertPayableBy } from '../../db/checkout/settings.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { OwnSettings } from '../../db/platform/account-settings.ts'
import { assertOpen, moveCheckoutPaymentStatus } from '../../domain/checkout/checkout.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ChargeOrder, SetupOrder } from '../../rails/rail.ts'
import { buyerOf, corridorIn, newPayment, orderOf } from './attempt.ts'
import { failIfNeedless } from './failure.ts'
import { assertStillSold, assertSavedOffered, requestOf } from './choice.ts'
import { attemptsOf, touch } from './session.ts'
import { newSetup, setupOrderOf } from './setup.ts'

/** The order for the rail: a charge, or the verification of a card in a session that saves one. */
export type Order = ChargeOrder | SetupOrder

/** An attempt that goes to its rail: the order, and what its buyer had been asked to do by then. */
export type Opened = { order: Order; buyerAsked: Payment['nextAction'] }

/**
 * The order of an attempt, after its payment or setup was stored. Null when the rail has already decided the attempt,
 * or when it was given up, as is one of an invoice that nobody has to pay any more. An order that the rail may already
 * have is returned again: the rail recognizes it by its id.
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
  if (payment && (await failIfNeedless(em, session, payment, at))) return null
  if (!made) {
    assertOpen(session)
    if (session.requestId !== requestId) throw new Refusal('CONFLICT', 'another payment method has been chosen')
    await assertStillSold(em, session)
    await assertPayableBy(em, session, corridorIn(request))
    await assertSavedOffered(em, session, request, at)
    moveCheckoutPaymentStatus(session, 'processing')
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
