import type { EntityManager } from '../core/database.ts'
import { runPrepared } from '../core/prepared-statement.ts'

/** An attempt that a receiver has taken. `sentAt` is in milliseconds since the epoch. */
type Success = {
  deliveryId: string
  attempt: number
  sentAt: number
  durationMs: number
  responseStatus: number | null
  responseBody: string | null
}

/**
 * Records and commits an attempt that a receiver has taken, by one statement: this is what most attempts come to. False
 * if nothing was recorded because the delivery has ended, has this attempt already, or has an endpoint that has been
 * failing, whose run of failures ends with it.
 */
export async function recordSuccess(em: EntityManager, success: Success): Promise<boolean> {
  const { deliveryId, attempt, sentAt, durationMs, responseStatus, responseBody } = success
  const ms = Math.round(durationMs)
  const [at, endedAt] = [new Date(sentAt), new Date(sentAt + ms)]
  const rows = await runPrepared(em, statement, [deliveryId, attempt, endedAt, at, ms, responseStatus, responseBody])
  return rows.length > 0
}

const statement = `
  with done as (
    update deliveries d
    set status = 'succeeded', attempt_count = $2, next_attempt_at = null, completed_at = $3, on_hold_since = null
    from webhook_endpoints e
    where d.id = $1 and d.status = 'pending' and d.attempt_count < $2
      and e.id = d.endpoint_id and e.failing_since is null
    returning d.id)
  insert into delivery_attempts (delivery_id, number, at, duration_ms, response_status, response_body)
  select id, $2, $4, $5, $6, $7 from done returning number`
