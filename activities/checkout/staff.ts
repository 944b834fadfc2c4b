import { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { isPending } from '../../domain/checkout/payment.ts'
import { corridorOf } from '../../domain/corridor.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import type { Deps } from '../deps.ts'
import { type AfterAction, carryOutOnPayment, failedAs, paidInFull, type PaymentOwner } from '../payment-action.ts'
import { applyMarked } from './answer.ts'
import { receiveMoney } from './receive-money.ts'
import { failPayment } from './failure.ts'
import { lateMoneyQuestionAt } from './next-question.ts'
import { type CheckoutSnapshot, snapshotOf } from './snapshot.ts'
import { touch } from './session.ts'

type Owner = PaymentOwner<Checkout, CheckoutSnapshot>
type Recorded = Parameters<Owner['record']>

/** The steps of the `checkout` process that an operator action makes too. */
type Steps = {
  lookUp: (id: string, ...about: Parameters<Owner['lookUp']>) => Promise<CheckoutSnapshot>
  record: (
    id: string,
    paymentId: Recorded[0],
    answer: Recorded[1],
    asked: number,
    about: { isOfCancel: boolean },
  ) => Promise<CheckoutSnapshot>
}

/** A sale after an operator action. */
export type SaleAfterAction = AfterAction<CheckoutSnapshot>

/** Carries out an operator action on an attempt that its rail holds, once. */
export function carryOutOnSale(
  deps: Pick<Deps, 'database' | 'rails'>,
  { lookUp, record }: Steps,
  { id, actionId }: { id: string; actionId: string },
  asked: number,
): Promise<SaleAfterAction> {
  const owner: Owner = {
    entity: Checkout,
    id,
    payments: { checkoutId: id },
    lookUp: (...about) => lookUp(id, ...about),
    record: (paymentId, answer, at, isOfCancel) => record(id, paymentId, answer, at, { isOfCancel }),
    contradicts: ({ status }, isSettled) =>
      isSettled ? status !== 'succeeded' : ['succeeded', 'underpaid', 'requires_action'].includes(status),
    refusalOf,
    mark,
    snapshotOf,
  }
  return carryOutOnPayment(deps, owner, actionId, asked)
}

function refusalOf({ status, corridor }: Payment, railAnswer: RailAnswer | null, isSettled: boolean): string | null {
  // A buyer whose attempt was cancelled at the rail can only try again.
  const isHeld = status === 'processing' || (isPending(status) && railAnswer?.status === 'canceled')
  if (!isHeld) return `the payment is ${status}`
  // Each transfer is posted under its own id. Money that is posted without one would be posted again with the transfer.
  const comesInTransfers = ['bank_transfer', 'crypto'].includes(corridorOf(corridor).method)
  const isUnproven = isSettled && comesInTransfers && railAnswer?.status !== 'succeeded'
  return isUnproven ? 'its buyer sends the money, and the rail has not confirmed a transfer' : null
}

type Mark = Parameters<Owner['mark']>

/** Marks an attempt through the functions that record a rail's answer. */
async function mark(
  em: EntityManager,
  { owner: session, payment, railAnswer }: Mark[1],
  isSettled: boolean,
  at: number,
) {
  const isDecided = railAnswer !== null && railAnswer.status !== 'processing'
  // What the rail has announced is still asked about, if it has not said it now.
  if (isDecided) payment.newsDueAt = null
  if (isSettled) {
    const answer = paidInFull(payment, railAnswer)
    if (answer === railAnswer) await applyMarked(em, session, payment, answer, at)
    else await receiveMoney(em, session, payment, answer, at)
  } else {
    await failPayment(em, session, payment, failedAs(railAnswer), at)
    // The process cancels at the rail as soon as that answers. Money that it has taken nevertheless is then posted.
    if (railAnswer === null) payment.cancelling = 'due'
    // A rail that has not cancelled it goes on being asked: what it takes is late money.
    if (railAnswer?.status === 'processing') payment.newsDueAt = lateMoneyQuestionAt(session, payment, at)
  }
  touch(session, at)
}
