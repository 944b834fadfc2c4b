import { aboutRecovery } from '../../domain/webhook/process.ts'
import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { startProcess } from '../../db/core/start-process.ts'
import { type WebhookEndpoint, WebhookRecovery as RecoveryRow } from '../../db/webhook/endpoint.ts'
import { newId } from '../../domain/id.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { eventsKeptMs } from '../../domain/retention.ts'
import { recoveriesMax } from '../../domain/webhook/endpoint.ts'
import { idParameter, Moment } from '../../schemas/common.ts'
import { presentRecovery, WebhookRecovery } from '../../schemas/webhook/recovery.ts'
import { operation } from '../http/operation.ts'
import { assertValid } from '../http/validate.ts'
import { assertEnabled, assertNotSimulated, EndpointId, lockEndpoint } from './endpoint.ts'

const managed = { tag: 'Webhooks', auth: ['apiKey'] } as const

export const recoverEndpoint = operation({
  ...managed,
  method: 'post',
  path: '/v1/webhooks/endpoints/{endpoint_id}/recover',
  summary: 'Send again the events that an endpoint missed in a span of time, oldest first',
  scope: 'webhooks:write',
  params: EndpointId,
  body: Type.Object(
    {
      since: Moment,
      until: Type.Optional({ ...Moment, description: 'Exclusive. Left out or in the future: now.' }),
    },
    { $id: 'RecoverWebhookEndpoint' },
  ),
  validate: (body, { hasErrors, now }) => (hasErrors ? validateSpan(body, now) : []),
  returns: [200, WebhookRecovery],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    assertValid(validateSpan(body, now))
    const span = readSpan(body, now)
    // Recoveries that are ordered at the same time are counted one by one.
    const row = await lockEndpoint(em, caller, params.endpoint_id)
    assertEnabled(row)
    assertNotSimulated(row)
    await assertFewOpen(em, row)
    return presentRecovery(openRecovery(em, row, span, now))
  },
})

/** Refuses another recovery while an endpoint has several that go on. All open ones are few: an index has only them. */
async function assertFewOpen(em: EntityManager, { id: endpointId }: WebhookEndpoint): Promise<void> {
  const open = await em.count(RecoveryRow, { endpointId, completedAt: null })
  if (open < recoveriesMax) return
  const words = `${recoveriesMax} recoveries of the endpoint are running already: wait until one is completed`
  throw new Refusal('CONFLICT', words)
}

/** Stores a recovery and, in the same commit, the outbox row that starts its process. */
function openRecovery(em: EntityManager, endpoint: WebhookEndpoint, span: Span, now: number): RecoveryRow {
  const { id: endpointId, accountId, environment } = endpoint
  const recovery = em.create(RecoveryRow, {
    accountId,
    environment,
    endpointId,
    ...span,
    id: newId('rcv', now),
    positionAt: null,
    positionId: null,
    sentCount: 0,
    completedAt: null,
    createdAt: new Date(now),
  })
  startProcess(em, 'webhook-recovery', recovery.id, aboutRecovery(recovery))
  return recovery
}

type Span = { since: Date; until: Date }

/** The span of the recovery. It ends now at the latest, as future events cannot have been missed. */
function readSpan(body: { since: string; until?: string }, now: number): Span {
  const since = new Date(body.since)
  const until = new Date(Math.min(body.until === undefined ? now : Date.parse(body.until), now))
  return { since, until }
}

/**
 * The errors in a span. The schema check reports a value that is not a moment. A repeated call is not checked again, as
 * the span may be too old by then.
 */
function validateSpan({ since, until }: Record<string, unknown>, now: number): FieldError[] {
  const error = (message: string) => [{ field: 'since', message, type: 'value_error.range' }]
  if (typeof since !== 'string' || Number.isNaN(Date.parse(since))) return []
  if (Date.parse(since) < now - eventsKeptMs) return error('must be in the last 90 days')
  const end = typeof until === 'string' ? Date.parse(until) : now
  return Date.parse(since) >= Math.min(end, now) ? error('must be before until, and in the past') : []
}

export const getRecovery = operation({
  ...managed,
  method: 'get',
  path: '/v1/webhooks/recoveries/{recovery_id}',
  summary: 'Read the progress of a recovery, also if its endpoint was deleted since',
  scope: 'webhooks:read',
  params: Type.Object({ recovery_id: idParameter('rcv') }),
  returns: [200, WebhookRecovery],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const row = await em.findOne(RecoveryRow, { id: params.recovery_id, accountId, environment })
    if (!row) throw new Refusal('NOT_FOUND', 'no such webhook recovery')
    return presentRecovery(row)
  },
})
