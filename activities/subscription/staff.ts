import type { EntityManager } from '../../db/core/database.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import type { Deps } from '../deps.ts'
import { type AfterAction, carryOutOnPayment, failedAs, paidInFull, type PaymentOwner } from '../payment-action.ts'
import { recordAnswer, renewalQuestionAt } from './charge.ts'
import { snapshotOf, type SubscriptionSnapshot } from './snapshot.ts'

type Owner = PaymentOwner<Subscription, SubscriptionSnapshot>

/** The steps of the `subscription` process that an operator action makes too. */
type Steps = {
  lookUp: (id: string, ...about: Parameters<Owner['lookUp']>) => Promise<SubscriptionSnapshot>
  record: (id: string, ...about: Parameters<Owner['record']>) => Promise<SubscriptionSnapshot>
}

/** A subscription after an operator action. */
export type SubscriptionAfterAction = AfterAction<SubscriptionSnapshot>

/** Carries out an operator action on a charge of a saved card that its rail holds, once. */
export function carryOutOnSubscription(
  deps: Pick<Deps, 'database' | 'rails'>,
  { lookUp, record }: Steps,
  { id, actionId }: { id: string; actionId: string },
  asked: number,
): Promise<SubscriptionAfterAction> {
  const owner: Owner = {
    entity: Subscription,
    id,
    payments: { checkoutId: null, subscriptionId: id },
    lookUp: (...about) => lookUp(id, ...about),
    record: (...about) => record(id, ...about),
    // A charge for which the rail wants the card's owner has taken nothing.
    contradicts: ({ status }, isSettled) => (isSettled ? status !== 'succeeded' : status === 'succeeded'),
    refusalOf: ({ status }) => (status === 'processing' ? null : `the payment is ${status}`),
    mark,
    snapshotOf,
  }
  return carryOutOnPayment(deps, owner, actionId, asked)
}

type Mark = Parameters<Owner['mark']>

/** Marks a payment by what records a rail's answer. A failed one has its invoice tried again later. */
async function mark(em: EntityManager, { owner, payment, railAnswer }: Mark[1], isSettled: boolean, at: number) {
  if (isSettled) return recordAnswer(em, owner, payment, paidInFull(payment, railAnswer), at)
  await recordAnswer(em, owner, payment, failedAs(railAnswer), at)
  // The rail is asked until it has cancelled the charge: what it has taken all the same is then posted.
  if (railAnswer === null) payment.cancelling = 'due'
  if (railAnswer === null || railAnswer.status === 'processing') payment.newsDueAt = renewalQuestionAt(payment, at)
}
