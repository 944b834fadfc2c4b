import Type, { type Static } from 'typebox'
import type { WebhookEndpoint as EndpointRow } from '../../db/webhook/endpoint.ts'
import { makeSecret, replaceSecret, secretInGrace } from '../../db/webhook/secret.ts'
import { isoOrNull } from '../../schemas/common.ts'
import { ChosenSecret, WebhookSecret } from '../../schemas/webhook/endpoint.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { EndpointId, findEndpoint, lockEndpoint } from './endpoint.ts'
import { hourMs } from '../../domain/duration.ts'

const graceHours = 24
const graceHoursMax = 168

function showSecrets({ encrypter }: Services, row: EndpointRow, now: number): Static<typeof WebhookSecret> {
  const previous = secretInGrace(row, now)
  return {
    endpoint_id: row.id,
    secret: row.encryptedSecret === null ? null : encrypter.decrypt(row.encryptedSecret),
    previous_secret: previous === null ? null : encrypter.decrypt(previous),
    previous_secret_expires_at: previous === null ? null : isoOrNull(row.previousSecretUntil),
  }
}

export const getSecret = operation({
  method: 'get',
  path: '/v1/webhooks/endpoints/{endpoint_id}/secret',
  summary: 'Read the secret that signs the deliveries of an endpoint; each read is logged',
  tag: 'Webhooks',
  auth: ['apiKey'],
  scope: 'webhooks:read',
  mode: 'write', // the audit entry commits before the secret is returned
  params: EndpointId,
  returns: [200, WebhookSecret],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now, services }) {
    const row = await findEndpoint(em, caller, params.endpoint_id)
    auditCaller(em, caller, { action: 'webhook_secret.read', target: row.id }, now)
    return showSecrets(services, row, await services.clock.now())
  },
})

export const rotateSecret = operation({
  method: 'post',
  path: '/v1/webhooks/endpoints/{endpoint_id}/secret/rotate',
  summary: 'Rotate the secret of an endpoint; the old one signs too until its grace period ends',
  tag: 'Webhooks',
  auth: ['apiKey'],
  scope: 'webhooks:write',
  params: EndpointId,
  body: Type.Object(
    {
      grace_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: graceHoursMax, default: graceHours })),
      secret: Type.Optional({ ...ChosenSecret, description: 'Left out: a new one is generated.' }),
    },
    { $id: 'RotateWebhookSecret' },
  ),
  returns: [200, WebhookSecret],
  refuses: ['NOT_FOUND'],

  async handle({ params, body, caller, em, now, services }) {
    const row = await lockEndpoint(em, caller, params.endpoint_id)
    const graceMs = (body.grace_hours ?? graceHours) * hourMs
    // By the real time, also for an account on a test clock: signatures go by it.
    const at = await services.clock.now()
    replaceSecret(row, body.secret ?? makeSecret(), { encrypter: services.encrypter, graceMs, at })
    row.updatedAt = new Date(now)
    auditCaller(em, caller, { action: 'webhook_secret.rotated', target: row.id }, now)
    return showSecrets(services, row, at)
  },
})
