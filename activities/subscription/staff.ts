import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { OperatorAction } from '../../db/core/operator-action.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { callRail } from '../../rails/rail-refusal.ts'
import type { Deps } from '../deps.ts'
import { concludeAction, orThrow, takeUpAction } from '../operator-action.ts'
import { answered } from '../patience.ts'
import { nextQuestionAt, recordAnswer } from './charge.ts'
import { snapshotOf, type SubscriptionSnapshot } from './snapshot.ts'

/** The steps of the `subscription` process that an operator action makes too. */
type Steps = {
  lookUp: (id: string, paymentId: string, at: number) => Promise<SubscriptionSnapshot>
  record: (id: string, paymentId: string, answer: RailAnswer, at: number) => Promise<SubscriptionSnapshot>
}

/** A subscription after an operator action. The process asks about `askAbout`, whose rail has not answered. */
export type SubscriptionAfterAction = { snapshot: SubscriptionSnapshot; askAbout: string | null }

/** What an action is carried out with: `said` is the rail's answer, null where it was not asked or has not answered. */
type Carrying = { id: string; paymentId: string; actionId: string; wasHeld: boolean; said: RailAnswer | null }

/**
 * Carries out an operator action on a charge of a saved card that its rail holds, once: as for a payment of a session
 * (activities/checkout/staff.ts). The rail is asked first, and its word counts for more than the staff's.
 */
export async function carryOutOnSubscription(
  { database, rails }: Pick<Deps, 'database' | 'rails'>,
  { lookUp, record }: Steps,
  { id, actionId }: Pick<Carrying, 'id' | 'actionId'>,
  asked: number,
): Promise<SubscriptionAfterAction> {
  const reader = database.orm.em.fork()
  const { action, state, paymentId } = await reader.findOneOrFail(OperatorAction, { id: actionId })
  const own = { subscriptionId: id, checkoutId: null }
  const payment = paymentId && (await reader.findOne(Payment, { id: paymentId, ...own }))
  if (!payment) throw new Refusal('NOT_FOUND', 'the action is about another resource')
  const at = await timeOf(reader, payment, asked)
  const wasHeld = payment.status === 'processing'
  const isAsked = wasHeld && state === 'approved'
  const carrying = { id, paymentId: payment.id, actionId, wasHeld }
  if (action === 'retry') {
    const seen = isAsked ? await answered(() => lookUp(id, payment.id, at)) : null
    const after = orThrow(await inTransaction(database, (em) => conclude(em, { ...carrying, said: null }, at)))
    return seen === null ? after : { ...after, askAbout: null }
  }
  const rail = rails.in(payment.environment).of(payment.corridor)
  // A mark as failed first cancels, so that an order which reaches the rail later takes no money.
  const call = () => (action === 'mark_failed' ? rail.cancelCharge(payment.id, at) : rail.lookUp(payment.id, at))
  const said = isAsked ? await answered(() => callRail(call)) : null
  if (said && contradicts(said, action)) await record(id, payment.id, said, at)
  return orThrow(await inTransaction(database, (em) => conclude(em, { ...carrying, said }, at)))
}

/** Whether the rail says the opposite of a mark. A charge for which it wants the card's owner has taken nothing. */
function contradicts({ status }: RailAnswer, action: OperatorAction['action']): boolean {
  if (status === 'processing') return false
  return action === 'mark_settled' ? status !== 'succeeded' : status === 'succeeded'
}

/** Ends an action: marks the payment where the action says so, or refuses. What an earlier try has ended stays so. */
async function conclude(
  em: EntityManager,
  { id, paymentId, actionId, wasHeld, said }: Carrying,
  asked: number,
): Promise<SubscriptionAfterAction | Refusal> {
  const subscription = await lock(em, Subscription, id)
  const at = await timeOf(em, subscription, asked)
  const payment = await lock(em, Payment, paymentId)
  const row = await takeUpAction(em, actionId)
  if (row.state !== 'executed') {
    const refusal = refusalOf(row, payment, { wasHeld, said })
    concludeAction(em, row, refusal === null ? 'executed' : 'refused', at)
    if (refusal !== null) return new Refusal('CONFLICT', refusal)
    if (row.action !== 'retry') await mark(em, { subscription, payment, said }, row.action, at)
  }
  const askAbout = row.action === 'retry' && payment.status === 'processing' ? payment.id : null
  return { snapshot: await snapshotOf(em, subscription), askAbout }
}

/** Why an action cannot be carried out; null where it can. The rail of a retry may have answered by now. */
function refusalOf(
  { action, state }: OperatorAction,
  { status }: Payment,
  { wasHeld, said }: Pick<Carrying, 'wasHeld' | 'said'>,
): string | null {
  if (said && contradicts(said, action)) return `the rail says: ${said.status}`
  const isHeld = action === 'retry' ? wasHeld : status === 'processing'
  return isHeld && state !== 'refused' ? null : `it is ${status}`
}

/**
 * Marks a payment by what records a rail's answer. What the rail says of it counts; otherwise the full amount has
 * arrived, or nothing: then its invoice is tried again later.
 */
async function mark(
  em: EntityManager,
  { subscription, payment, said }: { subscription: Subscription; payment: Payment; said: RailAnswer | null },
  action: OperatorAction['action'],
  at: number,
): Promise<void> {
  if (action === 'mark_settled') {
    const { amount: received, methodDetails: details } = payment
    const inFull = { status: 'succeeded' as const, received, deposits: [], details }
    return recordAnswer(em, subscription, payment, said && 'received' in said ? said : inFull, at)
  }
  const failureCode = said?.status === 'failed' ? said.failureCode : 'rail_unavailable'
  await recordAnswer(em, subscription, payment, { status: 'failed', failureCode }, at)
  // The rail is asked until it has cancelled the charge: what it has taken all the same is then posted.
  if (said === null) payment.cancelling = 'due'
  if (said === null || said.status === 'processing') payment.newsDueAt = nextQuestionAt(payment, at)
}
