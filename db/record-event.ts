import type { EventType } from '../domain/event.ts'
import { testEventId } from '../domain/event.ts'
import { newId } from '../domain/id.ts'
import type { Tenant } from './columns.ts'
import type { EntityManager } from './database.ts'
import { Event } from './event.ts'
import { startProcess } from './start-process.ts'
import { Delivery, WebhookEndpoint } from './webhook.ts'

/** What happened to which resource; `data` is the event's payload, already in the interface's shape. */
export type Happening = { type: EventType; resourceId: string; data: Record<string, unknown>; test?: boolean }

/**
 * Records an event in the running transaction: its bytes, frozen for every attempt; its sequence number; one delivery
 * per enabled endpoint; and the promise that each delivery's process starts. `at` is the time of the change it tells.
 */
export async function recordEvent(em: EntityManager, owner: Tenant, happening: Happening, at: number): Promise<Event> {
  const createdAt = new Date(at)
  const id = newId('evt', at)
  const envelope = {
    id: happening.test ? testEventId : id,
    type: happening.type,
    created_at: createdAt.toISOString(),
    data: happening.data,
  }
  const event = em.create(Event, {
    ...pick(owner),
    id,
    type: happening.type,
    resourceId: happening.resourceId,
    body: JSON.stringify(envelope),
    createdAt,
  })
  for (const endpoint of await enabledEndpoints(em, owner)) {
    const delivery = em.create(Delivery, {
      ...pick(owner),
      id: newId('dlv', at),
      eventId: id,
      endpointId: endpoint.id,
      trigger: happening.test ? 'test' : 'automatic',
      nextAttemptAt: createdAt,
      createdAt,
      completedAt: null,
    })
    const summary = `${happening.type} of ${happening.resourceId}`
    const about = { ...pick(owner), status: 'pending', waitingOn: 'receiver', summary }
    startProcess(em, 'webhook-delivery', delivery.id, about)
  }
  return event
}

const pick = ({ accountId, environment }: Tenant): Tenant => ({ accountId, environment })

const known = new WeakMap<EntityManager, WebhookEndpoint[]>()

async function enabledEndpoints(em: EntityManager, owner: Tenant): Promise<WebhookEndpoint[]> {
  const seen = known.get(em) // a commit that records several events asks once
  if (seen) return seen
  const endpoints = await em.find(WebhookEndpoint, { ...pick(owner), enabled: true }, { orderBy: { createdAt: 1 } })
  known.set(em, endpoints)
  return endpoints
}
