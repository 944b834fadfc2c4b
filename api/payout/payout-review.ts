import { subjectOfPayout } from '../../commands/payout/review-subject.ts'
import { Payout as PayoutRow } from '../../db/payout/payout.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Payout, presentPayout } from '../../schemas/payout/payout.ts'
import { operation } from '../http/operation.ts'
import { PayoutId } from './payout.ts'
import { DecideReview, storeDecision, validateDecision } from '../review/review.ts'
import { forStaff } from '../http/staff.ts'

export const reviewPayout = operation({
  ...forStaff,
  method: 'post',
  mode: 'process',
  makes: 'rvd',
  path: '/api/v1/admin/payouts/{payout_id}/review',
  summary: 'Approve or reject a payout that is held',
  params: PayoutId,
  body: DecideReview,
  validate: validateDecision,
  returns: [200, Payout],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle(call) {
    const { params, em, callId, services } = call
    const payout = await em.findOne(PayoutRow, { id: params.payout_id })
    if (!payout) throw new Refusal('NOT_FOUND', 'no such payout')
    await storeDecision(em, subjectOfPayout(payout), call)
    const target = { process: 'payout' as const, resourceId: payout.id, about: aboutPayout(payout, 'reviewer') }
    await services.engine.update(target, 'decide', [callId], callId)
    return presentPayout(await em.fork().findOneOrFail(PayoutRow, { id: payout.id }))
  },
})
