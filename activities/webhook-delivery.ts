import { type EntityManager, inTransaction, lock } from '../db/database.ts'
import { Event } from '../db/event.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint } from '../db/webhook.ts'
import { testEventId } from '../domain/event.ts'
import { type DeliveryStatus, delayAfterAttempt } from '../domain/webhook-delivery.ts'
import type { Deps } from './deps.ts'
import { signatureHeaders } from './webhook-signature.ts'

/** How a delivery stands after an attempt; `attempts` counts those made so far. */
export type DeliveryProgress = { status: DeliveryStatus; attempts: number }

/** The steps of the `webhook-delivery` process. */
export const webhookDeliveryActivities = (deps: Deps) => ({
  /**
   * Makes attempt number `attempt` (1..5) and writes down what came of it. An attempt that is already written is not
   * made again; one that was cut off before it was written is, as a receiver must expect of any webhook.
   */
  attemptDelivery: async (deliveryId: string, attempt: number, at: number): Promise<DeliveryProgress> => {
    const em = deps.database.orm.em.fork()
    const delivery = await em.findOneOrFail(Delivery, { id: deliveryId })
    if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return progressOf(delivery)
    const endpoint = await em.findOne(WebhookEndpoint, { id: delivery.endpointId })
    if (!endpoint?.enabled || !endpoint.url) return skip(deps, deliveryId, at)
    const event = await em.findOneOrFail(Event, { id: delivery.eventId })
    const body = Buffer.from(event.body)
    const headers = signatureHeaders({
      eventId: delivery.trigger === 'test' ? testEventId : event.id,
      attempt,
      sequence: String(event.sequence),
      body,
      secrets: endpoint.sealedSecret ? [deps.sealer.open(endpoint.sealedSecret)] : [],
      at,
    })
    const outcome = await deps.webhooks.send({ url: endpoint.url, headers, body })
    // Nothing reached the receiver: not an attempt, and the engine asks again.
    if (outcome.error === 'busy' || outcome.error === 'closed') throw new Error(`not sent: ${outcome.error}`)
    return inTransaction(deps.database, (tx) => record(tx, deliveryId, attempt, outcome, at))
  },
})

type Outcome = Awaited<ReturnType<Deps['webhooks']['send']>>

async function record(em: EntityManager, deliveryId: string, attempt: number, outcome: Outcome, at: number) {
  const delivery = await lock(em, Delivery, deliveryId)
  if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return progressOf(delivery)
  const { responseStatus, responseBody, durationMs, error } = outcome
  em.create(DeliveryAttempt, {
    ...{ deliveryId, responseStatus, responseBody, error },
    number: attempt,
    at: new Date(at),
    durationMs: Math.round(durationMs),
  })
  const delivered = responseStatus !== null && responseStatus >= 200 && responseStatus < 300 && error === null
  const delay = delivered ? null : delayAfterAttempt(attempt)
  delivery.attemptCount = attempt
  delivery.nextAttemptAt = delay === null ? null : new Date(at + delay)
  if (delivered) delivery.status = 'succeeded'
  else if (delay === null) delivery.status = 'failed'
  if (delivery.status !== 'pending') delivery.completedAt = new Date(at)
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

const progressOf = ({ status, attemptCount }: Delivery): DeliveryProgress => ({ status, attempts: attemptCount })

/** The types of the activities, for the process that calls them. */
export type WebhookDeliveryActivities = ReturnType<typeof webhookDeliveryActivities>
