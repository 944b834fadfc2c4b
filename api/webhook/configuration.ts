import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { recordTestEvent } from '../../db/core/record-event.ts'
import { newEndpoint, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { switchEndpoint } from '../../db/webhook/health.ts'
import { hasSecret, replaceSecret } from '../../db/webhook/secret.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nullable, WebhookAddress } from '../../schemas/common.ts'
import { testPayload } from '../../schemas/webhook/event.ts'
import {
  presentConfiguration,
  SavedWebhookConfiguration,
  WebhookConfiguration,
} from '../../schemas/webhook/configuration.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { type Call, type Caller, operation } from '../http/operation.ts'
import { changeUrl, validateAddress } from './endpoint.ts'

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE }

const findConfiguration = (em: EntityManager, { accountId, environment }: Caller, options = {}) =>
  em.findOne(WebhookEndpoint, { accountId, environment, isConfiguration: true }, options)

export const configureWebhook = operation({
  method: 'put',
  path: '/api/v1/notifications/webhooks/configuration',
  summary: 'Set the webhook URL and its secret; null switches delivery off',
  tag: 'Webhooks',
  auth: ['apiKey'],
  scope: 'webhooks:write',
  body: Type.Object(
    {
      webhook_url: nullable(WebhookAddress),
      webhook_secret: Type.Optional(Type.String({ minLength: 8, maxLength: 64 })),
    },
    { $id: 'ConfigureWebhook' },
  ),
  validate: ({ webhook_url: url }, { services }) => validateAddress(services, 'webhook_url', url),
  returns: [200, SavedWebhookConfiguration],
  refuses: [],

  async handle({ body, caller, em, now, services }) {
    const { webhook_url: url, webhook_secret: secret } = body
    const row = (await findConfiguration(em, caller, locked)) ?? addConfiguration(em, caller, url, now)
    changeUrl(em, row, url, { caller, now })
    row.updatedAt = new Date(now)
    if (row.enabled !== (url !== null)) switchEndpoint(em, row, url !== null, now)
    if (secret) setSecret(row, secret, { em, caller, now, services })
    const message = url ? 'Webhooks are sent to this address.' : 'Webhooks are switched off.'
    return { ...presentConfiguration(row), message }
  },
})

type Setting = Pick<Call<undefined, undefined, undefined>, 'em' | 'caller' | 'now' | 'services'>

/**
 * Replaces the secret at once: unlike a rotated secret, the former one has no grace period. The same secret again
 * changes nothing, so that a script that repeats the call does not end the grace period of a rotation.
 */
function setSecret(row: WebhookEndpoint, secret: string, { em, caller, now, services }: Setting): void {
  if (hasSecret(row, secret, services.encrypter)) return
  replaceSecret(row, secret, { encrypter: services.encrypter, graceMs: 0, at: now })
  auditCaller(em, caller, { action: 'webhook_secret.rotated', target: row.id }, now)
}

function addConfiguration(em: EntityManager, caller: Caller, url: string | null, now: number): WebhookEndpoint {
  const { accountId, environment } = caller
  const row = em.create(WebhookEndpoint, {
    accountId,
    environment,
    id: newId('we', now),
    ...newEndpoint,
    isConfiguration: true,
    url,
    enabled: true,
    metadata: {},
    createdAt: new Date(now),
    updatedAt: new Date(now),
  })
  auditCaller(em, caller, { action: 'webhook_endpoint.created', target: row.id }, now)
  return row
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
    const type = 'collection.succeeded'
    await recordTestEvent(em, row, { type, resourceId: row.id, data: testPayload(type, now) }, now)
    return { success: true, message: 'A test event is on its way.' }
  },
})
