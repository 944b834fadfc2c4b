import { Checkout } from '../../db/checkout/checkout.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { OperatorAction } from '../../db/core/operator-action.ts'
import { isPending } from '../../domain/checkout/payment.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Deps } from '../deps.ts'
import { concludeAction, orThrow, takeUpAction } from '../operator-action.ts'
import { answered } from '../patience.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { callRail } from '../../rails/rail-refusal.ts'
import { nextQuestionAt } from './answer.ts'
import { receiveMoney } from './deposit.ts'
import { failPayment } from './failure.ts'
import { type CheckoutSnapshot, snapshotOf } from './snapshot.ts'
import { touch } from './session.ts'

/** The steps of the `checkout` process that an operator action makes too. */
type Steps = {
  lookUp: (id: string, paymentId: string, at: number) => Promise<CheckoutSnapshot>
  applyRailAnswer: (
    id: string,
    paymentId: string,
    answer: RailAnswer,
    at: number,
    isOfCancel: boolean,
  ) => Promise<CheckoutSnapshot>
}

/** A sale after an operator action. The process goes on asking about `askAbout`, whose rail has not answered. */
export type SaleAfterAction = { snapshot: CheckoutSnapshot; askAbout: string | null }

/** What an action is carried out with: `said` is the rail's answer, null where it was not asked or has not answered. */
type Carrying = { id: string; paymentId: string; actionId: string; wasHeld: boolean; said: RailAnswer | null }

/**
 * Carries out an operator action on an attempt that its rail holds, once. A retry asks the rail. Before a mark the rail
 * is asked too, and its word counts for more than the staff's: a mark that contradicts it is refused with `CONFLICT`,
 * after the rail's answer was recorded. A rail that does not answer stops nobody from acting.
 */
export async function carryOutOnPayment(
  { database, rails }: Pick<Deps, 'database' | 'rails'>,
  { lookUp, applyRailAnswer }: Steps,
  { id, actionId }: Pick<Carrying, 'id' | 'actionId'>,
  asked: number,
): Promise<SaleAfterAction> {
  const reader = database.orm.em.fork()
  const { action, state, paymentId } = await reader.findOneOrFail(OperatorAction, { id: actionId })
  const payment = paymentId && (await reader.findOne(Payment, { id: paymentId, checkoutId: id }))
  if (!payment) throw new Refusal('NOT_FOUND', 'the action is about another resource')
  const { environment, corridor } = payment
  const at = await timeOf(reader, payment, asked)
  const wasHeld = payment.status === 'processing'
  const isAsked = wasHeld && state === 'approved'
  const carrying = { id, paymentId: payment.id, actionId, wasHeld }
  if (action === 'retry') {
    const seen = isAsked ? await answered(() => lookUp(id, payment.id, at)) : null
    const after = orThrow(await inTransaction(database, (em) => conclude(em, { ...carrying, said: null }, at)))
    return seen === null ? after : { ...after, askAbout: null }
  }
  const rail = rails.in(environment).of(corridor)
  // A mark as failed first cancels, so that an order which reaches the rail later takes no money.
  const isCancel = action === 'mark_failed'
  const call = () => (isCancel ? rail.cancelCharge(payment.id, at) : rail.lookUp(payment.id, at))
  const said = isAsked ? await answered(() => callRail(call)) : null
  if (said && contradicts(said, action)) await applyRailAnswer(id, payment.id, said, at, isCancel)
  return orThrow(await inTransaction(database, (em) => conclude(em, { ...carrying, said }, at)))
}

/** Whether the rail says the opposite of a mark. An answer that decides nothing contradicts only what it rules out. */
function contradicts({ status }: RailAnswer, action: OperatorAction['action']): boolean {
  if (status === 'processing') return false
  return action === 'mark_settled'
    ? status !== 'succeeded'
    : status === 'succeeded' || status === 'underpaid' || status === 'requires_action'
}

/** Ends an action: marks the attempt where the action says so, or refuses. What an earlier try has ended stays so. */
async function conclude(em: EntityManager, carrying: Carrying, asked: number): Promise<SaleAfterAction | Refusal> {
  const { id, paymentId, actionId, said } = carrying
  const session = await lock(em, Checkout, id)
  const at = await timeOf(em, session, asked)
  const payment = await lock(em, Payment, paymentId)
  const row = await takeUpAction(em, actionId)
  if (row.state !== 'executed') {
    const refusal = refusalOf(row, payment, carrying)
    concludeAction(em, row, refusal === null ? 'executed' : 'refused', at)
    if (refusal !== null) return new Refusal('CONFLICT', refusal)
    if (row.action !== 'retry') await mark(em, { session, payment, said }, row.action, at)
  }
  const askAbout = row.action === 'retry' && payment.status === 'processing' ? payment.id : null
  return { snapshot: await snapshotOf(em, session), askAbout }
}

/** Why an action cannot be carried out; null where it can. */
function refusalOf({ action, state }: OperatorAction, payment: Payment, { wasHeld, said }: Carrying): string | null {
  const { status, corridor } = payment
  if (said && contradicts(said, action)) return `the rail says: ${said.status}`
  // The rail of a retry may have answered by now. A buyer whose attempt was cancelled at the rail can only try again.
  const isHeld = action === 'retry' ? wasHeld : status === 'processing' || (isPending(status) && isCancelled(said))
  if (!isHeld || state === 'refused') return `it is ${status}`
  // Each transfer is posted under its own id. Money that is posted without one would be posted again with the transfer.
  const comesInTransfers = ['bank_transfer', 'crypto'].includes(corridorOf(corridor).method)
  const isUnproven = action === 'mark_settled' && comesInTransfers && said?.status !== 'succeeded'
  return isUnproven ? 'its buyer sends the money, and the rail has not confirmed a transfer' : null
}

const isCancelled = (said: RailAnswer | null): boolean => said?.status === 'canceled'

/**
 * Marks an attempt through the functions that record a rail's answer. What the rail says of it counts; otherwise the
 * full amount has arrived, or nothing.
 */
async function mark(
  em: EntityManager,
  { session, payment, said }: { session: Checkout; payment: Payment; said: RailAnswer | null },
  action: OperatorAction['action'],
  at: number,
): Promise<void> {
  const isDecided = said !== null && said.status !== 'processing'
  // What the rail has announced is still asked about, if it has not said it now.
  if (isDecided) payment.newsDueAt = null
  if (action === 'mark_settled') {
    const { amount: received, methodDetails: details } = payment
    const inFull = { status: 'succeeded' as const, received, deposits: [], details }
    await receiveMoney(em, session, payment, said && 'received' in said ? said : inFull, at)
  } else {
    const failureCode = said?.status === 'failed' ? said.failureCode : 'rail_unavailable'
    await failPayment(em, session, payment, { status: 'failed', failureCode }, at)
    // The process cancels at the rail as soon as that answers. Money that it has taken nevertheless is then posted.
    if (said === null) payment.cancelling = 'due'
    // A rail that has not cancelled it goes on being asked: what it takes is late money.
    if (said?.status === 'processing') payment.newsDueAt = nextQuestionAt(session, payment, at)
  }
  touch(session, at)
}
