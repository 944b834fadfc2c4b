import type { EntityManager } from '../../db/core/database.ts'
import type { Delivery, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { nextAnswer } from '../../domain/webhook/simulated-receiver.ts'
import { type Attempt, statusError, unanswered } from './http.ts'

const errors = { timeout: 'timeout', refused: 'connection_refused' } as const

/** Takes the next answer out of the plan of a locked endpoint, as the attempt that an HTTP request would have been. */
export function takeAnswer(endpoint: WebhookEndpoint): Attempt {
  const { answer, left } = nextAnswer(endpoint.simulatedAnswers ?? [])
  endpoint.simulatedAnswers = left
  if (typeof answer === 'string') return unanswered(errors[answer])
  return { responseStatus: answer, responseBody: '', durationMs: 0, error: statusError(answer) }
}

/**
 * Whether no delivery of an earlier event is due at the same receiver at a moment, in milliseconds since the epoch. So
 * the order in which workers come does not decide who gets which answer.
 */
export async function isItsTurn(em: EntityManager, { id, eventId, endpointId }: Delivery, at: number) {
  const [earlier] = await em.execute(
    `select 1 from deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = ? and d.status = 'pending' and d.on_hold_since is null and d.next_attempt_at <= ?
       and (e.sequence, d.id) < ((select sequence from events where id = ?), ?) limit 1`,
    [endpointId, new Date(at), eventId, id],
  )
  return !earlier
}
