import Type, { type Static } from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Dispute as DisputeRow } from '../../db/dispute/dispute.ts'
import { disputeReasonKeys, disputeStatuses } from '../../domain/dispute/dispute.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { Dispute, ListedDispute, presentDispute, presentListedDispute } from '../../schemas/dispute/dispute.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'

/** What every operation on a dispute has in common. */
export const onDispute = {
  tag: 'Disputes',
  auth: ['apiKey'],
  params: Type.Object({ dispute_id: idParameter('dsp') }),
} as const

/** The caller's own dispute. Another account's is refused like one that does not exist. */
export async function findDispute(em: EntityManager, caller: Caller, id: string): Promise<Readonly<DisputeRow>> {
  const { accountId, environment } = caller
  const row = await readRow(em, DisputeRow, { id, accountId, environment })
  if (!row) throw new Refusal('NOT_FOUND', 'no such dispute')
  return row
}

/** A dispute as it stands now. */
export const showDispute = async (em: EntityManager, id: string): Promise<Static<typeof Dispute>> =>
  presentDispute(await em.fork().findOneOrFail(DisputeRow, { id }))

/** The process of a dispute, for an update. */
export const processOfDispute = (row: Readonly<DisputeRow>) => ({
  process: 'dispute' as const,
  resourceId: row.id,
  about: aboutDispute(row),
})

export const getDispute = operation({
  ...onDispute,
  method: 'get',
  path: '/v1/disputes/{dispute_id}',
  summary: 'Read a dispute, with its evidence',
  scope: 'disputes:read',
  returns: [200, Dispute],
  refuses: ['NOT_FOUND'],

  handle: async ({ params, caller, em }) => presentDispute(await findDispute(em, caller, params.dispute_id)),
})

const ListDisputes = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...disputeStatuses])),
  reason: Type.Optional(Type.Enum([...disputeReasonKeys])),
  payment_id: Type.Optional(Type.String({ maxLength: 64 })),
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
  order: Type.Optional(
    Type.Enum(['newest', 'due'], {
      default: 'newest',
      description: 'Newest first, or by `evidence_due_at` with the earliest first.',
    }),
  ),
})

const listColumns = {
  status: 'status',
  reason: 'reason',
  payment_id: 'paymentId',
  customer_id: 'customerId',
} as const

export const listDisputes = operation({
  method: 'get',
  path: '/v1/disputes',
  summary: 'List disputes, without their evidence, newest first or by what is due first',
  tag: 'Disputes',
  auth: ['apiKey'],
  scope: 'disputes:read',
  query: ListDisputes,
  returns: [200, page(ListedDispute)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = whereMatching(caller, query, listColumns)
    const order = query.order === 'due' ? { by: 'evidenceDueAt', first: 'earliest' as const } : undefined
    const { rows, pagination } = await listPage({ em, services }, DisputeRow, where, query, order)
    return { items: rows.map(presentListedDispute), pagination }
  },
})

export const acceptDispute = operation({
  ...onDispute,
  method: 'post',
  path: '/v1/disputes/{dispute_id}/accept',
  summary: 'Accept a dispute, which is lost then; after an early warning, refund the charge in full',
  scope: 'disputes:write',
  mode: 'process',
  returns: [200, Dispute],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, callId, services }) {
    const row = await findDispute(em, caller, params.dispute_id)
    await services.engine.update(processOfDispute(row), 'accept', [callId], callId)
    return showDispute(em, row.id)
  },
})
