import Type, { type Static } from 'typebox'
import { inTransaction } from '../../db/core/database.ts'
import { subjectOfPayout } from '../../commands/payout/decide-review.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import { OperatorAction as ActionRow } from '../../db/payout/operator-action.ts'
import { orderAction } from '../../commands/payout/order-action.ts'
import { Payout as PayoutRow } from '../../db/payout/payout.ts'
import type { OperatorActionName } from '../../domain/payout/operator-action.ts'
import { Refusal } from '../../domain/refusal.ts'
import { OperatorAction, Payout, presentOperatorAction, presentPayout } from '../../schemas/payout/payout.ts'
import { type Call, operation } from '../http/operation.ts'
import { PayoutId } from './payout.ts'
import { DecideReview, validateDecision, forStaff, storeDecision } from './review.ts'
import { staffOf } from './staff.ts'
import type { UpdateOf } from '../../domain/processes.ts'

const shared = { ...forStaff, method: 'post', mode: 'process', params: PayoutId } as const

export const reviewPayout = operation({
  ...shared,
  makes: 'rvd',
  path: '/api/v1/admin/payouts/{payout_id}/review',
  summary: 'Approve or reject a payout that is held',
  body: DecideReview,
  validate: validateDecision,
  returns: [200, Payout],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle(call) {
    const { params, em, callId, services } = call
    const payout = await anyPayout(em, params.payout_id)
    await storeDecision(em, subjectOfPayout(payout), call)
    const target = { process: 'payout' as const, resourceId: payout.id, about: aboutPayout(payout, 'reviewer') }
    await services.engine.update(target, 'decide', [callId], callId)
    return presentPayout(await anyPayout(em.fork(), payout.id))
  },
})

/** A payout of any account and environment, for staff. */
async function anyPayout(em: Call<undefined, undefined, undefined>['em'], id: string): Promise<PayoutRow> {
  const row = await em.findOne(PayoutRow, { id })
  if (!row) throw new Refusal('NOT_FOUND', 'no such payout')
  return row
}

const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Kept with the action.' })
const Reasoned = Type.Object({ reason }, { $id: 'Reasoned' })
const Proven = Type.Object(
  {
    reason,
    proof_ref: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      description: 'Where the proof is, such as the bank’s own reference.',
    }),
  },
  { $id: 'Proven' },
)

const action = { ...shared, returns: [200, OperatorAction], refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'] } as const

export const retryPayout = operation({
  ...action,
  path: '/api/v1/admin/payouts/{payout_id}/retry',
  summary: 'Hand a stuck payout to its rail again, under the same id',
  body: Reasoned,
  handle: (call) => order(call, 'retry', call.body, null),
})

export const markSettled = operation({
  ...action,
  path: '/api/v1/admin/payouts/{payout_id}/mark-settled',
  summary: 'Mark a stuck payout as arrived, with proof',
  body: Proven,
  handle: (call) => order(call, 'mark_settled', call.body, call.body.proof_ref),
})

export const markFailed = operation({
  ...action,
  path: '/api/v1/admin/payouts/{payout_id}/mark-failed',
  summary: 'Mark a stuck payout as failed, and give the money back',
  body: Reasoned,
  handle: (call) => order(call, 'mark_failed', call.body, null),
})

/** The update of the payout's process for each operator action. */
const updates = {
  retry: 'retry',
  mark_settled: 'markSettled',
  mark_failed: 'markFailed',
} as const satisfies Record<OperatorActionName, UpdateOf<'payout'>>

type Ordering = Pick<Call<typeof PayoutId, undefined, undefined>, 'params' | 'caller' | 'em' | 'now' | 'services'>

/** Stores the operator action. Once enough people have approved it, the payout's process carries it out. */
async function order(
  { params, caller, em, now, services }: Ordering,
  name: OperatorActionName,
  body: Static<typeof Reasoned>,
  proofRef: string | null,
): Promise<Static<typeof OperatorAction>> {
  const payout = await anyPayout(em, params.payout_id)
  const request = { payoutId: payout.id, action: name, reason: body.reason, proofRef, userId: staffOf(caller) }
  const { secondApprovalAboveUsd: aloneUpToUsd } = services.config
  const row = await inTransaction(services.database, (writing) =>
    orderAction(writing, { ...request, address: caller.address, aloneUpToUsd }, now),
  )
  const target = { process: 'payout' as const, resourceId: payout.id, about: aboutPayout(payout, 'operator') }
  if (row.state === 'approved') await services.engine.update(target, updates[name], [row.id], row.id)
  const reader = em.fork()
  return presentOperatorAction(
    await reader.findOneOrFail(ActionRow, { id: row.id }),
    await anyPayout(reader, payout.id),
  )
}
