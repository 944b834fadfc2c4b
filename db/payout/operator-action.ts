import { defineEntity, p } from '@mikro-orm/core'
import { actionStates, operatorActions } from '../../domain/payout/operator-action.ts'
import { moment, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'OperatorAction',
  tableName: 'operator_actions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    payoutId: p.string(),
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
  indexes: [{ name: 'operator_actions_by_payout', properties: ['payoutId', 'createdAt', 'id'] }],
  uniques: [{ name: 'operator_actions_one_proposal', properties: ['payoutId', 'action'], where: "state = 'proposed'" }],
})
/** What staff order for a stuck payout. Its process receives only the id, so that no text gets into a history. */
export class OperatorAction extends schema.class {}
schema.setClass(OperatorAction)
