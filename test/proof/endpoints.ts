import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { newEndpoint, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { newId } from '../../domain/id.ts'
import type { Merchant } from '../support/merchant.ts'
import type { Deployment } from './deployment.ts'

export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** Adds an endpoint that gets every event, to the demo organization unless another is named; returns its id. */
export async function addEndpoint(
  { database, encrypter, organizationId }: Deployment,
  url: string,
  secret: string,
  ownerId?: string,
): Promise<string> {
  const now = new Date()
  const id = newId('we', now.getTime())
  await inTransaction(database, async (em) => {
    em.create(WebhookEndpoint, {
      ...newEndpoint,
      id,
      url,
      accountId: ownerId ?? organizationId,
      environment: 'sandbox',
      encryptedSecret: encrypter.encrypt(secret),
      createdAt: now,
      updatedAt: now,
    })
  })
  return id
}

/** Gives an endpoint a new secret; the old one also signs until the grace period is over. */
export async function rotateSecret({ encrypter, sql }: Deployment, id: string, secret: string, graceMs: number) {
  await sql(
    `update webhook_endpoints set previous_sealed_secret = sealed_secret, sealed_secret = ?,
       previous_secret_until = now() + make_interval(secs => ?) where id = ?`,
    [encrypter.encrypt(secret), graceMs / 1_000, id],
  )
}

/** Triggers the n-th event through the public API, of one type after another; tries again after a 503. */
export async function trigger(merchant: Merchant, n: number): Promise<void> {
  const type = eventTypes[n % eventTypes.length]
  for (let tries = 1; ; tries++) {
    const { status, text } = await merchant.call('POST', '/v1/test-helpers/events/trigger', { type })
    if (status === 201) return
    if (status !== 503 || tries === 20) throw new Error(`an event was not taken: ${status} ${text}`)
    await pause(1_000)
  }
}

const eventsOfCommit = 50

/** Commits events as the API does; the workers' sweeps then dispatch their deliveries. */
export async function commitEvents({ database }: Deployment, accountId: string, count: number): Promise<void> {
  const owner = { accountId, environment: 'sandbox' } as const
  for (let left = count; left > 0; left -= eventsOfCommit) {
    await inTransaction(database, async (em) => {
      for (let n = 0; n < Math.min(left, eventsOfCommit); n++) {
        const data = { amount: '25.00', currency: 'USD' }
        await recordEvent(em, owner, { type: 'collection.succeeded', resourceId: `pay_${left}_${n}`, data }, Date.now())
      }
    })
  }
}
