import { CardSetup } from '../../db/checkout/card-setup.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { isSetupPending, moveSetup } from '../../domain/checkout/card-setup.ts'
import { lateMoneyMs, moveCheckoutPaymentStatus, moveSession } from '../../domain/checkout/checkout.ts'
import { isPending, mayReceive, movePayment } from '../../domain/checkout/payment.ts'
import { type Corridor, corridorOf } from '../../domain/corridor.ts'
import { lateMoneyQuestionAt } from './next-question.ts'
import { attemptsOf, touch } from './session.ts'

/**
 * Ends a session without success. The process goes on listening for money that a buyer may still send, and goes on
 * asking the rail about an attempt that it holds: it may still take the money. A card whose buyer is at their bank is
 * cancelled at its rail, as they might still agree there.
 */
export async function endSession(em: EntityManager, session: Checkout, status: 'expired' | 'cancelled', at: number) {
  const payments = await em.find(Payment, { checkoutId: session.id })
  const held = payments.filter(({ status: stands }) => stands === 'processing')
  const mayStillCome = held.length > 0 || payments.some(mayReceive)
  for (const payment of held) payment.newsDueAt ??= lateMoneyQuestionAt(session, payment, at)
  for (const payment of payments.filter(awaitsBank)) payment.cancelling = 'due'
  giveUp(payments, at)
  await giveUpSetups(em, session, at)
  moveSession(session, status)
  moveCheckoutPaymentStatus(session, 'canceled')
  session.listensUntil = mayStillCome ? new Date(at + lateMoneyMs) : null
  touch(session, at)
}

/**
 * Gives up the attempts that another choice or a successful payment (`successor`) replaces: their rails are asked to
 * cancel them. Money that is already on its way is still posted when it arrives, and a completed session goes on
 * listening for it.
 */
export async function supersede(em: EntityManager, session: Checkout, successor: string | null, at: number) {
  const others = (await attemptsOf(em, session)).filter(({ id }) => id !== successor)
  for (const payment of others.filter(isUndecided)) payment.cancelling = 'due'
  giveUp(others, at)
  const isComplete = session.paymentStatus === 'succeeded'
  if (isComplete && others.some(mayReceive)) session.listensUntil = new Date(at + lateMoneyMs)
}

/** Gives up the undecided attempts to save a card: the buyer has chosen something else, or the session has ended. */
export async function giveUpSetups(em: EntityManager, session: Checkout, at: number): Promise<void> {
  if (!session.setup) return
  for (const setup of await em.find(CardSetup, { checkoutId: session.id })) {
    if (!isSetupPending(setup.status)) continue
    moveSetup(setup, 'canceled')
    setup.updatedAt = new Date(at)
  }
}

/** Whether the rail takes the money once the buyer agrees at their bank, by the status of an attempt or an answer. */
export const awaitsBank = ({ status, corridor }: { status: string; corridor: Corridor }): boolean =>
  status === 'requires_action' && !corridorOf(corridor).push

/** Whether no money has arrived for this attempt and its outcome is still open. */
const isUndecided = ({ status }: Payment): boolean => isPending(status) && status !== 'underpaid'

/** Gives up undecided attempts. Money that is already on its way is still posted when it arrives. */
function giveUp(payments: Payment[], at: number): void {
  for (const payment of payments.filter(isUndecided)) {
    movePayment(payment, 'canceled')
    payment.updatedAt = new Date(at)
  }
}
