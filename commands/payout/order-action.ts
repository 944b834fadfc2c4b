import { newId } from '../../domain/id.ts'
import { type Amount, inUsd } from '../../domain/money.ts'
import { needsSecondApprover, type OperatorActionName } from '../../domain/payout/operator-action.ts'
import { Refusal } from '../../domain/refusal.ts'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { OperatorAction } from '../../db/payout/operator-action.ts'
import { Payout } from '../../db/payout/payout.ts'

/** Who orders what, and why; `address` is where the call came from. */
export type Order = {
  payoutId: string
  action: OperatorActionName
  reason: string
  proofRef: string | null
  userId: string
  address: string
  /** Above this value in US dollars a second person has to approve. */
  aloneUpToUsd: Amount
}

/**
 * Stores an operator action about a payout that its rail is processing, with an entry in the audit log. Above the limit
 * the first order is only a proposal, and the same order by another person approves it. An `approved` action is carried
 * out by the payout's process, and is returned again until that has happened.
 */
export async function orderAction(em: EntityManager, order: Order, at: number): Promise<OperatorAction> {
  const { payoutId, action, userId } = order
  const payout = await lock(em, Payout, payoutId)
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const last = await em.findOne(OperatorAction, { payoutId, action }, { orderBy })
  if (last?.state === 'approved') return last
  if (payout.status !== 'processing') {
    if (action !== 'retry' && last?.state === 'executed') return last
    throw new Refusal('CONFLICT', `the rail does not hold this payout: it is ${payout.status}`)
  }
  if (last?.state !== 'proposed') return open(em, payout, order, at)
  if (last.proposedBy === userId) return last
  if (last.proofRef !== order.proofRef) throw new Refusal('CONFLICT', 'the proposal names another proof')
  Object.assign(last, { state: 'approved', approvedBy: userId, approvalReason: order.reason, updatedAt: new Date(at) })
  note(em, last, 'approved', order, at)
  return last
}

function open(em: EntityManager, payout: Payout, order: Order, at: number): OperatorAction {
  const { accountId, environment, id: payoutId } = payout
  const { action, reason, proofRef } = order
  const worth = inUsd(payout.sourceAmount, payout.sourceCurrency)
  const state = needsSecondApprover(action, worth, order.aloneUpToUsd) ? 'proposed' : 'approved'
  const row = em.create(OperatorAction, {
    id: newId('opa', at),
    accountId,
    environment,
    payoutId,
    action,
    reason,
    proofRef,
    state,
    proposedBy: order.userId,
    approvedBy: null,
    approvalReason: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
  note(em, row, state === 'proposed' ? 'proposed' : 'ordered', order, at)
  return row
}

function note(em: EntityManager, row: OperatorAction, what: string, { userId, address }: Order, at: number): void {
  const { accountId, payoutId: target, action } = row
  audit(em, { action: `payout.${action}_${what}`, accountId, userId, address, target }, at)
}
