import { defineEntity, p } from '@mikro-orm/core'
import { type ActionResource, actionResources, actionStates, operatorActions } from '../../domain/operator-action.ts'
import { audit } from './audit.ts'
import { moment, tenant } from './columns.ts'
import type { EntityManager } from './database.ts'

/** The column that names the resource, by its kind. */
export const columnOf = {
  payout: 'payoutId',
  refund: 'refundId',
  conversion: 'conversionId',
  payment: 'paymentId',
  webhook_delivery: 'deliveryId',
  dispute: 'disputeId',
} as const satisfies Record<ActionResource, string>

const ids = ['payout_id', 'refund_id', 'conversion_id', 'payment_id', 'delivery_id', 'dispute_id']

const schema = defineEntity({
  name: 'OperatorAction',
  tableName: 'operator_actions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // One of these names the resource. Each has a foreign key, except that of a delivery (decision 0035).
    payoutId: p.string().strictNullable(),
    refundId: p.string().strictNullable(),
    conversionId: p.string().strictNullable(),
    paymentId: p.string().strictNullable(),
    deliveryId: p.string().strictNullable(),
    disputeId: p.string().strictNullable(),
    // The one id of these six, whatever its kind.
    resourceId: p.string().generated(`(coalesce(${ids.join(', ')})) stored`),
    action: p.enum(operatorActions),
    state: p.enum(actionStates),
    reason: p.string().length(500),
    // The reference to the proof that the money has arrived, such as the bank's own reference.
    proofRef: p.string().length(255).strictNullable(),
    proposedBy: p.string(),
    // Null where one person is enough, and until a second one has approved.
    approvedBy: p.string().strictNullable(),
    approvalReason: p.string().length(500).strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'operator_actions_are_about_one_resource', expression: `num_nonnulls(${ids.join(', ')}) = 1` },
    {
      name: 'operator_actions_are_approved_by_another',
      expression: 'approved_by is null or approved_by <> proposed_by',
    },
    {
      name: 'operator_actions_are_approved_for_a_reason',
      expression: '(approval_reason is null) = (approved_by is null)',
    },
    {
      name: 'operator_actions_prove_a_settlement',
      expression: "(proof_ref is not null) = (action = 'mark_settled')",
    },
  ],
  indexes: [{ name: 'operator_actions_by_resource', properties: ['resourceId', 'createdAt', 'id'] }],
  uniques: [
    { name: 'operator_actions_one_proposal', properties: ['resourceId', 'action'], where: "state = 'proposed'" },
  ],
})
/** What staff order about a resource. Its process receives only the id, so that no text gets into a history. */
export class OperatorAction extends schema.class {}
schema.setClass(OperatorAction)

/** The kind of resource that an action is about. */
export function resourceOf(action: OperatorAction): ActionResource {
  const resource = actionResources.find((kind) => action[columnOf[kind]] !== null)
  if (!resource) throw new Error(`${action.id} is about nothing`)
  return resource
}

/**
 * Adds to the audit log what has become of an action, such as `refund.hold_executed`. `address` is where the call came
 * from.
 */
export function auditAction(
  em: EntityManager,
  action: OperatorAction,
  what: string,
  { userId, address }: { userId: string; address: string },
  at: number,
): void {
  const { accountId, resourceId: target, proposedBy } = action
  const reason = userId === proposedBy ? action.reason : action.approvalReason
  audit(
    em,
    { action: `${resourceOf(action)}.${action.action}_${what}`, accountId, userId, address, target, reason },
    at,
  )
}
