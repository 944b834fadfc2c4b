import Type, { type Static } from 'typebox'
import type { OperatorAction as ActionRow } from '../db/core/operator-action.ts'
import { type ActionResource, actionResources, operatorActions } from '../domain/operator-action.ts'
import { id, iso, nullable, Timestamp } from './common.ts'

/** An operator action, and the status of its resource after it. */
export const OperatorAction = Type.Object(
  {
    operator_action_id: id('opa'),
    resource: Type.Enum(actionResources),
    resource_id: Type.String(),
    resource_status: Type.String({ description: 'The status of the resource after the action.' }),
    action: Type.Enum([...operatorActions]),
    state: Type.Enum(['awaiting_second_approval', 'approved', 'executed', 'refused']),
    reason: Type.String(),
    proof_ref: nullable(Type.String()),
    proposed_by: id('usr'),
    approved_by: nullable(id('usr')),
    created_at: Timestamp,
  },
  { $id: 'OperatorAction' },
)

/** `about` is the action's resource, after the action. */
export const presentOperatorAction = (
  row: ActionRow,
  about: { resource: ActionResource; status: string },
): Static<typeof OperatorAction> => ({
  operator_action_id: row.id,
  resource: about.resource,
  resource_id: row.resourceId,
  resource_status: about.status,
  action: row.action,
  state: row.state === 'proposed' ? 'awaiting_second_approval' : row.state,
  reason: row.reason,
  proof_ref: row.proofRef,
  proposed_by: row.proposedBy,
  approved_by: row.approvedBy,
  created_at: iso(row.createdAt),
})
