import { aboutDestination } from '../../domain/payout/process.ts'
import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { PayoutDestination as DestinationRow } from '../../db/payout/destination.ts'
import { subjectOfDestination } from '../../commands/payout/review-subject.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter } from '../../schemas/common.ts'
import { PayoutDestination, presentDestination } from '../../schemas/payout/destination.ts'
import { operation } from '../http/operation.ts'
import { DecideReview, validateDecision, storeDecision } from '../review/review.ts'
import { forStaff } from '../http/staff.ts'

const DestinationId = Type.Object({ destination_id: idParameter('pd') })

/** A destination of any organization and environment. Only staff operations may use this. */
async function findDestination(em: EntityManager, destinationId: string): Promise<DestinationRow> {
  const row = await em.fork().findOne(DestinationRow, { id: destinationId })
  if (!row) throw new Refusal('NOT_FOUND', 'no such payout destination')
  return row
}

export const reviewDestination = operation({
  ...forStaff,
  method: 'post',
  path: '/api/v1/admin/payout-destinations/{destination_id}/review',
  summary: 'Approve or reject a destination; repeating the same decision changes nothing',
  mode: 'process',
  makes: 'rvd',
  params: DestinationId,
  body: DecideReview,
  validate: validateDecision,
  returns: [200, PayoutDestination],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now, callId, services }) {
    const row = await findDestination(em, params.destination_id)
    await storeDecision(em, subjectOfDestination(row), { body, caller, now, callId })
    const process = { process: 'payout-destination', resourceId: row.id, about: aboutDestination(row) } as const
    await services.engine.update(process, 'decide', [callId, row.revision, body.decision], callId)
    return presentDestination(await findDestination(em, row.id))
  },
})
