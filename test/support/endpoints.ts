import assert from 'node:assert/strict'
import { WorkflowNotFoundError } from '@temporalio/client'
import { newId } from '../../domain/id.ts'
import { processId } from '../../domain/processes.ts'
import { pageOf } from './api.ts'
import type { Merchant, Reply } from './merchant.ts'
import { changeEndpoint } from './rows.ts'
import { type Stack } from './stack.ts'
import { until } from './until.ts'

export type Json = Record<string, unknown>

/** A delivery as the API shows it. */
export type ShownDelivery = Record<'delivery_id' | 'event_id' | 'event_type' | 'endpoint_id', string> & {
  status: string
  trigger: string
  next_attempt_at: string | null
  completed_at: string | null
  attempts: { number: number; response_status: number | null; response_body: string | null; error: string | null }[]
}

export const endpointsPath = '/v1/webhooks/endpoints'
export const eventsPath = '/v1/webhooks/events'

/** Returns the body, after a check of the status. */
export async function taken<T = Json>(reply: Promise<Reply>, status = 200): Promise<T> {
  const { status: actual, text } = await reply
  assert.equal(actual, status, text)
  return JSON.parse(text) as T
}

/** What a merchant does with webhook endpoints; each call expects success. */
export function withEndpoints({ call }: Pick<Merchant, 'call'>) {
  const deliveries = async (id: string, query = ''): Promise<ShownDelivery[]> => {
    const { items } = pageOf(await call('GET', `${endpointsPath}/${id}/deliveries?limit=100&${query}`))
    return items as unknown as ShownDelivery[]
  }
  return {
    deliveries,
    /** Adds an endpoint and returns its id. */
    async add(body: Json): Promise<string> {
      return String((await taken(call('POST', endpointsPath, body), 201))['endpoint_id'])
    },
    read: (id: string) => taken(call('GET', `${endpointsPath}/${id}`)),
    change: (id: string, body: Json) => taken(call('PATCH', `${endpointsPath}/${id}`, body)),
    remove: (id: string) => taken(call('DELETE', `${endpointsPath}/${id}`)),
    secret: (id: string) => taken(call('GET', `${endpointsPath}/${id}/secret`)),
    /** Triggers a sample event, and returns its id. */
    async happen(type = 'refund.paid'): Promise<string> {
      return String((await taken(call('POST', '/v1/test-helpers/events/trigger', { type }), 201))['id'])
    },
    event: (id: string) => taken<Json & { deliveries: ShownDelivery[] }>(call('GET', `${eventsPath}/${id}`)),
    resend: (id: string, body: Json = {}) =>
      taken<{ event_id: string; deliveries: ShownDelivery[] }>(call('POST', `${eventsPath}/${id}/resend`, body)),
    recover: (id: string, body: Json) => taken(call('POST', `${endpointsPath}/${id}/recover`, body)),
    /** Waits until all deliveries to an endpoint have ended, and returns them. */
    async ended(id: string): Promise<ShownDelivery[]> {
      let found: ShownDelivery[] = []
      await until(async () => {
        found = await deliveries(id)
        return found.length > 0 && found.every(({ status }) => status !== 'pending')
      }, `the deliveries to ${id} have ended`)
      return found
    },
  }
}

/** The same merchant, acting for another account. */
export const actingFor = ({ call }: Merchant, accountId: string): Pick<Merchant, 'call'> => ({
  call: (method, path, body, headers = {}) => call(method, path, body, { 'x-account-id': accountId, ...headers }),
})

/** Adds events a second apart, up to a minute ago, without deliveries; returns their ids, oldest first. */
export async function addPastEvents(stack: Stack, accountId: string, count: number): Promise<string[]> {
  const start = Date.now() - count * 1_000 - 60_000
  const ids = Array.from({ length: count }, (_, index) => newId('evt', start + index * 1_000))
  await stack.sql(
    `insert into events (id, account_id, environment, type, resource_id, body, created_at)
     select id, ?, 'sandbox', 'refund.paid', 'ref_' || n, json_build_object('id', id, 'type', 'refund.paid',
       'created_at', '2026-01-01T00:00:00.000Z', 'data', json_build_object('n', n))::text,
       to_timestamp((?::bigint + (n - 1) * 1000) / 1000.0)
     from json_array_elements_text(?::json) with ordinality as given (id, n)`,
    [accountId, start, JSON.stringify(ids)],
  )
  return ids
}

/** Adds skipped deliveries of an event to its account, a second apart, up to a minute ago; returns their ids. */
export async function addPastDeliveries(stack: Stack, eventId: string, count: number): Promise<string[]> {
  const start = Date.now() - count * 1_000 - 60_000
  const ids = Array.from({ length: count }, (_, index) => newId('dlv', start + index * 1_000))
  await stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, trigger,
       created_at, completed_at)
     select given.id, e.account_id, e.environment, e.id, e.type, ?, 'skipped', 'manual', t, t
     from json_array_elements_text(?::json) with ordinality as given (id, n), events e,
       to_timestamp((?::bigint + (n - 1) * 1000) / 1000.0) t where e.id = ?`,
    [newId('we', start), JSON.stringify(ids), start, eventId],
  )
  return ids
}

/** The signals that were sent to the process that watches a failing endpoint; none if it was never started. */
export async function watcherSignals(stack: Stack, endpointId: string): Promise<string[]> {
  await stack.dispatched()
  const handle = stack.client.workflow.getHandle(processId('webhook-endpoint', endpointId))
  const isBegun = await handle.describe().then(
    () => true,
    (error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return false
      throw error
    },
  )
  const { events } = isBegun ? await handle.fetchHistory() : { events: [] }
  const names = (events ?? []).map((event) => event.workflowExecutionSignaledEventAttributes?.signalName)
  return names.filter((name) => typeof name === 'string')
}

/** Sets an endpoint to have failed for two days, with its owner warned. */
export const beginFailing = (stack: Stack, endpointId: string) =>
  changeEndpoint(stack, endpointId, { failingSince: new Date(Date.now() - 48 * 3_600_000), warnedAt: new Date() })
