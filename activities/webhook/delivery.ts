import { setTimeout } from 'node:timers/promises'
import { LockMode } from '@mikro-orm/core'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Event } from '../../db/webhook/event.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { readerWithParents } from '../../db/core/prepared-statement.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { testEventId } from '../../domain/webhook/event.ts'
import { type DeliveryStatus, delayAfterAttempt, endDelivery } from '../../domain/webhook/delivery.ts'
import type { Deps } from '../deps.ts'
import { recordFailedAttempt, recordDelivered } from '../../db/webhook/health.ts'
import { recordSuccess } from '../../db/webhook/success.ts'
import { secretInGrace } from '../../db/webhook/secret.ts'
import { signatureHeaders } from './signature.ts'
import { isItsTurn, takeAnswer } from './simulated-receiver.ts'

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

const readToSend = readerWithParents(Delivery, {
  endpoint: { entity: WebhookEndpoint, by: 'endpointId' },
  event: { entity: Event, by: 'eventId' },
})

/** Places of one worker process for a receiver that keeps failing: more deliveries would only wait for it. */
const placesWhileFailing = 4

/** The steps of the `webhook-delivery` process. */
export const webhookDeliveryActivities = (deps: Deps) => ({
  /**
   * Makes attempt number `attempt` (1..5) and records its outcome. Returns how the delivery stands then.
   *
   * - An attempt that is already recorded is not made again. One that was cut off before it was recorded is made again,
   *   which a receiver must expect of any webhook.
   * - While staff hold the delivery, no attempt begins and nothing is skipped. One that is under way ends and is
   *   recorded.
   * - A delivery whose endpoint is switched off or gone is skipped, without an attempt.
   * - With `atOnce` the attempt is left for later where the receiver is not known to be quick, or has no free place.
   *   `holdsTask` says whether a task of the engine waits for it meanwhile.
   * - On a test clock the attempt is left for later where the clock has not come to its time.
   * - A place to send from may come many minutes after the process has asked, so the times recorded are those of the
   *   sending; on a test clock they are its own.
   * - It throws, so that the engine calls it again, where no place has become free (`busy`), and where this process
   *   stops (`closed`). Neither counts as an attempt.
   */
  attemptDelivery: async (
    deliveryId: string,
    attempt: number,
    _askedAt: number, // kept for histories: the times that are recorded are those of the sending
    atOnce = false,
    holdsTask = atOnce,
  ): Promise<DeliverySnapshot> => {
    const em = deps.database.orm.em.fork()
    const found = await readToSend(em, deliveryId)
    if (!found) throw new Error('no such delivery')
    const { row: delivery, endpoint, event } = found
    if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return snapshotOf(em, delivery)
    if (delivery.onHoldSince) return snapshotOf(em, delivery)
    // A process that does not know of its test clock yet comes by the real time.
    const clockTime = await clockTimeOf(em, delivery)
    const isEarly = clockTime !== null && attempt > 1 && clockTime < (delivery.nextAttemptAt?.getTime() ?? 0)
    if (isEarly) return snapshotOf(em, delivery)
    if (!endpoint?.enabled || !endpoint.url) {
      const now = await deps.clock.now()
      return inTransaction(deps.database, (tx) => skip(tx, deliveryId, now))
    }
    const isFailing = endpoint.failingSince !== null
    if (atOnce && isFailing) return snapshotOf(em, delivery)
    const tried = { delivery, endpoint, event, attempt, atOnce, holdsTask, isFailing }
    if (endpoint.simulatedAnswers) return simulate(deps, em, tried)
    const { sentAt, ...outcome } = await send(deps, tried)
    if (outcome.error === 'busy' && atOnce) return snapshotOf(em, delivery)
    // Nothing is known to have reached the receiver, so it is no attempt. The engine calls this step again.
    if (outcome.error === 'busy' || outcome.error === 'closed') throw new Error(`not sent: ${outcome.error}`)
    const isPlain = outcome.error === null && !delivery.clockId
    if (isPlain && (await recordSuccess(em, { ...outcome, deliveryId, attempt, sentAt })))
      return { ...(await snapshotOf(em, delivery)), status: 'succeeded', attempts: attempt, nextAttemptAt: null }
    return inTransaction(deps.database, (tx) => record(tx, deliveryId, attempt, () => outcome, sentAt))
  },

  /** The state of a delivery, for a process that staff have ordered something. */
  readDelivery: async (deliveryId: string): Promise<DeliverySnapshot> => {
    const em = deps.database.orm.em.fork()
    return snapshotOf(em, await em.findOneOrFail(Delivery, { id: deliveryId }))
  },
})

