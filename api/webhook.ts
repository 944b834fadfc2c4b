import Type from 'typebox'
import type { EntityManager } from '../db/database.ts'
import { recordEvent } from '../db/record-event.ts'
import { newEndpoint, WebhookEndpoint } from '../db/webhook.ts'
import { newId } from '../domain/id.ts'
import { invalid, Refusal } from '../domain/refusal.ts'
import { nullable } from '../schemas/common.ts'
import { presentConfiguration, SavedWebhookConfiguration, WebhookConfiguration } from '../schemas/webhook.ts'
import { type Caller, operation } from './operation.ts'

const findConfiguration = (em: EntityManager, { accountId, environment }: Caller) =>
  em.findOne(WebhookEndpoint, { accountId, environment, isConfiguration: true })

export const configureWebhook = operation({
  method: 'put',
  path: '/api/v1/notifications/webhooks/configuration',
  summary: 'Set the webhook URL and its secret; null switches delivery off',
  tag: 'Webhooks',
  auth: ['apiKey'],
  scope: 'webhooks:write',
  body: Type.Object(
    {
      webhook_url: nullable(Type.String({ minLength: 1, maxLength: 2048, examples: ['https://example.com/webhooks'] })),
      webhook_secret: Type.Optional(Type.String({ minLength: 8, maxLength: 64 })),
    },
    { $id: 'ConfigureWebhook' },
  ),
  returns: [200, SavedWebhookConfiguration],
  refuses: [],

  async handle({ body, caller, em, now, services }) {
    const fault = body.webhook_url && services.webhookUrlFault(body.webhook_url)
    if (fault) throw invalid('webhook_url', `must be a public HTTPS address (${fault})`)
    const row = (await findConfiguration(em, caller)) ?? newConfiguration(em, caller, now)
    row.url = body.webhook_url
    row.enabled = body.webhook_url !== null
    row.updatedAt = new Date(now)
    if (body.webhook_secret) row.sealedSecret = services.sealer.seal(body.webhook_secret)
    const message = row.url ? 'Webhooks are sent to this address.' : 'Webhooks are switched off.'
    return { ...presentConfiguration(row), message }
  },
})

function newConfiguration(em: EntityManager, { accountId, environment }: Caller, now: number): WebhookEndpoint {
  return em.create(WebhookEndpoint, {
    ...{ accountId, environment },
    id: newId('we', now),
    ...newEndpoint,
    isConfiguration: true,
    url: null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
  })
}

export const getWebhookConfiguration = operation({
  method: 'get',
  path: '/api/v1/notifications/webhooks/endpoint',
  summary: 'Read the webhook configuration',
  tag: 'Webhooks',
  auth: ['apiKey'],
  scope: 'webhooks:read',
  returns: [200, WebhookConfiguration],
  refuses: [],

  async handle({ caller, em }) {
    return presentConfiguration(await findConfiguration(em, caller))
  },
})

export const testWebhook = operation({
  method: 'post',
  path: '/api/v1/notifications/webhooks/test',
  summary: 'Send a test event to the configured URL',
  tag: 'Webhooks',
  auth: ['apiKey'],
  scope: 'webhooks:write',
  returns: [200, Type.Object({ success: Type.Boolean(), message: Type.String() }, { $id: 'TestWebhook' })],
  refuses: ['CONFLICT'],

  async handle({ caller, em, now }) {
    const row = await findConfiguration(em, caller)
    if (!row?.enabled) throw new Refusal('CONFLICT', 'no webhook URL is configured')
    const data = { ...sampleSale, completed_at: new Date(now).toISOString() }
    await recordEvent(em, caller, { type: 'collection.succeeded', resourceId: row.id, data, testOf: row.id }, now)
    return { success: true, message: 'A test event is on its way.' }
  },
})

/** The one event whose `amount` is a number (interface, "General conventions", 1). */
const sampleSale = {
  test: true,
  reference: 'test-reference',
  status: 'success',
  amount: 100,
  currency: 'USD',
  settlement_amount: '100.00',
  settlement_currency: 'USD',
  customer: { email: 'customer@example.com', name: 'Test Customer' },
  checkout_id: null,
  payment_method_details: null,
}
