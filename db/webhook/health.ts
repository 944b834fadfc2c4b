import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { signalProcess } from '../core/start-process.ts'
import { aboutEndpoint } from '../../domain/webhook/process.ts'
import type { SignalOf } from '../../domain/processes.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/**
 * Signals a change to the process of a failing endpoint by an outbox row; the process is started if it does not run. It
 * reads the row again, whatever has changed.
 */
export function signalEndpoint(
  em: EntityManager,
  endpoint: Tenant & { id: string },
  news: SignalOf<'webhook-endpoint'>,
): void {
  signalProcess(em, 'webhook-endpoint', endpoint.id, aboutEndpoint(endpoint), news)
}

/**
 * Records a failed attempt. The first one of a run stores the run's begin and starts the process that watches it. Later
 * ones write nothing, so that a thousand failures do not queue for the endpoint's row. `at` is in milliseconds since
 * the epoch.
 */
export async function recordFailedAttempt(em: EntityManager, id: string, at: number): Promise<void> {
  const [begun] = await em.execute<Tenant[]>(
    `update webhook_endpoints e set failing_since = coalesce(
       (select c.frozen_time from test_clocks c where c.id = e.clock_id), ?::timestamptz) 
     where id = ? and failing_since is null and enabled
     returning account_id as "accountId", environment`,
    [new Date(at), id],
  )
  if (begun) signalEndpoint(em, { id, ...begun }, 'failed')
}

/** Ends the run of failures after a delivered attempt. */
export async function recordDelivered(em: EntityManager, id: string): Promise<void> {
  const [ended] = await em.execute<Tenant[]>(
    `update webhook_endpoints set failing_since = null, warned_at = null where id = ? and failing_since is not null
     returning account_id as "accountId", environment`,
    [id],
  )
  if (ended) signalEndpoint(em, { id, ...ended }, 'succeeded')
}

/** Whether a process watches the endpoint: while it is switched on and every attempt fails. */
export const isWatched = ({ enabled, failingSince }: WebhookEndpoint): boolean => enabled && failingSince !== null

/**
 * Switches a locked endpoint on or off for its merchant. Switching on clears the record of earlier failures. An
 * endpoint that is already off keeps the moment and the reason. `at` is in milliseconds since the epoch.
 */
export function switchEndpoint(em: EntityManager, endpoint: WebhookEndpoint, enabled: boolean, at: number): void {
  if (isWatched(endpoint)) signalEndpoint(em, endpoint, 'disabled')
  if (enabled) Object.assign(endpoint, { enabled, ...unfailing })
  else if (endpoint.enabled) Object.assign(endpoint, { enabled, disabledAt: new Date(at), disabledReason: null })
}

const unfailing = { disabledAt: null, disabledReason: null, failingSince: null, warnedAt: null }
