import { type EntityManager, inTransaction, lock } from '../db/database.ts'
import { Event } from '../db/event.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint } from '../db/webhook.ts'
import { testEventId } from '../domain/event.ts'
import { type DeliveryStatus, delayAfterAttempt } from '../domain/webhook-delivery.ts'
import type { Deps } from './deps.ts'
import { hearFailure, hearSuccess } from '../db/webhook-health.ts'
import { secretInGrace } from '../db/webhook-secret.ts'
import { signatureHeaders } from './webhook-signature.ts'

/** How a delivery stands; `attempts` counts those made so far, `nextAttemptAt` is in milliseconds since the epoch. */
export type DeliveryProgress = { status: DeliveryStatus; attempts: number; nextAttemptAt: number | null }

/** A receiver that keeps failing gets so many deliveries at a time and process: most of them would only wait there. */
const placesWhileFailing = 4

/** The steps of the `webhook-delivery` process. */
export const webhookDeliveryActivities = (deps: Deps) => ({
  /**
   * Makes attempt number `attempt` (1..5) and writes down what came of it. An attempt that is already written is not
   * made again; one that was cut off before it was written is, as a receiver must expect of any webhook. With `atOnce`
   * it is left for later where the receiver is not known to be quick.
   */
  attemptDelivery: async (deliveryId: string, attempt: number, at: number, atOnce = false) => {
    const em = deps.database.orm.em.fork()
    const delivery = await em.findOneOrFail(Delivery, { id: deliveryId })
    if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return progressOf(delivery)
    const endpoint = await em.findOne(WebhookEndpoint, { id: delivery.endpointId })
    if (!endpoint?.enabled || !endpoint.url) return skip(deps, deliveryId, at)
    const isFailing = endpoint.failingSince !== null
    if (atOnce && isFailing) return progressOf(delivery)
    const request = await requestOf(deps, em, { delivery, endpoint, attempt, at })
    const outcome = await deps.webhooks.send({
      ...{ ...request, atOnce, lane: endpoint.id },
      ...(isFailing && { placesMax: placesWhileFailing }),
    })
    if (outcome.error === 'busy' && atOnce) return progressOf(delivery)
    // Nothing reached the receiver: not an attempt, and the engine asks again.
    if (outcome.error === 'busy' || outcome.error === 'closed') throw new Error(`not sent: ${outcome.error}`)
    return inTransaction(deps.database, (tx) => record(tx, deliveryId, attempt, outcome, at))
  },
})

type Try = { delivery: Delivery; endpoint: WebhookEndpoint; attempt: number; at: number }

async function requestOf({ sealer }: Deps, em: EntityManager, { delivery, endpoint, attempt, at }: Try) {
  const event = await em.findOneOrFail(Event, { id: delivery.eventId })
  const body = Buffer.from(event.body)
  const sealed = [endpoint.sealedSecret, secretInGrace(endpoint, at)].filter((text) => text !== null)
  const headers = signatureHeaders({
    eventId: delivery.trigger === 'test' ? testEventId : event.id,
    attempt,
    sequence: String(event.sequence),
    body,
    secrets: sealed.map((text) => sealer.open(text)),
    at,
  })
  return { url: endpoint.url ?? '', headers, body }
}

type Outcome = Awaited<ReturnType<Deps['webhooks']['send']>>

async function record(em: EntityManager, deliveryId: string, attempt: number, outcome: Outcome, at: number) {
  const delivery = await lock(em, Delivery, deliveryId)
  if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return progressOf(delivery)
  const { responseStatus, responseBody, error, retryAfterSeconds } = outcome
  const durationMs = Math.round(outcome.durationMs)
  em.create(DeliveryAttempt, {
    ...{ deliveryId, responseStatus, responseBody, error, durationMs },
    number: attempt,
    at: new Date(at),
  })
  const delivered = error === null // exactly then it was a 2xx
  const isLast = delivered || attempt >= delivery.attemptsMax
  const delay = isLast ? null : delayAfterAttempt(attempt, Math.random(), retryAfterSeconds)
  delivery.attemptCount = attempt
  delivery.nextAttemptAt = delay === null ? null : new Date(at + durationMs + delay) // after the failure, so its end
  if (delivered) delivery.status = 'succeeded'
  else if (delay === null) delivery.status = 'failed'
  if (delivery.status !== 'pending') delivery.completedAt = new Date(at)
  await (delivered ? hearSuccess(em, delivery.endpointId) : hearFailure(em, delivery.endpointId, at))
  return progressOf(delivery)
}

/** An endpoint that is off or gone gets nothing; the event is kept and can be sent again later. */
const skip = (deps: Deps, deliveryId: string, at: number): Promise<DeliveryProgress> =>
  inTransaction(deps.database, async (em) => {
    const delivery = await lock(em, Delivery, deliveryId)
    if (delivery.status === 'pending') {
      delivery.status = 'skipped'
      delivery.nextAttemptAt = null
      delivery.completedAt = new Date(at)
    }
    return progressOf(delivery)
  })

const progressOf = ({ status, attemptCount, nextAttemptAt }: Delivery): DeliveryProgress => ({
  status,
  attempts: attemptCount,
  nextAttemptAt: nextAttemptAt?.getTime() ?? null,
})

/** The types of the activities, for the process that calls them. */
export type WebhookDeliveryActivities = ReturnType<typeof webhookDeliveryActivities>