type Try = {
  delivery: Readonly<Delivery>
  endpoint: Readonly<WebhookEndpoint>
  event: Readonly<Event> | null
  attempt: number
  atOnce: boolean
  holdsTask: boolean
  isFailing: boolean
}

/** What is sent, and the function that signs it. `sentAt` is when it was signed, in milliseconds since the epoch. */
function requestOf(deps: Deps, { delivery, endpoint, event, attempt }: Try) {
  if (!event) throw new Error('no such event')
  const body = Buffer.from(event.body)
  let signedAt: number | undefined
  const headers = async () => {
    const at = await deps.clock.now()
    signedAt = at
    const encrypted = [endpoint.encryptedSecret, secretInGrace(endpoint, at)].filter((text) => text !== null)
    const eventId = delivery.trigger === 'test' ? testEventId : event.id
    const secrets = encrypted.map((text) => deps.encrypter.decrypt(text))
    return signatureHeaders({ eventId, attempt, sequence: String(event.sequence), body, secrets, at })
  }
  // A request to a refused address is never signed.
  return { body, headers, sentAt: async () => signedAt ?? (await deps.clock.now()) }
}

/** Sends as soon as there is a place, and signs at that moment. Returns the outcome and when it was sent. */
async function send(deps: Deps, tried: Try) {
  const { endpoint, atOnce, holdsTask, isFailing } = tried
  const { body, headers, sentAt } = requestOf(deps, tried)
  const places = isFailing ? { placesMax: placesWhileFailing } : {}
  const outcome = await deps.webhooks.send({
    url: endpoint.url ?? '',
    headers,
    body,
    atOnce,
    holdsTask,
    bulkhead: endpoint.id,
    ...places,
  })
  return { ...outcome, sentAt: await sentAt() }
}

/** How long an attempt at a scenario's receiver waits for its turn, in milliseconds. */
const turnMs = 2_000
/** The pause between two looks whether its turn has come, in milliseconds. */
const lookMs = 20

/**
 * An attempt at the receiver of a scenario: signed as any other, but nothing is sent. The answer is taken in the commit
 * that records the attempt, so an attempt that is cut off and made again takes one answer. An attempt whose turn has
 * not come is left for later, as if there were no place.
 */
async function simulate(deps: Deps, em: EntityManager, tried: Try): Promise<DeliverySnapshot> {
  const { delivery, attempt, atOnce } = tried
  const { headers, sentAt } = requestOf(deps, tried)
  await headers()
  const at = await sentAt()
  for (const begun = performance.now(); ; await setTimeout(lookMs)) {
    const recorded = await inTransaction(deps.database, async (tx) => {
      const locked = { lockMode: LockMode.PESSIMISTIC_WRITE }
      const endpoint = await tx.findOne(WebhookEndpoint, { id: delivery.endpointId }, locked)
      if (!endpoint?.enabled) return skip(tx, delivery.id, at)
      const isTurn = await isItsTurn(tx, delivery, (await clockTimeOf(tx, endpoint)) ?? 0)
      return isTurn ? record(tx, delivery.id, attempt, () => takeAnswer(endpoint), at) : null
    })
    if (recorded) return recorded
    if (atOnce) return snapshotOf(em, delivery)
    if (performance.now() - begun > turnMs) throw new Error('not sent: busy')
  }
}

type Outcome = Awaited<ReturnType<Deps['webhooks']['send']>>

async function record(em: EntityManager, deliveryId: string, attempt: number, answer: () => Outcome, sentAt: number) {
  const delivery = await lock(em, Delivery, deliveryId)
  if (delivery.status !== 'pending' || delivery.attemptCount >= attempt) return snapshotOf(em, delivery)
  const { responseStatus, responseBody, error, ...outcome } = answer()
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
  const delay = isLast ? null : delayAfterAttempt(attempt, chance)
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
async function skip(em: EntityManager, deliveryId: string, at: number): Promise<DeliverySnapshot> {
  const delivery = await lock(em, Delivery, deliveryId)
  const isOpen = delivery.status === 'pending' && !delivery.onHoldSince
  if (isOpen) endDelivery(delivery, 'skipped', (await clockTimeOf(em, delivery)) ?? at)
  return snapshotOf(em, delivery)
}

const snapshotOf = async (em: EntityManager, delivery: Readonly<Delivery>): Promise<DeliverySnapshot> => ({
  status: delivery.status,
  attempts: delivery.attemptCount,
  nextAttemptAt: delivery.nextAttemptAt?.getTime() ?? null,
  clockTime: await clockTimeOf(em, delivery),
  ...(delivery.onHoldSince && { isOnHold: true as const }),
})

/** The types of the activities, for the process that calls them. */
export type WebhookDeliveryActivities = ReturnType<typeof webhookDeliveryActivities>
