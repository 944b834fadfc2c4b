import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Event } from '../../db/webhook/event.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { testEventId } from '../../domain/webhook/event.ts'
import { retryAfterMs, type DeliveryStatus, delayAfterAttempt, endDelivery } from '../../domain/webhook/delivery.ts'
import type { Deps } from '../deps.ts'
import { recordFailedAttempt, recordDelivered } from '../../db/webhook/health.ts'
import { secretInGrace } from '../../db/webhook/secret.ts'
import { signatureHeaders } from './signature.ts'

/** The state of a delivery. `attempts` counts those made so far; `nextAttemptAt` is in milliseconds since the epoch. */
export type DeliverySnapshot = {
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: number | null
  /** The time of the delivery's test clock; null: the real time. */
  clockTime: number | null
  /** Staff hold it: nothing is sent until they release it. */
  isOnHold?: true
}

/** Places of one worker process for a receiver that keeps failing: more deliveries would only wait for it. */
const placesWhileFailing = 4

/** The steps of the `webhook-delivery` process. */
export const webhookDeliveryActivities = (deps: Deps) => ({
  /**
   * Makes attempt number `attempt` (1..5) and records its outcome. An attempt that is already recorded is not made
   * again. One that was cut off before it was recorded is made again, which a receiver must expect of any webhook. With
   * `atOnce` the attempt is left for later where the receiver is not known to be quick. A place to send from may come
   * many minutes after the process has asked, so all times recorded are the real ones. While staff hold the delivery,
   * no attempt begins and nothing is skipped. One that is under way ends and is recorded.
   */
  attemptDelivery: async (deliveryId: string, attempt: number, _askedAt: number, atOnce = false) => {
    const em = deps.database.orm.em.fork()
    const delivery = await em.findOneOrFail(Delivery, { id: deliveryId })
    if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return snapshotOf(em, delivery)
    if (delivery.onHoldSince) return snapshotOf(em, delivery)
    // A process that does not know of its test clock yet comes by the real time.
    const clockTime = await clockTimeOf(em, delivery)
    const isEarly = clockTime !== null && attempt > 1 && clockTime < (delivery.nextAttemptAt?.getTime() ?? 0)
    if (isEarly) return snapshotOf(em, delivery)
    const endpoint = await em.findOne(WebhookEndpoint, { id: delivery.endpointId })
    if (!endpoint?.enabled || !endpoint.url) return skip(deps, deliveryId, await deps.clock.now())
    const isFailing = endpoint.failingSince !== null
    if (atOnce && isFailing) return snapshotOf(em, delivery)
    const { sentAt, ...outcome } = await send(deps, em, { delivery, endpoint, attempt, atOnce, isFailing })
    if (outcome.error === 'busy' && atOnce) return snapshotOf(em, delivery)
    // Nothing reached the receiver, so it does not count as an attempt. The engine calls this step again.
    if (outcome.error === 'busy' || outcome.error === 'closed') throw new Error(`not sent: ${outcome.error}`)
    return inTransaction(deps.database, (tx) => record(tx, deliveryId, attempt, outcome, sentAt))
  },

  /** The state of a delivery, for a process that staff have ordered something. */
  readDelivery: async (deliveryId: string): Promise<DeliverySnapshot> => {
    const em = deps.database.orm.em.fork()
    return snapshotOf(em, await em.findOneOrFail(Delivery, { id: deliveryId }))
  },
})

type Try = { delivery: Delivery; endpoint: WebhookEndpoint; attempt: number; atOnce: boolean; isFailing: boolean }

/** Sends as soon as there is a place, and signs at that moment. Returns the outcome and when it was sent. */
async function send(deps: Deps, em: EntityManager, { delivery, endpoint, attempt, atOnce, isFailing }: Try) {
  const event = await em.findOneOrFail(Event, { id: delivery.eventId })
  const body = Buffer.from(event.body)
  let sentAt: number | undefined
  const headers = async () => {
    const at = await deps.clock.now()
    sentAt = at
    const encrypted = [endpoint.encryptedSecret, secretInGrace(endpoint, at)].filter((text) => text !== null)
    const eventId = delivery.trigger === 'test' ? testEventId : event.id
    const secrets = encrypted.map((text) => deps.encrypter.decrypt(text))
    return signatureHeaders({ eventId, attempt, sequence: String(event.sequence), body, secrets, at })
  }
  const places = isFailing ? { placesMax: placesWhileFailing } : {}
  const outcome = await deps.webhooks.send({
    url: endpoint.url ?? '',
    headers,
    body,
    atOnce,
    bulkhead: endpoint.id,
    ...places,
  })
  return { ...outcome, sentAt: sentAt ?? (await deps.clock.now()) } // a request to a refused address is never signed
}

type Outcome = Awaited<ReturnType<Deps['webhooks']['send']>>

async function record(em: EntityManager, deliveryId: string, attempt: number, outcome: Outcome, sentAt: number) {
  const delivery = await lock(em, Delivery, deliveryId)
  if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return snapshotOf(em, delivery)
  const { responseStatus, responseBody, error, retryAfter } = outcome
  const durationMs = Math.round(outcome.durationMs)
  // On a test clock the attempt takes no time, and no chance moves the next one.
  const clockTime = await clockTimeOf(em, delivery)
  const at = clockTime ?? sentAt
  const endedAt = clockTime ?? sentAt + durationMs
  const chance = clockTime === null ? Math.random() : 0
  em.create(DeliveryAttempt, {
    deliveryId,
    responseStatus,
    responseBody,
    error,
    durationMs,
    number: attempt,
    at: new Date(at),
  })
  const delivered = error === null // there is no error only after a 2xx
  const isLast = delivered || attempt >= delivery.attemptsMax
  const delay = isLast ? null : delayAfterAttempt(attempt, chance, retryAfterMs(retryAfter, endedAt))
  delivery.attemptCount = attempt
  if (delay === null) endDelivery(delivery, delivered ? 'succeeded' : 'failed', endedAt)
  else delivery.nextAttemptAt = delivery.onHoldSince ? null : new Date(endedAt + delay)
  await (delivered ? recordDelivered(em, delivery.endpointId) : recordFailedAttempt(em, delivery.endpointId, sentAt))
  return snapshotOf(em, delivery)
}

/**
 * Skips a delivery to an endpoint that is switched off or deleted. The event is kept and can be sent again later. What
 * staff have put on hold meanwhile is skipped when they release it.
 */
const skip = (deps: Deps, deliveryId: string, at: number): Promise<DeliverySnapshot> =>
  inTransaction(deps.database, async (em) => {
    const delivery = await lock(em, Delivery, deliveryId)
    const isOpen = delivery.status === 'pending' && !delivery.onHoldSince
    if (isOpen) endDelivery(delivery, 'skipped', (await clockTimeOf(em, delivery)) ?? at)
    return snapshotOf(em, delivery)
  })

const snapshotOf = async (em: EntityManager, delivery: Delivery): Promise<DeliverySnapshot> => ({
  status: delivery.status,
  attempts: delivery.attemptCount,
  nextAttemptAt: delivery.nextAttemptAt?.getTime() ?? null,
  clockTime: await clockTimeOf(em, delivery),
  ...(delivery.onHoldSince && { isOnHold: true as const }),
})

/** The types of the activities, for the process that calls them. */
export type WebhookDeliveryActivities = ReturnType<typeof webhookDeliveryActivities>
