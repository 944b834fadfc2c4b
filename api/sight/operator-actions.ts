import Type from 'typebox'
import { requestAction } from '../../commands/sight/request-action.ts'
import { findSubject } from '../../commands/sight/action-subject.ts'
import { inTransaction } from '../../db/core/database.ts'
import { OperatorAction as ActionRow } from '../../db/core/operator-action.ts'
import { Payout } from '../../db/payout/payout.ts'
import type { IdPrefix } from '../../domain/id.ts'
import type { ActionResource, actionsOn, OperatorActionName } from '../../domain/operator-action.ts'
import type { operatorUpdates } from '../../domain/process-contract.ts'
import type { UpdateOf } from '../../domain/processes.ts'
import { idParameter, notBlank } from '../../schemas/common.ts'
import { OperatorAction, presentOperatorAction } from '../../schemas/operator-action.ts'
import { Payout as PayoutShape, presentPayout } from '../../schemas/payout/payout.ts'
import { type Call, operation, type Operation } from '../http/operation.ts'
import { forStaff, staffOf } from '../http/staff.ts'
import { targetOf } from './action-targets.ts'

const reason = Type.String({ minLength: 1, maxLength: 500, pattern: notBlank, description: 'Kept with the action.' })
const proof_ref = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: notBlank,
  description: 'Where the proof is, such as the bank’s own reference.',
})
const Reasoned = Type.Object({ reason }, { $id: 'Reasoned' })
const Proven = Type.Object({ reason, proof_ref }, { $id: 'Proven' })

/** An action, with the payout after it where it is about one. */
const Done = Type.Object({ ...OperatorAction.properties, payout: Type.Optional(PayoutShape) }, { $id: 'OrderedAction' })

/** The update of a process for each operator action. */
const updates = {
  retry: 'retry',
  hold: 'hold',
  release: 'release',
  mark_settled: 'markSettled',
  mark_failed: 'markFailed',
} as const satisfies Record<OperatorActionName, keyof typeof operatorUpdates>

/** How the paths name a kind of resource, and what each action does to it. */
type Kind<R extends ActionResource> = {
  collection: string
  param: string
  prefix: IdPrefix
  does: Record<(typeof actionsOn)[R][number], string>
}

const order = {
  retry: 'Send it to its rail again now, under the same id',
  hold: 'Hold it: nothing is sent until it is released',
  release: 'Release what is on hold, and send it again',
}

const kinds: { [R in keyof typeof targetOf]: Kind<R> } = {
  payout: {
    collection: 'payouts',
    param: 'payout_id',
    prefix: 'pay',
    does: {
      ...order,
      mark_settled: 'Mark a stuck payout as arrived, with proof',
      mark_failed: 'Mark a stuck payout as failed, and give the money back',
    },
  },
  refund: {
    collection: 'refunds',
    param: 'refund_id',
    prefix: 'ref',
    does: {
      ...order,
      mark_settled: 'Mark a stuck refund as paid, with proof',
      mark_failed: 'Mark a stuck refund as failed, and give the money back to the merchant',
    },
  },
  conversion: {
    collection: 'conversions',
    param: 'conversion_id',
    prefix: 'cnv',
    does: {
      ...order,
      mark_settled: 'Mark a stuck conversion as completed, with proof',
      mark_failed: 'Mark a stuck conversion as failed, and give the money back',
    },
  },
  payment: {
    collection: 'payments',
    param: 'payment_id',
    prefix: 'pay',
    does: {
      retry: 'Ask the rail again now about a payment that it has not decided',
      mark_settled: 'Mark a payment that its rail has not decided as received in full, with proof',
      mark_failed: 'Mark a payment that its rail has not decided as failed; its buyer may try again',
    },
  },
  dispute: {
    collection: 'disputes',
    param: 'dispute_id',
    prefix: 'dsp',
    does: {
      retry: 'Send the network now what it has not got yet, or ask it how the dispute stands',
      mark_settled: 'Mark a dispute that its network decides as won, with proof, and give the amount back',
      mark_failed: 'Mark a dispute that its network decides as lost',
    },
  },
  webhook_delivery: {
    collection: 'webhook-deliveries',
    param: 'delivery_id',
    prefix: 'dlv',
    does: {
      retry: 'Make the next attempt now',
      hold: 'Hold it: no attempt is made until it is released, and the merchant cannot resend its event there',
      release: 'Release what is on hold, and make the next attempt at once',
      mark_failed: 'Give up: the delivery ends as failed now',
    },
  },
}

/** What staff can do about resources whose processes wait for an outsider: an operation for each kind and action. */
export const operatorOperations: readonly Operation[] = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap(
  (resource) =>
    Object.entries(kinds[resource].does).map(([action, summary]) =>
      operationFor(resource, action as OperatorActionName, summary),
    ),
)

function operationFor(resource: keyof typeof kinds, action: OperatorActionName, summary: string): Operation {
  const { collection, param, prefix } = kinds[resource]
  return operation({
    ...forStaff,
    tag: 'Operator actions',
    method: 'post',
    mode: 'process',
    path: `/api/v1/admin/${collection}/{${param}}/${action.replace('_', '-')}`,
    summary,
    params: Type.Object({ [param]: idParameter(prefix) }),
    body: action === 'mark_settled' ? Proven : Reasoned,
    returns: [200, Done],
    refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    handle: (call) => act(call, { resource, action, resourceId: String(call.params[param]) }),
  })
}

type Acting = Pick<Call<undefined, undefined, undefined>, 'caller' | 'em' | 'now' | 'services'> & {
  body: { reason: string; proof_ref?: string }
}
type Ordered = { resource: keyof typeof kinds; action: OperatorActionName; resourceId: string }

/**
 * The id of the update, the same for each repetition while the action is approved. It has the moment of the approval.
 * The engine answers a known id without the process, so a message that somebody sent before, and that was refused,
 * would otherwise stand in the way.
 */
const updateIdOf = ({ id, updatedAt }: ActionRow) => `${id}/${updatedAt.getTime()}`

/** Stores the operator action. Once enough people have approved it, the resource's process carries it out. */
async function act({ body, caller, em, now, services }: Acting, ordered: Ordered) {
  const { resource, resourceId, action } = ordered
  const { reason: why, proof_ref: proofRef = null } = body
  const { secondApprovalAboveUsd: aloneUpToUsd } = services.config
  const by = { userId: staffOf(caller), address: caller.address }
  const row = await inTransaction(services.database, (writing) =>
    requestAction(writing, { ...ordered, ...by, reason: why, proofRef, aloneUpToUsd }, now),
  )
  if (row.state === 'approved') {
    const target = await targetOf[resource](em, resourceId)
    // `kinds` has no operation for an update that the process does not take, such as the hold of a payment.
    const update = updates[action] as UpdateOf<typeof target.process>
    await services.engine.update(target, update, [row.id], updateIdOf(row))
  }
  const reader = em.fork()
  const subject = await findSubject(reader, resource, resourceId)
  const status = subject?.status ?? ''
  const payout = resource === 'payout' ? await reader.findOne(Payout, { id: resourceId }) : null
  const done = presentOperatorAction(await reader.findOneOrFail(ActionRow, { id: row.id }), { resource, status })
  return payout ? { ...done, payout: presentPayout(payout) } : done
}
