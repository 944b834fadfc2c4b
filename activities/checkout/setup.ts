import { beginSubscription } from '../../commands/subscription/begin-subscription.ts'
import { CardSetup } from '../../db/checkout/card-setup.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import type { PaymentRequest } from '../../db/checkout/payment.ts'
import { isSetupPending, moveSetup } from '../../domain/checkout/card-setup.ts'
import { countDecline, moveCheckoutPaymentStatus } from '../../domain/checkout/checkout.ts'
import { nextPollAt, noteAsked } from '../../domain/rail-polls.ts'
import { assertSafeAction } from '../../domain/checkout/payment.ts'
import { corridorIn } from './attempt.ts'
import type { Buyer, SetupAnswer, SetupOrder } from '../../rails/rail.ts'
import { saveMethod } from './saved-method.ts'
import { completeSession, recordCompletion } from './success.ts'

/** A new attempt to save a card. */
export const newSetup = (
  { id: checkoutId, accountId, environment }: Checkout,
  request: PaymentRequest,
  at: number,
) => ({
  id: request.id,
  accountId,
  environment,
  checkoutId,
  corridor: corridorIn(request),
  status: 'processing' as const,
  nextAction: null,
  failureCode: null,
  nextPollAt: new Date(nextPollAt(at, at)),
  createdAt: new Date(at),
  updatedAt: new Date(at),
})

/** The order for the card network. */
export const setupOrderOf = ({ environment }: Checkout, request: PaymentRequest, buyer: Buyer): SetupOrder => ({
  ...buyer,
  environment,
  setupId: request.id,
  corridor: corridorIn(request),
  token: request.railToken ?? '',
})

/** The session's newest attempt to save a card while the rail or the buyer still has to act on it, or null. */
export async function pendingSetup(em: EntityManager, { requestId }: Checkout): Promise<CardSetup | null> {
  const setup = requestId ? await em.findOne(CardSetup, { id: requestId }) : null
  return setup && isSetupPending(setup.status) ? setup : null
}

/** Records that the buyer has entered a code for this attempt. False, without a record, where it waits for none. */
export function takeUpCode(session: Checkout, setup: CardSetup, at: number): boolean {
  if (!isSetupPending(setup.status)) return false
  moveSetup(setup, 'processing')
  setup.updatedAt = new Date(at)
  moveCheckoutPaymentStatus(session, 'processing')
  return true
}

/**
 * Applies the card network's answer about saving a card, in the caller's transaction, which holds the session's lock.
 * An attempt that was given up stays given up: nothing is saved then, whatever the network answers.
 */
export async function applySetup(em: EntityManager, session: Checkout, id: string, answer: SetupAnswer, at: number) {
  const setup = await lock(em, CardSetup, id)
  if (!isSetupPending(setup.status)) return false
  actsAs(em, 'rail')
  if (answer.status === 'processing') noteAsked(setup, nextPollAt(setup.createdAt.getTime(), at))
  if (answer.status === 'processing' || answer.status === 'not_found') return false
  if (setup.status === answer.status) return false
  moveSetup(setup, answer.status)
  setup.nextAction =
    answer.status === 'requires_action' ? assertSafeAction(answer.nextAction, session.environment) : null
  setup.updatedAt = new Date(at)
  if (answer.status === 'failed') {
    setup.failureCode = session.lastFailureCode = answer.failureCode
    countDecline(session, at)
  }
  if (answer.status === 'succeeded') await complete(em, session, setup, answer, at)
  else moveCheckoutPaymentStatus(session, answer.status)
  return true
}

type Succeeded = Extract<SetupAnswer, { status: 'succeeded' }>

/**
 * Completes the session. The card is saved for its customer, unless that customer was only found by the email that the
 * buyer typed; then it belongs to nobody.
 */
async function complete(em: EntityManager, session: Checkout, setup: CardSetup, answer: Succeeded, at: number) {
  if (session.paymentStatus !== 'processing') moveCheckoutPaymentStatus(session, 'processing')
  moveCheckoutPaymentStatus(session, 'succeeded')
  const isBuyers = await completeSession(em, session, at)
  if (!session.customerId) throw new Error(`${session.id} saves a card for nobody`)
  const customerId = isBuyers ? session.customerId : null
  saveMethod(em, session, { corridor: setup.corridor, customerId, saved: answer }, at)
  if (session.recurring) await beginSubscription(em, session, null, at)
  await recordCompletion(em, session, null, at)
}
