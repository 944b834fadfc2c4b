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

/** Who asks for what action, and why; `address` is where the call came from. */
export type ActionRequest = {
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
 * the limit the first request is only a proposal, and the same one by another person approves it. Whoever has proposed
 * it can correct it by another one. The proposal of a person who is not staff any more counts for nothing: the next
 * request takes its place. An `approved` action is carried out by the resource's process, and is returned again until
 * that has happened.
 */
export async function requestAction(em: EntityManager, request: ActionRequest, at: number): Promise<OperatorAction> {
  const { resource, resourceId, action, userId } = request
  const subject = await findSubject(em, resource, resourceId, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const noun = resource.replaceAll('_', ' ')
  if (!subject) throw new Refusal('NOT_FOUND', `no such ${noun}`)
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const last = await em.findOne(OperatorAction, { resourceId, action }, { orderBy })
  if (last?.state === 'approved') return last
  const isDone = last?.state === 'executed'
  if (isDone && isInEffect(subject, action)) return last
  assertPossible(subject, noun, action)
  if (last?.state !== 'proposed') return open(em, subject, request, at)
  const isOwn = last.proposedBy === userId
  if (isOwn && last.proofRef === request.proofRef && last.reason === request.reason) return last
  const isOfStaff = (await staffAmong(em, [last.proposedBy])).size > 0
  if (isOwn || !isOfStaff) return replaceProposal(em, last, subject, request, at)
  if (last.proofRef !== request.proofRef) throw new Refusal('CONFLICT', 'the proposal has another proof reference')
  Object.assign(last, {
    state: 'approved',
    approvedBy: userId,
    approvalReason: request.reason,
    updatedAt: new Date(at),
  })
  auditAction(em, last, 'approved', request, at)
  return last
}

/** Whether an action that was executed is still in effect: the same request again then changes nothing. */
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

/** Whether a request is only a proposal, which a second person has to approve. */
const needsTwo = ({ amountUsd }: ActionSubject, { action, aloneUpToUsd }: ActionRequest): boolean =>
  amountUsd !== null && needsSecondApprover(action, amountUsd, aloneUpToUsd)

/** What an action keeps of the request that has made it. */
const keptOf = (subject: ActionSubject, request: ActionRequest, at: number) => ({
  reason: request.reason,
  proofRef: request.proofRef,
  state: needsTwo(subject, request) ? ('proposed' as const) : ('approved' as const),
  proposedBy: request.userId,
  createdAt: new Date(at),
  updatedAt: new Date(at),
})

/** Puts a request in the place of a proposal. The audit log keeps both. */
function replaceProposal(
  em: EntityManager,
  proposal: OperatorAction,
  subject: ActionSubject,
  request: ActionRequest,
  at: number,
): OperatorAction {
  Object.assign(proposal, keptOf(subject, request, at))
  auditRequest(em, proposal, request, at)
  return proposal
}

function auditRequest(em: EntityManager, action: OperatorAction, request: ActionRequest, at: number): void {
  auditAction(em, action, action.state === 'proposed' ? 'proposed' : 'ordered', request, at)
}

function open(em: EntityManager, subject: ActionSubject, request: ActionRequest, at: number): OperatorAction {
  const { accountId, environment, id } = subject
  const { resource, action } = request
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
    ...keptOf(subject, request, at),
    approvedBy: null,
    approvalReason: null,
  })
  auditRequest(em, row, request, at)
  return row
}
