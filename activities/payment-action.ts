import type { EntityName } from '@mikro-orm/core'
import { Payment } from '../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import type { OperatorAction } from '../db/core/operator-action.ts'
import { timeOf } from '../db/core/test-clock.ts'
import { Refusal } from '../domain/refusal.ts'
import type { RailAnswer } from '../rails/rail.ts'
import { callRail } from '../rails/rail-refusal.ts'
import type { Deps } from './deps.ts'
import { concludeAction, orThrow, readAction, takeUpAction } from './operator-action.ts'
import { answerOrNull } from './answer-or-null.ts'

type OwnerRow = { id: string; clockId?: string | null | undefined }

/** A payment on which an action is carried out. `railAnswer` is null where the rail did not answer in time. */
type Marked<Owner> = { owner: Owner; payment: Payment; railAnswer: RailAnswer | null }

/** Whose payments staff act on, such as a session, and how its process does what an action says. */
export type PaymentOwner<Owner extends OwnerRow, Snapshot> = {
  entity: EntityName<Owner>
  id: string
  /** Which payments are its own. */
  payments: { checkoutId: string } | { checkoutId: null; subscriptionId: string }
  /** The steps of its process that ask the rail, and that record what it has answered. */
  lookUp: (paymentId: string, at: number) => Promise<unknown>
  record: (paymentId: string, answer: RailAnswer, at: number, isOfCancel: boolean) => Promise<unknown>
  /** Whether the rail says the opposite of a mark. */
  contradicts: (railAnswer: RailAnswer, isSettled: boolean) => boolean
  /** Why a payment cannot be marked though its rail does not contradict it; null where it can. */
  refusalOf: (payment: Payment, railAnswer: RailAnswer | null, isSettled: boolean) => string | null
  /** Marks a payment. The transaction has locked both. */
  mark: (em: EntityManager, marked: Marked<Owner>, isSettled: boolean, at: number) => Promise<void>
  snapshotOf: (em: EntityManager, owner: Owner) => Promise<Snapshot>
}

/** The owner after an operator action. Its process goes on asking about `askAbout`, whose rail has not answered. */
export type AfterAction<Snapshot> = { snapshot: Snapshot; askAbout: string | null }

/**
 * Carries out an operator action on a payment that its rail holds, once. A retry asks the rail. Before a mark the rail
 * is asked too, and its word counts for more than the staff's: a mark that contradicts it is refused with `CONFLICT`,
 * after the rail's answer was recorded. A rail that does not answer stops nobody from acting.
 */
export async function carryOutOnPayment<Owner extends OwnerRow, Snapshot>(
  { database, rails }: Pick<Deps, 'database' | 'rails'>,
  owner: PaymentOwner<Owner, Snapshot>,
  actionId: string,
  asked: number,
): Promise<AfterAction<Snapshot>> {
  const reader = database.orm.em.fork()
  const { action, state, paymentId: id } = await readAction(reader, actionId)
  const payment = id && (await reader.findOne(Payment, { id, ...owner.payments }))
  if (!payment) throw new Refusal('NOT_FOUND', 'the action is about another resource')
  const at = await timeOf(reader, payment, asked)
  const wasHeld = payment.status === 'processing'
  const isAsked = wasHeld && state === 'approved'
  const acting = { paymentId: payment.id, actionId, wasHeld }
  const end = async (railAnswer: RailAnswer | null) =>
    orThrow(await inTransaction(database, (em) => conclude(em, owner, { ...acting, railAnswer }, at)))
  if (action === 'retry') {
    const seen = isAsked ? await answerOrNull(() => owner.lookUp(payment.id, at)) : null
    const after = await end(null)
    return seen === null ? after : { ...after, askAbout: null }
  }
  const rail = rails.in(payment.environment).of(payment.corridor)
  // A mark as failed first cancels, so that an order which reaches the rail later takes no money.
  const isCancel = action === 'mark_failed'
  const call = () => (isCancel ? rail.cancelCharge(payment.id, at) : rail.lookUp(payment.id, at))
  const railAnswer = isAsked ? await answerOrNull(() => callRail(call)) : null
  if (railAnswer && isContradicted(owner, action, railAnswer)) await owner.record(payment.id, railAnswer, at, isCancel)
  return end(railAnswer)
}

type Acting = { paymentId: string; actionId: string; wasHeld: boolean; railAnswer: RailAnswer | null }
type Rules = Pick<PaymentOwner<never, unknown>, 'contradicts' | 'refusalOf'>

/** Whether the rail says the opposite of a mark. An answer that decides nothing never does. */
const isContradicted = (
  { contradicts }: Rules,
  action: OperatorAction['action'],
  railAnswer: RailAnswer | null,
): boolean =>
  railAnswer !== null && railAnswer.status !== 'processing' && contradicts(railAnswer, action === 'mark_settled')

/** Ends an action: marks the payment where the action says so, or refuses. What an earlier try has ended stays so. */
async function conclude<Owner extends OwnerRow, Snapshot>(
  em: EntityManager,
  { entity, id, mark, snapshotOf, ...rules }: PaymentOwner<Owner, Snapshot>,
  { paymentId, actionId, wasHeld, railAnswer }: Acting,
  asked: number,
): Promise<AfterAction<Snapshot> | Refusal> {
  const owner = await lock(em, entity, id)
  const at = await timeOf(em, owner, asked)
  const payment = await lock(em, Payment, paymentId)
  const row = await takeUpAction(em, actionId)
  if (row.state !== 'executed') {
    const refusal = refusalOf(rules, row, payment, { wasHeld, railAnswer })
    concludeAction(em, row, refusal === null ? 'executed' : 'refused', at)
    if (refusal !== null) return new Refusal('CONFLICT', refusal)
    if (row.action !== 'retry') await mark(em, { owner, payment, railAnswer }, row.action === 'mark_settled', at)
  }
  const askAbout = row.action === 'retry' && payment.status === 'processing' ? payment.id : null
  return { snapshot: await snapshotOf(em, owner), askAbout }
}

/** Why an action cannot be carried out; null where it can. The rail of a retry may have answered by now. */
function refusalOf(
  rules: Rules,
  { action, state }: OperatorAction,
  payment: Payment,
  { wasHeld, railAnswer }: Pick<Acting, 'wasHeld' | 'railAnswer'>,
): string | null {
  if (railAnswer && isContradicted(rules, action, railAnswer)) return `the rail says: ${railAnswer.status}`
  const isOver = `the payment is ${payment.status}`
  if (state === 'refused') return isOver
  if (action === 'retry') return wasHeld ? null : isOver
  return rules.refusalOf(payment, railAnswer, action === 'mark_settled')
}

/** What a payment is marked by as paid: the rail's answer where it tells of money, and otherwise the full amount. */
export function paidInFull({ amount, methodDetails }: Payment, railAnswer: RailAnswer | null) {
  if (railAnswer && 'received' in railAnswer) return railAnswer
  return { status: 'succeeded' as const, received: amount, deposits: [], details: methodDetails }
}

/** What a payment is marked by as failed: the rail's reason where it gives one. */
export function failedAs(railAnswer: RailAnswer | null) {
  const failureCode = railAnswer?.status === 'failed' ? railAnswer.failureCode : 'rail_unavailable'
  return { status: 'failed' as const, failureCode }
}
