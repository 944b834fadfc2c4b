import { LockMode } from '@mikro-orm/core'
import { staffAmong } from '../../db/access/user.ts'
import { newId } from '../../domain/id.ts'
import type { Amount } from '../../domain/money.ts'
import {
  type ActionResource,
  endsOrder,
  needsSecondApprover,
  obstacleTo,
  type OperatorActionName,
} from '../../domain/operator-action.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { auditAction, columnOf, OperatorAction } from '../../db/core/operator-action.ts'
import { type ActionSubject, findSubject, standingOf } from './action-subject.ts'

/** Who orders what, and why; `address` is where the call came from. */
export type Order = {
  resource: ActionResource
  resourceId: string
  action: OperatorActionName
  reason: string
  proofRef: string | null
  userId: string
  address: string
  /** Above this value in US dollars a second person has to approve. */
  aloneUpToUsd: Amount
}

/**
 * Stores an operator action about a resource whose process waits for an outsider, with an entry in the audit log. Above
 * the limit the first order is only a proposal, and the same order by another person approves it. Whoever has proposed
 * it can correct it by another order. The proposal of a person who is not staff any more counts for nothing: the next
 * order takes its place. An `approved` action is carried out by the resource's process, and is returned again until
 * that has happened.
 */
export async function orderAction(em: EntityManager, order: Order, at: number): Promise<OperatorAction> {
  const { resource, resourceId, action, userId } = order
  const subject = await findSubject(em, resource, resourceId, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const noun = resource.replaceAll('_', ' ')
  if (!subject) throw new Refusal('NOT_FOUND', `no such ${noun}`)
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const last = await em.findOne(OperatorAction, { resourceId, action }, { orderBy })
  if (last?.state === 'approved') return last
  const isDone = last?.state === 'executed'
  if (isDone && isInEffect(subject, action)) return last
  assertPossible(subject, noun, action)
  if (last?.state !== 'proposed') return open(em, subject, order, at)
  const isOwn = last.proposedBy === userId
  if (isOwn && last.proofRef === order.proofRef && last.reason === order.reason) return last
  const isOfStaff = (await staffAmong(em, [last.proposedBy])).size > 0
  if (isOwn || !isOfStaff) return replaceProposal(em, last, subject, order, at)
  if (last.proofRef !== order.proofRef) throw new Refusal('CONFLICT', 'the proposal has another proof reference')
  Object.assign(last, { state: 'approved', approvedBy: userId, approvalReason: order.reason, updatedAt: new Date(at) })
  auditAction(em, last, 'approved', order, at)
  return last
}

/** Whether an action that was executed is still in effect: the same order again then changes nothing. */
function isInEffect({ stage, onHoldSince }: ActionSubject, action: OperatorActionName): boolean {
  if (action === 'hold') return onHoldSince !== null
  if (action === 'release') return onHoldSince === null
  return endsOrder(action) && stage === null
}

/** Refuses an action that the resource's state does not allow. */
function assertPossible(subject: ActionSubject, noun: string, action: OperatorActionName): void {
  const obstacle = obstacleTo(action, standingOf(subject))
  if (obstacle === null) return
  const isInReview = noun === 'payout' && subject.status === 'pending'
  const why = {
    not_actionable: isInReview
      ? 'this payout is held for a review: approve or reject it'
      : `no action is possible on this ${noun} now: it is ${subject.status}`,
    on_hold: action === 'hold' ? `this ${noun} is already on hold` : `this ${noun} is on hold: release it first`,
    not_on_hold: `this ${noun} is not on hold`,
    unsent: `the order for this ${noun} was not sent yet: it is ${subject.status}`,
    undecidable: `only a retry is possible on this ${noun} now: it is ${subject.status}`,
  }
  throw new Refusal('CONFLICT', why[obstacle])
}

/** Whether an order is only a proposal, which a second person has to approve. */
const needsTwo = ({ amountUsd }: ActionSubject, { action, aloneUpToUsd }: Order): boolean =>
  amountUsd !== null && needsSecondApprover(action, amountUsd, aloneUpToUsd)

/** What an action keeps of the order that has made it. */
const keptOf = (subject: ActionSubject, order: Order, at: number) => ({
  reason: order.reason,
  proofRef: order.proofRef,
  state: needsTwo(subject, order) ? ('proposed' as const) : ('approved' as const),
  proposedBy: order.userId,
  createdAt: new Date(at),
  updatedAt: new Date(at),
})

/** Puts an order in the place of a proposal. The audit log keeps both. */
function replaceProposal(
  em: EntityManager,
  proposal: OperatorAction,
  subject: ActionSubject,
  order: Order,
  at: number,
): OperatorAction {
  Object.assign(proposal, keptOf(subject, order, at))
  auditOrder(em, proposal, order, at)
  return proposal
}

function auditOrder(em: EntityManager, action: OperatorAction, order: Order, at: number): void {
  auditAction(em, action, action.state === 'proposed' ? 'proposed' : 'ordered', order, at)
}

function open(em: EntityManager, subject: ActionSubject, order: Order, at: number): OperatorAction {
  const { accountId, environment, id } = subject
  const { resource, action } = order
  const about = {
    payoutId: null,
    refundId: null,
    conversionId: null,
    paymentId: null,
    deliveryId: null,
    disputeId: null,
  }
  const row = em.create(OperatorAction, {
    id: newId('opa', at),
    accountId,
    environment,
    ...about,
    [columnOf[resource]]: id,
    resourceId: id,
    action,
    ...keptOf(subject, order, at),
    approvedBy: null,
    approvalReason: null,
  })
  auditOrder(em, row, order, at)
  return row
}
