import Type, { type Static } from 'typebox'
import type { WebhookRecovery as RecoveryRow } from '../../db/webhook/endpoint.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from '../common.ts'

export const WebhookRecovery = Type.Object(
  {
    recovery_id: id('rcv'),
    endpoint_id: id('we'),
    since: Timestamp,
    until: Timestamp,
    status: Type.Enum(['running', 'completed']),
    sent_count: Type.Integer({ minimum: 0, description: 'The number of deliveries it has begun so far.' }),
    created_at: Timestamp,
    completed_at: nullable(Timestamp),
  },
  { $id: 'WebhookRecovery' },
)

export const presentRecovery = (row: RecoveryRow): Static<typeof WebhookRecovery> => ({
  recovery_id: row.id,
  endpoint_id: row.endpointId,
  since: iso(row.since),
  until: iso(row.until),
  status: row.completedAt === null ? 'running' : 'completed',
  sent_count: row.sentCount,
  created_at: iso(row.createdAt),
  completed_at: isoOrNull(row.completedAt),
})
